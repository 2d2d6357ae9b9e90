/** A hint for a seat: its legal choices, best first, with what each is worth and why, as `qwixx.coach.hints` ranks them. */
import type { Hint, RankedChoice, Reason } from "../../protocol.ts";
import { ranked, type Moment } from "./analyse.ts";
import { type Grading, isClose, type Measure } from "./grades.ts";

/** The only reason that is not about the game: the choice is too close to the best one to call it worse. */
const CLOSE_CALL = "close-call";
const DIGITS = 1e4;
const POINT_DIGITS = 10;

/** Rank the rated choices of a seat. */
export function hintOf(
  judged: Moment,
  grading: Grading,
  reasons: Map<string, Reason[]>,
  seat: number,
): Omit<Hint, "t" | "phase"> {
  const measure: Measure = judged.values.length > 1 ? "win" : "points";
  const choices = ranked(judged.choices?.get(seat) ?? [], seat).map(({ action, value, points, loss }): RankedChoice => {
    const close = isClose(grading, measure, loss, grading.error) ? [{ kind: CLOSE_CALL }] : [];
    return {
      action,
      value: rounded(value),
      points: Math.round(points * POINT_DIGITS) / POINT_DIGITS,
      loss: rounded(loss),
      reasons: [...(reasons.get(action) ?? []), ...close],
    };
  });
  return { seat, source: "learned", measure, choices };
}

/** What each choice of a seat loses, and how exact that is. */
export interface Losses {
  measure: Measure;
  grading: Grading;
  /** By action. */
  losses: Record<string, number>;
}

export function lossesOf(judged: Moment, grading: Grading, seat: number): Losses {
  const choices = ranked(judged.choices?.get(seat) ?? [], seat);
  return {
    measure: judged.values.length > 1 ? "win" : "points",
    grading,
    losses: Object.fromEntries(choices.map(({ action, loss }) => [action, loss])),
  };
}

function rounded(value: number): number {
  return Math.round(value * DIGITS) / DIGITS;
}
