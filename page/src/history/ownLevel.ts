/**
 * How well a person plays, over their games on this device, beside the levels of bots. docs/analysis.md has the formulas.
 *
 * A rating is what the review of one game says of the person: their decisions and what these lost, the result, and the luck. Ratings are
 * stored in localStorage. The scale is the mean loss of each level in the same games, judged in the same way.
 */
import * as storage from "../device/storage.ts";
import scale from "./botLosses.json";
import { ENOUGH, keepMatch } from "./matchedLevel.ts";

export interface Rating {
  /** The table, so that a game counts once. */
  table: string;
  /** When it ended, in milliseconds. */
  at: number;
  /** The game, for card games with the sheet, and the number of seats. */
  game: string;
  seats: number;
  /** The decisions with a choice, and the win probability that they lost. None: the game does not count. */
  decisions: number;
  lost: number;
  /** The person's share of the win, and the part of it that was luck. */
  won: number;
  luck: number;
}

export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** The play of the last games, and the results of all of them. */
export interface OwnLevel {
  games: number;
  /** Where it lies among the levels: 0 is the first one, 1 the second; between them it is between. */
  place: Interval;
  /** The share of wins, and the same without luck. */
  won: number;
  adjusted: Interval;
  /** What players as good as all others would win. */
  fair: number;
}

export const LEVELS = ["easy", "normal", "strong", "master"] as const;
export type LevelName = (typeof LEVELS)[number];
/** The level is that of so many last games: people learn. */
export const WINDOW = 30;
/** A wider interval says nothing. */
const WIDEST = 2;
const KEY = "qwixx.ratings";
const MAX_RATINGS = 1_000;
/** Quantiles of Student's distribution at 97.5 %, from one degree of freedom on; then that of the normal distribution is near enough. */
const STUDENT = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 2.09,
  2.08, 2.07, 2.07, 2.06, 2.06, 2.06, 2.05, 2.05, 2.05,
];

const losses = scale.losses as Record<string, Record<string, Record<LevelName, { mean: number }>>>;

/** Return the key of a game in the scale. */
export function gameKey(variant: string, sheet: string): string {
  return sheet && sheet !== variant ? `${variant}/${sheet}` : variant;
}

/** Return the mean loss of each level; null if it was not measured. */
function meansOf({ game, seats }: Pick<Rating, "game" | "seats">): number[] | null {
  const found = losses[game]?.[seats];
  return found ? LEVELS.map((level) => found[level].mean) : null;
}

export function isMeasured(game: string, seats: number): boolean {
  return meansOf({ game, seats }) !== null;
}

function isRating(found: unknown): found is Rating {
  const { table, game, ...numbers } = (found ?? {}) as Record<string, unknown>;
  const names = ["at", "seats", "decisions", "lost", "won", "luck"];
  return typeof table === "string" && typeof game === "string" && names.every((name) => Number.isFinite(numbers[name]));
}

/** All ratings, the oldest first. */
export function ratings(): Rating[] {
  try {
    const kept: unknown = JSON.parse(storage.read(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isRating) : [];
  } catch {
    return []; // storage is blocked or holds something else
  }
}

export function isRated(table: string): boolean {
  return ratings().some((each) => each.table === table);
}

/** Store the rating of a game, once; the oldest are dropped. */
export function keepRating(rating: Rating): void {
  if (isRated(rating.table)) return;
  const all = [...ratings(), rating].slice(-MAX_RATINGS);
  storage.write(KEY, JSON.stringify(all));
  keepMatch(nearest(levelOf(all)));
}

/** A game does not count: it began inside another one. */
export function leaveOut(table: string): void {
  keepRating({ table, at: Date.now(), game: "", seats: 0, decisions: 0, lost: 0, won: 0, luck: 0 });
}

export function deleteRatings(): void {
  storage.remove(KEY);
  keepMatch(null);
}

/** Return the ratings that count. */
export function counted(all: readonly Rating[]): Rating[] {
  return all.filter((each) => each.decisions > 0 && isMeasured(each.game, each.seats));
}

/** Return the level of some ratings, by the last of them; null if they say too little. */
export function levelOf(all: readonly Rating[]): OwnLevel | null {
  const games = counted(all);
  const last = games.slice(-WINDOW);
  if (last.length < ENOUGH) return null;
  const place = placeOf(last);
  if (place.high - place.low > WIDEST) return null;
  return {
    games: games.length,
    place,
    won: mean(games.map(({ won }) => won)),
    adjusted: intervalOf(games.map(({ won, luck }) => won - luck)),
    fair: mean(games.map(({ seats }) => 1 / seats)),
  };
}

/** Return the level of bots that is nearest; null without a level. */
export function nearest(found: OwnLevel | null): LevelName | null {
  return found && LEVELS[Math.round(Math.min(Math.max(found.place.value, 0), LEVELS.length - 1))]!;
}

/** Return the place after each game from the first on that says enough: a curve over time. */
export function curveOf(all: readonly Rating[]): number[] {
  const games = counted(all);
  return games.flatMap((_, at) =>
    at + 1 < ENOUGH ? [] : [placeOf(games.slice(Math.max(0, at + 1 - WINDOW), at + 1)).value],
  );
}

/**
 * Place what was lost among what each level would have lost in the same games and as many decisions. Games do not depend on each
 * other; their deviations from this place give the interval.
 */
function placeOf(games: readonly Rating[]): Interval {
  const means = games.map((each) => meansOf(each)!);
  const expected = (place: number, at: number): number => games[at]!.decisions * between(means[at]!, place);
  const total = (place: number): number => sum(games.map((_, at) => expected(place, at)));
  const lost = sum(games.map((each) => each.lost));
  const sums = LEVELS.map((_, place) => total(place));
  const value = placeIn(sums, lost);
  const spread = sum(games.map((each, at) => (each.lost - expected(value, at)) ** 2));
  const half = student(games.length) * Math.sqrt((spread * games.length) / (games.length - 1));
  return { value, low: placeIn(sums, lost + half), high: placeIn(sums, lost - half) };
}

/** Interpolate a list at a place; below the first entry along the first step. */
function between(list: readonly number[], place: number): number {
  const at = Math.min(Math.max(Math.floor(place), 0), list.length - 2);
  return list[at]! + (place - at) * (list[at + 1]! - list[at]!);
}

/** Return the place of a value in a falling list: at most the last one, and at most one step below the first. */
function placeIn(sums: readonly number[], value: number): number {
  const at = Math.min(Math.max(sums.findIndex((next) => next <= value) - 1, 0), sums.length - 2);
  const found = sums.every((next) => next > value)
    ? sums.length - 1
    : at + (sums[at]! - value) / (sums[at]! - sums[at + 1]!);
  return Math.max(-1, found);
}

/** The mean with its 95 % interval. */
function intervalOf(values: readonly number[]): Interval {
  const value = mean(values);
  const spread = sum(values.map((each) => (each - value) ** 2)) / (values.length - 1);
  const half = student(values.length) * Math.sqrt(spread / values.length);
  return { value, low: value - half, high: value + half };
}

function student(games: number): number {
  return STUDENT[games - 2] ?? 2;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}
