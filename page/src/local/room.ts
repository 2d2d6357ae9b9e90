/** A local table as data: seats, options, stage. Like a server's room, but without other devices. */
import { TABLE, type GameEntry, type Options, type SetOptions } from "../protocol.ts";

/** The games in which closing a row is announced. */
const ANNOUNCING: readonly string[] = TABLE.announcing;

/** The options of a new table; on a device nobody comes late. */
export const DEFAULTS: Options = { ...TABLE.options, late: false };

export type Level = GameEntry["bots"][number];

/** A refused request; nothing has changed. The codes are the server's. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    readonly rule = "",
    readonly details?: Record<string, number | string>,
  ) {
    super(code);
  }
}

export interface Seat {
  /** Empty for a bot: its name depends on the reader's language. */
  name: string;
  /** The bot that decides here now, null for a person. */
  level: Level | null;
  /** Whether a person of this device sits here, also while a bot plays for them. */
  own: boolean;
  /** Whether a bot has played here by rules of thumb, because its net could not be fetched. */
  plain?: boolean;
}

export interface Room {
  code: string;
  variant: string;
  stage: "lobby" | "playing" | "over";
  seats: Seat[];
  options: Options;
  next: string | null;
  /** In a daily game: the date. */
  day?: string;
}

/** Return a random code; it only has to be unique on this device. */
export function newCode(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TABLE.codeLength));
  return [...bytes].map((byte) => TABLE.alphabet[byte % TABLE.alphabet.length]).join("");
}

export function newRoom(code: string, game: GameEntry, sheet: string): Room {
  if (sheet && !game.sheets.includes(sheet)) throw new Refused("bad-options");
  const options = { ...DEFAULTS, sheet: sheet || (game.sheets[0] ?? "") };
  return { code, variant: game.id, stage: "lobby", seats: [], options, next: null };
}

/** Return a room for a rematch: the same people, bots and options. A person gets the seat back from their bot. */
export function nextRoom(code: string, room: Room): Room {
  const seats = room.seats.map((seat) => ({ ...seat, level: seat.own ? null : seat.level, plain: false }));
  return { ...room, code, seats, options: { ...room.options }, stage: "lobby", next: null, day: "" };
}

export function addPerson(room: Room, game: GameEntry, name: string): number {
  checkPlace(room, game);
  return room.seats.push({ name: freeName(room.seats, name), level: null, own: true }) - 1;
}

export function addBot(room: Room, game: GameEntry, level: Level): void {
  checkPlace(room, game);
  if (!game.bots.includes(level)) throw new Refused("bad-options");
  room.seats.push({ name: "", level, own: false });
}

/** Remove a seat; the seats after it move up. */
export function vacate(room: Room, seat: number, kind: "person" | "bot"): void {
  const found = kind === "person" ? ownSeat(room, seat) : seatOf(room, seat);
  checkLobby(room);
  if (found.own !== (kind === "person")) throw new Refused("not-now");
  room.seats.splice(seat, 1);
}

export function rename(room: Room, seat: number, name: string): void {
  seatOf(room, seat);
  ownSeat(room, seat).name = freeName(room.seats, name, seat);
}

export function forgetName(room: Room, seat: number): void {
  const found = ownSeat(room, seat);
  if (room.stage !== "over") throw new Refused("not-now");
  found.name = TABLE.noName;
}

/** Change the given options. */
export function setOptions(room: Room, game: GameEntry, { t: _, ...wanted }: SetOptions): void {
  const isAnyTime = Object.keys(wanted).every((key) => key === "late" || key === "pace");
  if (!isAnyTime || room.day) checkLobby(room);
  const { sheet, realDice, timer, announce } = wanted;
  const known =
    (sheet === undefined || game.sheets.includes(sheet) || (sheet === "" && !game.sheets.length)) &&
    !(realDice && game.flow === "cards") &&
    !(announce && !ANNOUNCING.includes(room.variant)) &&
    (timer === undefined || (timer >= 0 && timer <= TABLE.maxTimer));
  if (!known) throw new Refused("bad-options");
  Object.assign(room.options, wanted);
}

/** Let a bot play for a person, or give the seat back to the person. */
export function handOver(room: Room, seat: number, level: Level | null): void {
  const found = seatOf(room, seat);
  if (room.day || room.stage !== "playing" || (found.level === null) === (level === null)) throw new Refused("not-now");
  ownSeat(room, seat);
  found.level = level;
}

/** Return whether hints are allowed: as the table has set, else if one person plays; never in a daily game. */
export function hasHints({ day, options, seats }: Room): boolean {
  if (day) return false;
  return options.hints ?? !isCompany(seats);
}

/** Return whether closings are announced (C14): as the table has set, else with two or more people; never in a daily game. */
export function announces({ day, options, seats, variant }: Room): boolean {
  if (day || !ANNOUNCING.includes(variant)) return false;
  return options.announce ?? isCompany(seats);
}

/** Whether seats belong to two or more people, also while bots play for them. */
function isCompany(seats: Seat[]): boolean {
  return seats.filter((seat) => seat.own).length > 1;
}

export function checkLobby(room: Room): void {
  if (room.stage !== "lobby") throw new Refused("not-now");
}

export function ownSeat(room: Room, seat: number): Seat {
  const found = room.seats[seat];
  if (!found?.own) throw new Refused("not-your-seat");
  return found;
}

/** Refuse unless a person of this device plays this seat now. */
export function checkPlayer(room: Room, seat: number): void {
  if (!isPerson(ownSeat(room, seat))) throw new Refused("bot-plays");
}

export function isPerson(seat: Seat | undefined): boolean {
  return seat !== undefined && seat.level === null;
}

function seatOf(room: Room, seat: number): Seat {
  const found = room.seats[seat];
  if (!found) throw new Refused("no-such-seat");
  return found;
}

function checkPlace(room: Room, game: GameEntry): void {
  checkLobby(room);
  if (room.seats.length >= game.seats[1]) throw new Refused("full");
}

/** Return the name as it is shown: visible, not too long, and unique at the table. */
export function freeName(seats: Seat[], text: string, own?: number): string {
  const name = [
    ...text
      .normalize("NFC")
      .replace(/[\s\p{C}]+/gu, " ")
      .trim(),
  ]
    .slice(0, TABLE.maxName)
    .join("");
  if (!/[\p{L}\p{N}\p{P}\p{S}]/u.test(name)) throw new Refused("bad-name");
  const taken = seats.some((seat, place) => place !== own && comparable(seat.name) === comparable(name));
  if (taken) throw new Refused("name-taken");
  return name;
}

function comparable(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
