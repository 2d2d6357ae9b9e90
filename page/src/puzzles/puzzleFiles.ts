/** Positions to train with, a game at a time: `src/qwixx/analysis/training` as the build makes modules of it. */
import games from "training:games";

/** One decision with a clearly best choice. */
export interface Puzzle {
  /** As the seat that decides sees it. */
  position: string;
  seat: number;
  theme: string;
  /** Whether a rule of thumb does not find it. */
  tricky: boolean;
  /** All legal actions, best first, with the chance of winning and the points expected. */
  choices: [action: string, chance: number, points: number][];
  /** Half the width of the 95 % interval of what the second best loses. */
  interval: number;
}

/** The games that have positions to train with. */
export const TRAINED: readonly string[] = Object.keys(games);

/** Themes in the order in which they are offered. */
export const THEMES = ["skip", "row", "close", "miss", "draw", "play", "capture"] as const;

/** Fetch the positions of a game. */
export async function puzzlesOf(game: string): Promise<Puzzle[]> {
  const load = games[game];
  if (!load) throw new Error("404");
  return (await load()).default;
}

/** A short name for a puzzle, which stays when others are added. */
export function idOf({ position, seat }: Puzzle): string {
  let hash = 2_166_136_261;
  for (const letter of `${position} ${seat}`) hash = Math.imul(hash ^ letter.charCodeAt(0), 16_777_619) >>> 0;
  return hash.toString(36);
}
