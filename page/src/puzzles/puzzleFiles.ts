/** The puzzles of each game, from `src/qwixx/puzzles/positions`. */
import games from "puzzles:loaders";

/** One decision with a clearly best choice. */
export interface Puzzle {
  /** As the seat that decides sees it. */
  position: string;
  seat: number;
  theme: string;
  /** Whether a heuristic does not find the best choice. */
  tricky: boolean;
  /** All legal actions, best first, with win probability and expected points. */
  choices: [action: string, chance: number, points: number][];
  /** Half the width of the 95 % confidence interval of the loss of the second best choice. */
  interval: number;
}

/** The games that have puzzles. */
export const TRAINED: readonly string[] = Object.keys(games);

/** Themes in the order in which they are offered. */
export const THEMES = ["skip", "row", "close", "miss", "draw", "play", "capture"] as const;

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
