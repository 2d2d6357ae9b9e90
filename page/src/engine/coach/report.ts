/**
 * Types of an analysis, as `qwixx.analyse` returns it: the value of every decision, the luck, and how both make up the result.
 * The names are those of the server and of `qwixx analyse --json`.
 */
import type { Grade, Measure } from "./grades.ts";

/** A legal action: its value for the seat, and its loss against the best one. */
export interface Rated {
  action: string;
  value: number;
  points: number;
  loss: number;
}

/** A decision of a seat, with all alternatives. */
export interface Decision {
  /** The place of the decision among the steps of the record, from 0. */
  step: number;
  turn: number;
  seat: number;
  phase: string;
  chosen: string;
  best: string;
  loss: number;
  grade: Grade;
  /** Whether the loss is smaller than the error of the values, so that it may be none. */
  close: boolean;
  source: Source;
  /** Best first. */
  choices: Rated[];
}

/** The change of each seat's value by a step, or by all decisions of a window: luck, own and others add up to it. */
export interface Swing {
  /** The place of its last step in the record, from 0. */
  step: number;
  turn: number;
  /** `roll`, `deal`, `shuffle` or `draw`, else the phase in which seats decided. */
  kind: string;
  /** The roll or cards; empty for decisions. */
  text: string;
  values: number[];
  points: number[];
  luck: number[];
  own: number[];
  others: number[];
}

/** The sums for a seat over the game: `start + luck + own + others` is `final`. */
export interface Account {
  seat: number;
  start: number;
  luck: number;
  own: number;
  others: number;
  final: number;
  /** From 0 to 100, null if there was nothing to choose. */
  accuracy: number | null;
  grades: Record<Grade, number>;
}

/** How values were computed. */
export type Source = "exact" | "learned" | "rollouts" | "played on";

export interface Analysis {
  variant: string;
  seats: number;
  measure: Measure;
  by: string;
  source: Source;
  error: number;
  start: number[];
  start_points: number[];
  /** The points at the end, null if the record stops before. */
  scores: number[] | null;
  accounts: Account[];
  swings: Swing[];
  decisions: Decision[];
}
