/** What is said before a seat decides: what crossing nothing costs, which rows an action closes, whether it ends the game. */
import { isNothing } from "../lib/actions.ts";
import type { Mine } from "../lib/protocol.ts";
import type { Words } from "./module.ts";
import type { Rules } from "./rules.ts";
import { alone } from "./seen.ts";

interface Asked {
  seat: number;
  legal: string[];
  choice: string | null;
  /** Whether nobody else is waited for. */
  isAlone: boolean;
}

/** Find it out by trying everything on copies, as if everybody else passed: what others have chosen must not show. */
export function foretell(rules: Rules, state: Words, { seat, legal, choice, isAlone }: Asked): Mine {
  const told: Mine = { legal, choice, passCost: 0, passMiss: false, closes: {}, ends: [] };
  const numbers = legal.length ? rules.module.legal(rules.at, state, seat) : [];
  const nothing = legal.filter(isNothing);
  // Whatever crosses nothing leads to the same; while others are waited for, to nothing yet.
  if (nothing.length && isAlone) {
    tryOut(rules, state, seat, told, nothing[0]!, numbers[legal.indexOf(nothing[0]!)]!);
    if (told.ends.length) told.ends = nothing;
  }
  for (const [at, text] of legal.entries()) {
    if (!isNothing(text) && !text.startsWith("take:")) tryOut(rules, state, seat, told, text, numbers[at]!);
  }
  return told;
}

function tryOut(rules: Rules, state: Words, seat: number, told: Mine, text: string, number: number): void {
  const { module, at } = rules;
  const twin = state.slice();
  alone(rules, twin, seat);
  module.decide(at, twin, seat, number);
  const notes = module.notes();
  const events = rules.events.tell(notes, "");
  const rows = events.flatMap((event) => (event.e === "locked" && event.seat === seat ? [event.row] : []));
  if (rows.length) told.closes[text] = rows;
  if (events.some((event) => event.e === "over")) told.ends.push(text);
  if (!isNothing(text) || !rules.events.isMissed(notes, seat)) return;
  told.passMiss = true;
  told.passCost = module.score(at, state, seat) - module.score(at, twin, seat);
}
