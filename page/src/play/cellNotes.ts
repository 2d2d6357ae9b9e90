/**
 * What the screen says about cells that are lit: which dice add up to them, what a pawn would do there.
 *
 * It explains what the rules have offered and offers nothing itself: a cell that no dice explain simply has no hint.
 */
import { diceOf, split } from "./actions.ts";
import type { Layout, View } from "./protocol.ts";

/** The dice of a roll as they lie: two white, then red, yellow, green, blue. */
export const DICE = ["w", "w", "r", "y", "g", "b"] as const;

export interface Hint {
  /** The dice that make it, by their place in the roll. */
  dice: number[];
  /** "4+6" where one has to look for the dice; the white sum stands beside them. */
  sum: string;
  /** It is lit by a lucky number, not by the sum. */
  lucky: boolean;
  /** In the duel: what a pawn does there. */
  deed: "place" | "capture" | "stack" | null;
}

export function hintsOf(layout: Layout, view: View, seat: number, lit: Iterable<string>): Map<string, Hint> {
  return new Map([...lit].map((cell) => [cell, hintOf(layout, view, seat, cell)]));
}

function hintOf(layout: Layout, view: View, seat: number, cell: string): Hint {
  const { key, value } = split(cell);
  const color = layout.rows.find((row) => row.key === key)?.cells.find((each) => each.value === value)?.color ?? "";
  const faces = diceOf(view.dice).map((face) => face ?? NaN);
  const deed = layout.pawns ? deedOf(view, seat, key, value) : null;
  if (view.phase === "white") {
    const [first = NaN, second = NaN] = faces;
    return { dice: [0, 1], sum: "", lucky: first + second !== value, deed };
  }
  const die = DICE.lastIndexOf(color as (typeof DICE)[number]);
  const white = view.phase === "color" ? [0, 1].find((each) => faces[each]! + faces[die]! === value) : undefined;
  if (white === undefined) return { dice: [], sum: "", lucky: false, deed };
  return { dice: [white, die], sum: `${faces[white]}+${faces[die]}`, lucky: false, deed };
}

function deedOf(view: View, seat: number, key: string, value: number): Hint["deed"] {
  const owner = view.sheets.find((sheet) => sheet.rows.some((row) => row.key === key && row.crosses.includes(value)));
  if (!owner) return "place";
  return owner.seat === seat ? "stack" : "capture";
}

/** The words for what is asked of a seat now. */
export function askedId(view: View, seat: number, sum: number): string {
  const sheet = view.sheets[seat];
  const isDuel = sheet?.pawnsLeft != null;
  if (isDuel && (view.phase === "white" || view.phase === "color")) return `status.duel.${view.phase}`;
  if (view.phase === "white" && sheet?.lucky.includes(sum)) return "status.lucky";
  return view.phase === "white" && view.active === seat ? "status.white.mine" : `status.${view.phase}`;
}
