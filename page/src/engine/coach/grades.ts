/** How bad a decision was, in a word; what is called what comes from Python (`qwixx.analysis.grades`). */

/** The chance of winning, or alone points. */
export type Measure = "win" | "points";
export type Grade = "best" | "good" | "slip" | "mistake" | "blunder";

export interface Grading {
  /** How far the difference of two choices may be off. */
  errors: Record<Measure, number>;
  /** From good to bad. */
  grades: Grade[];
  /** What a decision loses at least to be called so. */
  thresholds: Record<Measure, Partial<Record<Grade, number>>>;
  /** A smaller loss is none. */
  nothing: Record<Measure, number>;
  /** A decision that loses as much as this one at least counts half. */
  half: Grade;
}

/** Name a loss. One below the error of the values is no mistake: it may not even be a loss. */
export function gradeOf({ nothing, thresholds }: Grading, measure: Measure, loss: number, error: number): Grade {
  if (loss < nothing[measure]) return "best";
  let found: Grade = "good";
  for (const [name, least] of Object.entries(thresholds[measure])) {
    if (loss >= Math.max(least, error)) found = name as Grade;
  }
  return found;
}

/** Whether nobody can say that a decision was worse than the best. */
export function isClose({ nothing }: Grading, measure: Measure, loss: number, error: number): boolean {
  return nothing[measure] <= loss && loss < error;
}

/** 100 for decisions that lost nothing, and less the more they lost; null where there was nothing to choose. */
export function accuracyOf({ thresholds, half }: Grading, measure: Measure, losses: number[]): number | null {
  if (!losses.length) return null;
  const least = thresholds[measure][half]!;
  return (100 * losses.reduce((sum, loss) => sum + 0.5 ** (loss / least), 0)) / losses.length;
}
