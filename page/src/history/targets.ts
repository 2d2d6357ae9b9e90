/**
 * Targets in solitaire: the points that a person wants to reach, and the chance of them. They are stored in localStorage.
 *
 * A target is the best score so far, which is to be beaten, unless the person has set another one.
 */
import * as storage from "../device/storage.ts";
import { results } from "./ownResults.ts";
import solved from "./scoreChances.json";

export interface Target {
  /** So many points reach it. */
  points: number;
  /** The best score that they beat; null if the person has set the target. */
  beats: number | null;
}

/** The chance of a target in simulated games, and half the width of its 95 % interval. */
export interface Chance {
  share: number;
  half: number;
}

const KEY = "qwixx.targets";
export const LEAST_TARGET = 1;
export const MOST_TARGET = 400;
/** The width of a 95 % interval, in standard errors. */
const Z = 1.96;

/** Return whether a number may be a target. */
export function isTarget(points: number): boolean {
  return Number.isInteger(points) && points >= LEAST_TARGET && points <= MOST_TARGET;
}

function kept(): Record<string, number> {
  try {
    const found = JSON.parse(storage.read(KEY) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(found).filter((entry): entry is [string, number] => isTarget(Number(entry[1]))),
    );
  } catch {
    return {}; // something else is stored
  }
}

/** Return the best solitaire of a game on this device; null without one. */
export function bestAlone(variant: string): number | null {
  const scores = results().flatMap((each) => (each.variant === variant && each.seats === 1 ? [each.score] : []));
  return scores.length ? Math.max(...scores) : null;
}

/** Return the target of a game; null without one. */
export function targetOf(variant: string): Target | null {
  const own = kept()[variant];
  if (own !== undefined) return { points: own, beats: null };
  const best = bestAlone(variant);
  return best === null ? null : { points: best + 1, beats: best };
}

/** Set the target of a game; null goes back to the best score. */
export function setTarget(variant: string, points: number | null): void {
  const { [variant]: _, ...others } = kept();
  storage.write(KEY, JSON.stringify(points === null ? others : { ...others, [variant]: points }));
}

export function deleteTargets(): void {
  storage.remove(KEY);
}

/** Return the exact chance in a new game with best play for the score; null if the game is not solved. */
export function exactChance(variant: string, points: number): number | null {
  const found = (solved.games as Record<string, { least: number; atLeast: number[] } | undefined>)[variant];
  if (!found) return null;
  const place = points - found.least;
  return place <= 0 ? 1 : (found.atLeast[place] ?? 0);
}

/** Return the share of simulated games that reach a target, with the interval of Wilson, which also holds near 0 and 1. */
export function chanceOf(scores: readonly number[], points: number): Chance {
  const games = scores.length;
  const share = scores.filter((score) => score >= points).length / games;
  const spread = Math.sqrt((share * (1 - share)) / games + Z ** 2 / (4 * games ** 2));
  return { share, half: (Z * spread) / (1 + Z ** 2 / games) };
}
