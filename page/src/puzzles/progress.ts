/** The progress in puzzles: solved ones, failed ones, streaks; stored on this device. */

import * as storage from "../device/storage.ts";

export interface Progress {
  /** Names of puzzles whose last answer was right. */
  solved: string[];
  /** Names of those whose last answer was wrong. */
  again: string[];
  /** The streak of right answers, current and longest. */
  streak: number;
  longest: number;
}

const KEY = "qwixx.training";
const MOST = 1_000;

function load(): Record<string, Partial<Progress>> {
  try {
    const kept: unknown = JSON.parse(storage.read(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, Partial<Progress>>) : {};
  } catch {
    return {}; // storage is blocked or holds something else
  }
}

/** Return the progress of a game; invalid stored data is ignored. */
export function progressIn(game: string): Progress {
  const found = load()[game] ?? {};
  const names = (list: unknown): string[] =>
    Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
  const count = (number: unknown): number =>
    Number.isInteger(number) && (number as number) > 0 ? (number as number) : 0;
  return {
    solved: names(found.solved),
    again: names(found.again),
    streak: count(found.streak),
    longest: count(found.longest),
  };
}

/** Store an answer and return the new progress. */
export function noteAnswer(game: string, id: string, isRight: boolean): Progress {
  const before = progressIn(game);
  const others = (list: string[]): string[] => list.filter((each) => each !== id);
  const streak = isRight ? before.streak + 1 : 0;
  const after = {
    solved: [...others(before.solved), ...(isRight ? [id] : [])].slice(-MOST),
    again: [...others(before.again), ...(isRight ? [] : [id])].slice(-MOST),
    streak,
    longest: Math.max(before.longest, streak),
  };
  // Without storage the progress lasts as long as the page; nothing else is lost.
  storage.write(KEY, JSON.stringify({ ...load(), [game]: after }));
  return after;
}
