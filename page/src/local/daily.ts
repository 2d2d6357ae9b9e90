/** The daily game on this device: the score of the net player with the dice of a day. */
import { isRefusal, type Kernel } from "../engine/index.ts";
import type { GameEntry } from "../protocol.ts";
import { luckyOf, rollOf } from "../fair/dailyDice.ts";
import { Refused } from "./room.ts";

const MASTER = "master";

/** Return the score of `master` with a day's dice. Throws if its weights cannot be loaded. */
export async function masterScore(kernel: Kernel, game: GameEntry, date: string): Promise<number> {
  await kernel.prepare(MASTER, game.id, 1);
  const played = kernel.begin({ variant: game.id, seats: 1, first: 0, lucky: luckyOf(date, game.id, game.luckyPads) });
  if (isRefusal(played)) throw new Refused("bad-options");
  while (!played.isOver) {
    const found = played.awaitsChance
      ? played.setRoll(rollOf(date, played))
      : played.decide(0, played.choose(MASTER, 0));
    if (isRefusal(found)) throw new Refused(found.error);
  }
  return played.scores()[0]!;
}
