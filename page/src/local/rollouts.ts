/** Rollouts of a solitaire: its final score if the strongest bot plays on, many times, without blocking the worker. */
import type { Kernel } from "../engine/index.ts";
import type { SeatView } from "./workerMessages.ts";

const MASTER = "master";
/** The 95 % interval of a chance is at most 5 % to either side. */
export const GAMES = 400;
/** How long the worker computes without looking for messages, in milliseconds. */
const SLICE = 8;

/**
 * Return the final scores from the position of a view, with dice of fixed seeds; null if nobody waits for them any more, or if the
 * weights of the bot are missing. The dice are never those of the game: its random stream is not a part of the view.
 */
export async function finalScores(
  kernel: Kernel,
  { view, sheet, seat }: SeatView,
  isWanted: () => boolean,
): Promise<number[] | null> {
  const { variant } = view;
  await kernel.prepare(MASTER, variant, 1, sheet === variant ? undefined : sheet);
  const game = view.seats === 1 ? kernel.seen(view, sheet, seat) : null;
  if (!game || !isWanted()) return null;
  const scores: number[] = [];
  let since = performance.now();
  while (scores.length < GAMES) {
    scores.push(game.finalScore(MASTER, BigInt(scores.length + 1)));
    if (performance.now() - since < SLICE) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (!isWanted()) return null;
    since = performance.now();
  }
  return scores;
}
