/** Grades of decisions, such as "mistake" and "blunder"; names and thresholds come from Python (`qwixx.coach.grades`). */

import type { Analysis, Decision } from "../../protocol.ts";

/** The unit of values: win probability, or points in solitaire. */
export type Measure = Analysis["measure"];
export type Grade = Decision["grade"];

export interface Grading {
  /** The error of the difference of two values, as measured for the game and its number of seats. */
  error: number;
  /** From good to bad. */
  grades: Grade[];
  /** The smallest loss of each grade. */
  thresholds: Record<Measure, Partial<Record<Grade, number>>>;
  /** A smaller loss counts as none. */
  nothing: Record<Measure, number>;
  /** The loss at which a decision counts half in the accuracy. */
  half: Grade;
}

/** Return the grade of a loss. A loss below the error of the values is no mistake: it may not even be a loss. */
export function gradeOf({ nothing, thresholds }: Grading, measure: Measure, loss: number, error: number): Grade {
  if (loss < nothing[measure]) return "best";
  let found: Grade = "good";
  for (const [name, least] of Object.entries(thresholds[measure])) {
    if (loss >= Math.max(least, error)) found = name as Grade;
  }
  return found;
}

/** Return whether a decision is too close to the best one to call it worse. */
export function isClose({ nothing }: Grading, measure: Measure, loss: number, error: number): boolean {
  return nothing[measure] <= loss && loss < error;
}

/** Return the accuracy: 100 if nothing was lost, less for larger losses; null without any choice. */
export function accuracyOf({ thresholds, half }: Grading, measure: Measure, losses: number[]): number | null {
  if (!losses.length) return null;
  const least = thresholds[measure][half]!;
  return (100 * losses.reduce((sum, loss) => sum + 0.5 ** (loss / least), 0)) / losses.length;
}
