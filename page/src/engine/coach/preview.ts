/** Previews for a seat: what a pass costs, which rows an action closes, whether it ends the game. */
import { isNothing } from "../text/actionText.ts";
import type { SeatState } from "../../protocol.ts";
import type { Words } from "../module.ts";
import type { Rules } from "../rules.ts";
import { alone } from "../text/stateFromView.ts";

interface Asked {
  seat: number;
  legal: string[];
  choice: string | null;
  /** Whether the game waits for no other seat. */
  isAlone: boolean;
}

/** Try every action on a copy, as if all others passed: the choices of others must not show. */
export function previewActions(rules: Rules, state: Words, { seat, legal, choice, isAlone }: Asked): SeatState {
  const told: SeatState = { legal, choice, passCost: 0, passMiss: false, closes: {}, ends: [] };
  const numbers = legal.length ? rules.module.legal(rules.at, state, seat) : [];
  const nothing = legal.filter(isNothing);
  // All actions that cross nothing have the same effect; while others still decide, none yet.
  if (nothing.length && isAlone) {
    tryOut(rules, state, seat, told, nothing[0]!, numbers[legal.indexOf(nothing[0]!)]!);
    if (told.ends.length) told.ends = nothing;
  }
  for (const [at, text] of legal.entries()) {
    if (!isNothing(text) && !text.startsWith("take:")) tryOut(rules, state, seat, told, text, numbers[at]!);
  }
  return told;
}

function tryOut(rules: Rules, state: Words, seat: number, told: SeatState, text: string, number: number): void {
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
