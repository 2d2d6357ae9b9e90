/** Today's roll on this device: the player that has learned, on the dice of a day. */
import { isRefusal, type Kernel } from "../kernel/index.ts";
import type { GameEntry } from "../lib/protocol.ts";
import { luckyOf, rollOf } from "./recipe.ts";
import { Refused } from "./room.ts";

const MASTER = "master";

/** What the master makes of a day's dice. Throws where what it has learned cannot be had. */
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
