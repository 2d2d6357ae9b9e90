/** Games that are set up by hand and played by a script: for lessons. */
import { isRefusal, type Kernel, type LocalGame, type Refusal } from "../kernel/index.ts";
import type { AnyEvent } from "../lib/protocol.ts";
import type { Script } from "./calls.ts";
import { Refused } from "./room.ts";

/** Play a script; gives the game where it ends, and what happened in each step. Throws Refused where it cannot be played. */
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
