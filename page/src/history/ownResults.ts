/** The results of this device: one for every finished game. They are stored in localStorage and never sent. */

import * as storage from "../device/storage.ts";
import type { HostKind } from "../house.ts";
import type { View } from "../protocol.ts";
import { placeOf } from "./placeOf.ts";

export interface Result {
  /** The table, so that a game counts once. */
  table: string;
  variant: string;
  /** When it ended, in milliseconds. */
  at: number;
  score: number;
  seats: number;
  /** 1 for a win, shared or not. */
  place: number;
  /** The host of the table; missing in results of older versions. */
  house?: HostKind;
  /** The reader's seat, and the points of its rows by their keys; missing in results of older versions. */
  seat?: number;
  rows?: Record<string, number>;
  /** Whether bots played by rules of thumb, without their nets: such a game counts neither as a win nor as a loss. */
  plain?: boolean;
}

/** The statistics of one variant. */
export interface Summary {
  variant: string;
  games: number;
  wins: number;
  best: number;
  average: number;
  /** The winning streak, current and longest; solitaire games do not count. */
  streak: number;
  longest: number;
}

const KEY = "qwixx.results";
const MAX_RESULTS = 2_000;

function isResult(found: unknown): found is Result {
  const { table, variant, at, score, seats, place } = (found ?? {}) as Record<string, unknown>;
  return (
    typeof table === "string" &&
    typeof variant === "string" &&
    [at, score, seats, place].every((each) => typeof each === "number")
  );
}

/** All results, the oldest first. */
export function results(): Result[] {
  try {
    const kept: unknown = JSON.parse(storage.read(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isResult) : [];
  } catch {
    return []; // storage is blocked or holds something else
  }
}

/** Return the reader's seat at a table of this device; null if it is unknown. */
export function ownSeat(table: string): number | null {
  return results().find((each) => each.table === table)?.seat ?? null;
}

/** Return the results of the same game that came before the one at a table. */
export function earlierResults(table: string, variant: string): Result[] {
  const all = results();
  const at = all.findIndex((each) => each.table === table);
  return all.slice(0, at < 0 ? undefined : at).filter((each) => each.variant === variant);
}

/** Return the result of a seat in a finished game. */
export function resultOf(table: string, view: View, winners: readonly number[], seat: number, house: HostKind): Result {
  const sheet = view.sheets[seat];
  return {
    table,
    variant: view.variant,
    at: Date.now(),
    score: sheet?.score ?? 0,
    seats: view.seats,
    place: winners.includes(seat) ? 1 : placeOf(view, seat),
    house,
    seat,
    rows: Object.fromEntries(sheet?.rows.map((row) => [row.key, row.points]) ?? []),
  };
}

/** Store the result of a game, once; the oldest results are dropped. */
export function keepResult(result: Result): void {
  const known = results();
  if (known.some((each) => each.table === result.table)) return;
  // Without storage there are no statistics; nothing else is lost.
  storage.write(KEY, JSON.stringify([...known, result].slice(-MAX_RESULTS)));
}

export function deleteResults(): void {
  storage.remove(KEY);
}

/** Return the statistics of each variant, the most played first. */
export function summaries(all: readonly Result[]): Summary[] {
  const kinds = [...new Set(all.map((each) => each.variant))];
  return kinds
    .map((variant) =>
      summary(
        variant,
        all.filter((each) => each.variant === variant),
      ),
    )
    .sort((a, b) => b.games - a.games);
}

/** Return the results that count as won or lost: against others, and against bots that had their nets. */
export function contests(all: readonly Result[]): Result[] {
  return all.filter((each) => each.seats > 1 && !each.plain);
}

export function summary(variant: string, all: readonly Result[]): Summary {
  const scores = all.map((each) => each.score);
  const against = contests(all);
  let streak = 0;
  let longest = 0;
  for (const { place } of against) {
    streak = place === 1 ? streak + 1 : 0;
    longest = Math.max(longest, streak);
  }
  return {
    variant,
    games: all.length,
    wins: against.filter((each) => each.place === 1).length,
    best: Math.max(...scores),
    average: scores.reduce((sum, score) => sum + score, 0) / scores.length,
    streak,
    longest,
  };
}

/** What a review says of a game. */
type Rated = { table: string; decisions: number; lost: number; luck: number };

/** All results as a table for a spreadsheet; games that were rated say how many decisions lost how much, and the luck. */
export function exported(all: readonly Result[], rated: readonly Rated[] = []): string {
  const lines = all.map(({ table, at, variant, seats, score, place }) => {
    const found = rated.find((each) => each.table === table && each.decisions);
    const numbers = found ? [found.decisions, found.lost.toFixed(4), found.luck.toFixed(4)] : ["", "", ""];
    return [new Date(at).toISOString(), variant, seats, score, place, ...numbers].join(",");
  });
  return `${["date,game,players,points,place,decisions,lost,luck", ...lines].join("\n")}\n`;
}
