/** What page and worker say to one another. */
import type { Analysis } from "../kernel/analysis.ts";
import type { Counted, Paper } from "../kernel/counting.ts";
import type {
  AnyEvent,
  FromPage,
  FromServer,
  GameEntry,
  Mine,
  Opened,
  OpenTable,
  Outcome,
  Reason,
  Replay,
  View,
  Why,
} from "../lib/protocol.ts";
import type { Verdict } from "./fair.ts";

/** What a seat sees of a game that is played elsewhere. */
export interface Sight {
  view: View;
  sheet: string;
  seat: number;
}

/** A game that is set up by hand: a position line, and what was done since, as lines of a record. */
export interface Script {
  start: string;
  steps: string[];
}

/** Where such a game stands for a seat. */
export interface Standing {
  view: View;
  mine: Mine;
  /** What happened in each of the steps. */
  events: AnyEvent[][];
  outcome: Outcome | null;
}

/** What the page may ask of the worker, and what it gets. */
export interface Calls {
  games(): Promise<GameEntry[]>;
  open(wish: OpenTable): Promise<Opened>;
  /** Open a table for the roll of a day, by the published recipe. */
  openDay(date: string, variant: string, name: string): Promise<Opened>;
  /** What the master makes of the same dice; null where what it has learned cannot be had. */
  dayMaster(date: string, variant: string): Promise<number | null>;
  exists(code: string): Promise<boolean>;
  replay(code: string): Promise<Replay>;
  /** The game as a file: its record, and who sat where. */
  record(code: string): Promise<string>;
  /** Take a game in from such a file; `person` is what people are called whom it does not name. */
  take(file: string, person: string): Promise<{ code: string; isOver: boolean }>;
  remove(code: string): Promise<void>;
  /** Say of a game, given as such a file, what every decision was worth and what luck did. */
  analyse(file: string): Promise<Analysis>;
  /** Say of a server's game, given as its record, whether all its chance follows from what was promised. */
  verify(record: string, promise: string): Promise<Verdict>;
  /** Play on from within a game, after so many of its steps: a person on this seat, bots on all others. */
  playOn(file: string, steps: number, seat: number, person: string): Promise<Opened>;
  /** Why a seat may not decide this; null if it may, or if what it sees is not enough to say. */
  why(sight: Sight, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null>;
  /** The cells that a decision would cross on the seat's own sheet. */
  preview(sight: Sight, action: string): Promise<string[]>;
  /** Count sheets of paper; null if they are not of a game that is known here. */
  count(paper: Paper): Promise<Counted | null>;
  /** Play a script to its end. */
  stand(script: Script, seat: number): Promise<Standing>;
  /** What speaks for and against each legal action of a seat where a script ends. */
  reasons(script: Script, seat: number): Promise<Record<string, Reason[]>>;
  /** Why a seat may not decide this where a script ends; null if it may. */
  whyThere(script: Script, seat: number, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null>;
}

export type CallName = keyof Calls;

export type ToWorker =
  | { k: "call"; id: number; name: CallName; args: unknown[] }
  | { k: "join"; line: number; code: string; pace: number }
  | { k: "say"; line: number; message: FromPage }
  | { k: "leave"; line: number };

export type FromWorker =
  | { k: "answer"; id: number; value: unknown }
  /** The call was refused: a code, or empty if something went wrong. */
  | { k: "refused"; id: number; code: string; details?: Record<string, number | string> }
  | { k: "tell"; line: number; message: FromServer }
  /** The rules cannot be loaded here. */
  | { k: "broken" };
