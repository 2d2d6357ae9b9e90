/** The puzzles of each game, from `src/qwixx/puzzles/positions`. */
import games from "puzzles:loaders";
import type { Puzzle } from "../protocol.ts";

/** The games that have puzzles. */
export const TRAINED: readonly string[] = Object.keys(games);

/** Themes in the order in which they are offered. */
export const THEMES = ["skip", "row", "close", "miss", "draw", "play", "capture"] as const satisfies Puzzle["theme"][];

/** Load the puzzles of a game. */
export async function puzzlesOf(game: string): Promise<Puzzle[]> {
  const load = games[game];
  if (!load) throw new Error("404");
  return (await load()).default;
}

/** Return a stable id of a puzzle (a hash): it does not change when other puzzles are added. */
export function idOf({ position, seat }: Puzzle): string {
  let hash = 2_166_136_261;
  for (const letter of `${position} ${seat}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash.toString(36);
}
