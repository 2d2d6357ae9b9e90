/** Messages between page and worker. */
import type { Counted, Paper } from "../engine/paperScore.ts";
import type { Losses } from "../engine/coach/hints.ts";
import type { Setup } from "../engine/setup.ts";
import type { BoardPosition, BoardValue } from "./analysisBoard.ts";
import type {
  Analysis,
  AnyEvent,
  FromPage,
  FromServer,
  GameEntry,
  SeatState,
  OpenedTable,
  OpenTable,
  Outcome,
  Reason,
  Replay,
  View,
  Why,
} from "../protocol.ts";
import type { Verdict } from "../fair/verify.ts";
import type { Delays } from "./tableContext.ts";

/** A game at a server as a seat sees it. */
export interface SeatView {
  view: View;
  sheet: string;
  seat: number;
}

/** A scripted game: a position line, and the steps since, as lines of a record. */
export interface Script {
  start: string;
  steps: string[];
}

/** The state of a scripted game for a seat. */
export interface ScriptState {
  view: View;
  mine: SeatState;
  /** The events of each step. */
  events: AnyEvent[][];
  outcome: Outcome | null;
}

/** The calls that the worker answers. */
export interface Calls {
  games(): Promise<GameEntry[]>;
  open(wish: OpenTable): Promise<OpenedTable>;
  /** Open a table for the daily game, with dice by the published recipe. */
  openDay(date: string, variant: string, name: string): Promise<OpenedTable>;
  /** Return the score of the bot `master` with the same dice; null if its weights cannot be loaded. */
  dayMaster(date: string, variant: string): Promise<number | null>;
  exists(code: string): Promise<boolean>;
  replay(code: string): Promise<Replay>;
  /** Return the game as a file: its record, and the players. */
  record(code: string): Promise<string>;
  /** Import a game from such a file; `person` is the name of people whom the file does not name. */
  take(file: string, person: string): Promise<{ code: string; isOver: boolean }>;
  remove(code: string): Promise<void>;
  /** Analyse a game, given as such a file: the value of every decision, and the luck. */
  analyse(file: string): Promise<Analysis>;
  /** Verify the record of a server's game: whether all chance follows from the promised seed. */
  verify(record: string, promise: string, seals: string[] | null): Promise<Verdict>;
  /** Continue from inside a game, after so many of its steps: a person at this seat, bots at all others. */
  continueFrom(file: string, steps: number, seat: number, person: string): Promise<OpenedTable>;
  /** Return the position inside a game, after so many of its steps, as a line. */
  positionIn(file: string, steps: number): Promise<string>;
  /** Set up a position of the analysis board, given as a line or in parts. */
  setUp(position: string | Setup): Promise<BoardPosition>;
  /** Return what a position is worth to a seat. */
  valueOf(line: string, seat: number): Promise<BoardValue>;
  /** Play on from a position: a person at this seat, bots at all others. */
  playFrom(line: string, seat: number, person: string): Promise<OpenedTable>;
  /** Return the reasons for and against each choice of a seat inside a game, after so many of its steps. */
  reasonsIn(file: string, steps: number, seat: number): Promise<Record<string, Reason[]>>;
  /** Return why a seat may not choose this action; null if it may, or if its view is not enough to tell. */
  why(sight: SeatView, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null>;
  /** Return the cells that a decision would cross on the seat's own sheet. */
  preview(sight: SeatView, action: string): Promise<string[]>;
  /** Return what each choice of a seat loses, from its view, or from a table of this device; null if nothing can judge it. */
  losses(sight: SeatView, here: string): Promise<Losses | null>;
  /** Return final scores of a solitaire if the strongest bot plays on; null if another request has come, or nobody can play. */
  finalScores(sight: SeatView): Promise<number[] | null>;
  /** Score paper sheets; null if the game is unknown. */
  count(paper: Paper): Promise<Counted | null>;
  /** Play a script to its end and return the state. */
  stand(script: Script, seat: number): Promise<ScriptState>;
  /** Return the reasons for and against each legal action of a seat at the end of a script. */
  reasons(script: Script, seat: number): Promise<Record<string, Reason[]>>;
  /** Return why a seat may not choose this action at the end of a script; null if it may. */
  whyInScript(script: Script, seat: number, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null>;
}

export type CallName = keyof Calls;

export type ToWorker =
  | { k: "call"; id: number; name: CallName; args: unknown[] }
  | { k: "join"; line: number; code: string; delays: Delays }
  | { k: "say"; line: number; message: FromPage }
  | { k: "leave"; line: number };

export type FromWorker =
  | { k: "answer"; id: number; value: unknown }
  /** The call was refused: a code, or empty for an unexpected error. */
  | { k: "refused"; id: number; code: string; details?: Record<string, number | string> }
  | { k: "tell"; line: number; message: FromServer }
  /** The rules cannot be loaded here. */
  | { k: "broken" };
