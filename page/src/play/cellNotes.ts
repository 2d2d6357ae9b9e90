/**
 * Notes on lit cells: which dice add up to them, what a pawn would do there.
 *
 * A note explains an action that the rules offer; it never adds one. A cell that no dice explain has no note.
 */
import { diceOf, split } from "../engine/text/actionText.ts";
import { TABLE, type Layout, type View } from "../protocol.ts";

/** The dice of a roll as they lie: two white, then red, yellow, green, blue. */
export const DICE = TABLE.dice;

export interface CellNote {
  /** The dice that add up to it, by their place in the roll. */
  dice: number[];
  /** Such as "4+6" for a white and a colored die; empty for the white sum, which is shown beside the dice. */
  sum: string;
  /** Whether a lucky number lights it, not the sum. */
  lucky: boolean;
  /** In the duel: what a pawn would do there. */
  deed: "place" | "capture" | "stack" | null;
}

export function cellNotesOf(layout: Layout, view: View, seat: number, lit: Iterable<string>): Map<string, CellNote> {
  return new Map([...lit].map((cell) => [cell, cellNoteOf(layout, view, seat, cell)]));
}

function cellNoteOf(layout: Layout, view: View, seat: number, cell: string): CellNote {
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

function deedOf(view: View, seat: number, key: string, value: number): CellNote["deed"] {
  const owner = view.sheets.find((sheet) => sheet.rows.some((row) => row.key === key && row.crosses.includes(value)));
  if (!owner) return "place";
  return owner.seat === seat ? "stack" : "capture";
}

/** Return the id of the text that says what a seat has to do now. */
export function statusId(view: View, seat: number, sum: number): string {
  const sheet = view.sheets[seat];
  const isDuel = sheet?.pawnsLeft != null;
  if (isDuel && (view.phase === "white" || view.phase === "color")) return `status.duel.${view.phase}`;
  if (view.phase === "white" && sheet?.lucky.includes(sum)) return "status.lucky";
  return view.phase === "white" && view.active === seat ? "status.white.mine" : `status.${view.phase}`;
}
