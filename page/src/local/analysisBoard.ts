/** The analysis board: positions set up by hand or taken from a game, their values, and games that start there. */
import { whiteSums, type WhiteSum } from "../engine/coach/whiteSums.ts";
import { isRefusal, type Kernel, type LocalGame } from "../engine/index.ts";
import type { Problem, Setup } from "../engine/setup.ts";
import type { Hint, View } from "../protocol.ts";
import { Refused } from "./room.ts";

/** A position on the board. */
export interface BoardPosition {
  /** Its line; it carries the position in a link. */
  line: string;
  setup: Setup;
  problems: Problem[];
  /** With everything that is hidden. */
  view: View;
  deciders: number[];
  /** The legal actions of each seat. */
  legal: string[][];
  /** The cards of the deck; empty in games with dice. */
  deck: string[];
}

/** What a position is worth to a seat. */
export interface BoardValue {
  measure: Hint["measure"];
  source: Hint["source"];
  /** The value of the position to every seat, and the points that it expects. */
  values: number[];
  points: number[];
  /** The choices of the seat, best first; empty if it does not decide. */
  choices: Hint["choices"];
  /** Before a roll: what each white sum would bring. */
  sums: WhiteSum[];
}

/** The record of a game that starts at a position. */
const FIRST_LINE = "qwixx record 1";

/** Set up a position, given as a line or in parts. Throws Refused for texts that mean nothing. */
export function boardPosition(kernel: Kernel, position: string | Setup): BoardPosition {
  const found = kernel.setUp(position);
  if (!found) throw new Refused("unreadable");
  const { setup, problems, game } = found;
  const { variant, sheet, seats } = game;
  const begun = kernel.begin({ variant, seats, sheet: sheet === variant ? undefined : sheet, first: 0, seed: 0n });
  const isCards = !isRefusal(begun) && begun.awaitsChance && begun.phase === "deal";
  return {
    line: game.position(),
    setup,
    problems,
    view: game.reveal(),
    deciders: problems.length ? [] : game.deciders(),
    legal: Array.from({ length: seats }, (_, seat) => (problems.length ? [] : game.legal(seat))),
    deck: isCards ? begun.cards() : [],
  };
}

/** Return what a position is worth to a seat. Throws Refused if nothing can judge it. */
export async function boardValue(kernel: Kernel, line: string, seat: number): Promise<BoardValue> {
  const game = possible(kernel, line);
  const { variant, seats, sheet } = game;
  const isKnown = await kernel.learn(variant, seats, sheet === variant ? undefined : sheet).catch((error: unknown) => {
    console.warn(error);
    throw new Refused("no-weights");
  });
  const judged = isKnown && game.judged();
  if (!judged) throw new Refused("no-judge");
  const hint = game.awaitsChance || game.isOver ? null : game.hint(seat);
  return {
    measure: seats > 1 ? "win" : "points",
    source: "learned",
    values: judged.values,
    points: judged.points,
    choices: hint?.choices ?? [],
    sums: whiteSums(game, seat),
  };
}

/** Return a game that starts at a position, with new dice. */
export function gameFrom(kernel: Kernel, line: string): LocalGame {
  const { variant, isOver } = possible(kernel, line);
  const game = kernel.replay(`${FIRST_LINE}\nstart ${line}\n`);
  if (isOver || isRefusal(game)) throw new Refused("not-now", variant);
  return game;
}

function possible(kernel: Kernel, line: string): LocalGame {
  const found = kernel.setUp(line);
  if (!found || found.problems.length) throw new Refused("unreadable");
  return found.game;
}
