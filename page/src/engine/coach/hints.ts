/** A hint for a seat: its legal choices, best first, with what each is worth and why, as `qwixx.analysis.hint` ranks them. */
import type { Advised, Hint, Reason } from "../lib/protocol.ts";
import type { Moment } from "./analysing.ts";
import { type Grading, isClose, type Measure } from "./grades.ts";

/** The one reason that is no fact about the game: nobody can say that the choice is worse than the best. */
const CLOSE_CALL = "close-call";
const DIGITS = 1e4;

/** Rank what was judged for a seat. */
export function hintOf(
  judged: Moment,
  grading: Grading,
  reasons: Map<string, Reason[]>,
  seat: number,
): Omit<Hint, "t" | "phase"> {
  const measure: Measure = judged.values.length > 1 ? "win" : "points";
  const weights = judged.choices?.get(seat) ?? [];
  const best = Math.max(...weights.map(({ values }) => values[seat]!));
  const choices = weights.map(({ action, values }): Advised => {
    const loss = best - values[seat]!;
    const close = isClose(grading, measure, loss, grading.errors[measure]) ? [{ kind: CLOSE_CALL }] : [];
    return { action, value: rounded(values[seat]!), loss, reasons: [...(reasons.get(action) ?? []), ...close] };
  });
  choices.sort((one, other) => one.loss - other.loss);
  for (const each of choices) each.loss = rounded(each.loss);
  return { seat, source: "learned", measure, choices };
}

function rounded(value: number): number {
  return Math.round(value * DIGITS) / DIGITS;
}
