/** The level of bots that matches the person's play, as it was measured last: the start page needs no more of it. */
import * as storage from "../device/storage.ts";

/** The choice of bots that match. */
export const MATCHING = "match";
/** Fewer games say nothing. */
export const ENOUGH = 8;
const KEY = "qwixx.matched";

/** Return the level; null before enough games. */
export function matchedLevel(): string | null {
  return storage.read(KEY);
}

export function keepMatch(level: string | null): void {
  if (level === null) storage.remove(KEY);
  else storage.write(KEY, level);
}
