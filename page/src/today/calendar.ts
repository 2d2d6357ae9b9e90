/** The calendar of this device: its daily games and their results. It is stored in localStorage and never sent. */
import * as storage from "../device/storage.ts";
import type { HostKind } from "../house.ts";

export interface DayGame {
  /** As in 2026-11-16, in UTC. */
  date: string;
  variant: string;
  place: HostKind;
  code: string;
  /** Null while the game is running. */
  score: number | null;
  /** The share text, line by line. */
  squares: string[];
}

export interface DaySummary {
  variant: string;
  days: number;
  best: number;
  average: number;
}

const KEY = "qwixx.days";
const DEVICE = "qwixx.device";
const MOST = 3_000;
const DEVICE_BYTES = 24;
const MILLISECONDS = 86_400_000;

function isGame(found: unknown): found is DayGame {
  const { date, variant, place, code, score, squares } = (found ?? {}) as Record<string, unknown>;
  const words = [date, variant, code].every((each) => typeof each === "string");
  return (
    words &&
    (place === "server" || place === "here") &&
    (score === null || typeof score === "number") &&
    Array.isArray(squares)
  );
}

/** All games, the oldest first. */
export function dayGames(): DayGame[] {
  try {
    const kept: unknown = JSON.parse(storage.read(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isGame) : [];
  } catch {
    return []; // storage is blocked or holds something else
  }
}

/** Store a game; it replaces an older version, and the oldest games are dropped. */
export function keepDay(game: DayGame): void {
  const others = dayGames().filter((each) => !isSame(each, game));
  const all = [...others, game].sort((a, b) => a.date.localeCompare(b.date));
  // Without storage there is no calendar; nothing else is lost.
  storage.write(KEY, JSON.stringify(all.slice(-MOST)));
}

export function findDay(date: string, variant: string, place: HostKind): DayGame | undefined {
  return dayGames().find((each) => isSame(each, { date, variant, place }));
}

function isSame(one: DayGame, other: Pick<DayGame, "date" | "variant" | "place">): boolean {
  return one.date === other.date && one.variant === other.variant && one.place === other.place;
}

/** Return the random token by which a server recognizes this device. */
export function deviceToken(): string {
  const known = storage.read(DEVICE);
  if (known && /^[\w-]{22,64}$/.test(known)) return known;
  const drawn = fleeting ?? newToken();
  if (!storage.write(DEVICE, drawn)) fleeting = drawn; // without storage it lasts as long as the page
  return drawn;
}

let fleeting: string | undefined;

function newToken(): string {
  return [...crypto.getRandomValues(new Uint8Array(DEVICE_BYTES))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

// ---- dates

/** Return the date of a timestamp, in UTC. */
export function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** Return the date some days later, or earlier. */
export function daysAfter(date: string, days: number): string {
  return dateOf(Date.parse(`${date}T00:00:00Z`) + days * MILLISECONDS);
}

/** Return the seconds until the next day. */
export function secondsLeft(milliseconds: number): number {
  return (MILLISECONDS - (milliseconds % MILLISECONDS)) / 1000;
}

/** Return whole weeks, Monday first; the last one contains this date. */
export function weeksUntil(date: string, count: number): string[][] {
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = daysAfter(date, -weekday - 7 * (count - 1));
  return Array.from({ length: count }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => daysAfter(monday, 7 * week + day)),
  );
}

// ---- statistics

/** The games that were finished on each date. */
export function finishedOn(all: readonly DayGame[]): Map<string, DayGame[]> {
  const found = new Map<string, DayGame[]>();
  for (const game of all) if (game.score !== null) found.set(game.date, [...(found.get(game.date) ?? []), game]);
  return found;
}

/** Return the current and the longest streak of days with a finished game; today does not have to be finished yet. */
export function rowOfDays(all: readonly DayGame[], today: string): { now: number; most: number } {
  const played = new Set(finishedOn(all).keys());
  const from = (last: string): number => {
    let length = 0;
    while (played.has(daysAfter(last, -length))) length += 1;
    return length;
  };
  const most = Math.max(0, ...[...played].filter((date) => !played.has(daysAfter(date, 1))).map(from));
  return { now: from(played.has(today) ? today : daysAfter(today, -1)), most };
}

/** Return the statistics of each game, in this order. */
export function daySummaries(all: readonly DayGame[], order: readonly string[]): DaySummary[] {
  return order.flatMap((variant) => {
    const scores = all.flatMap((game) => (game.variant === variant && game.score !== null ? [game.score] : []));
    if (!scores.length) return [];
    const average = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    return [{ variant, days: scores.length, best: Math.max(...scores), average }];
  });
}
