/**
 * Where tables stand: at a server, or on this device. Screens ask a house and do not know which one it is.
 *
 * Whoever talks to a table does so by a line, in the words of the protocol, whatever the line is made of.
 */
import type { FromPage, FromServer, GameEntry, Opened, OpenTable, Replay } from "./protocol.ts";

export type Place = "server" | "here";

/** Who sits at the end of a line. */
export interface Listener {
  receive(message: FromServer): void;
  connected(up: boolean): void;
}

/** The way to a table. It says by itself who this device is, again after every break. */
export interface Line {
  /** Say something; false if nobody can hear it now. */
  send(message: FromPage): boolean;
  close(): void;
}

export interface House {
  readonly place: Place;
  /** Every game with its layouts. */
  games(): Promise<GameEntry[]>;
  /** Open a table; with a name the caller sits down at once. */
  open(wish: OpenTable): Promise<Opened>;
  /** Whether there is such a table. */
  exists(code: string): Promise<boolean>;
  /** A finished game step by step. */
  replay(code: string): Promise<Replay>;
  /** The game record as text. */
  record(code: string): Promise<string>;
  connect(code: string, listener: Listener): Line;
}

/** Give one game of a house. */
export async function gameOf(house: House, id: string): Promise<GameEntry> {
  const found = (await house.games()).find((entry) => entry.id === id);
  if (!found) throw new Error("404");
  return found;
}

/** The address of a table's screen. */
export function tablePath(place: Place, code: string): string {
  return place === "here" ? `/here/t/${code}` : `/t/${code}`;
}

/** The address of what is said about a finished game. */
export function reviewPath(place: Place, code: string): string {
  return `${replayPath(place, code)}/review`;
}

/** The address of a finished game's screen. */
export function replayPath(place: Place, code: string): string {
  return place === "here" ? `/here/r/${code}` : `/r/${code}`;
}
