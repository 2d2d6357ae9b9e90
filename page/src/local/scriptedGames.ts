/** Scripted games, for lessons and puzzles. */
import { isRefusal, type Kernel, type LocalGame, type Refusal } from "../engine/index.ts";
import type { AnyEvent } from "../protocol.ts";
import type { Script } from "./workerMessages.ts";
import { Refused } from "./room.ts";

/** Play a script; return the game at its end, and the events of each step. Throws Refused if a step is not legal. */
export function played(kernel: Kernel, { start, steps }: Script): { game: LocalGame; events: AnyEvent[][] } {
  const game = done(kernel.stand(start));
  const events = steps.map((step) => {
    const [word = "", ...rest] = step.split(" ");
    return done(/^\d$/.test(word) ? game.decide(Number(word), rest.join(" ")) : game.setRoll(rest.join(" ")));
  });
  return { game, events };
}

function done<T>(found: T | Refusal): T {
  if (isRefusal(found)) throw new Refused("no-record");
  return found;
}
