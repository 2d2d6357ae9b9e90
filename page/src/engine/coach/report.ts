/**
 * A game looked at again, as `qwixx.analyse` tells it: what every decision was worth, what luck did, and how both make up
 * the result. The words are those of the server and of `qwixx analyse --json`.
 */
import type { Grade, Measure } from "./grades.ts";

/** One legal action: what it would have left to its seat, and what it loses against the best. */
export interface Rated {
  action: string;
  value: number;
  points: number;
  loss: number;
}

/** What a seat decided, among all that it could have. */
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
  /** Whether the loss is smaller than the error of the values: then nobody can call it one. */
  close: boolean;
  source: Source;
  /** Best first. */
  choices: Rated[];
}

/** What one step, or all decisions of one window, did to each seat's value: luck, own and others' add up to the change. */
export interface Swing {
  /** The place of its last step in the record, from 0. */
  step: number;
  turn: number;
  /** `roll`, `deal`, `shuffle` or `draw`, else the phase in which seats decided. */
  kind: string;
  /** What chance did, empty for decisions. */
  text: string;
  values: number[];
  points: number[];
  luck: number[];
  own: number[];
  others: number[];
}

/** How a seat's value came from the beginning to the end: `start + luck + own + others` is `final`. */
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

/** How values were obtained. */
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
