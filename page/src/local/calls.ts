/** What page and worker say to one another. */
import type { FromPage, FromServer, GameEntry, Opened, OpenTable, Replay, View, Why } from "../lib/protocol.ts";

/** What a seat sees of a game that is played elsewhere. */
export interface Sight {
  view: View;
  sheet: string;
  seat: number;
}

/** What the page may ask of the worker, and what it gets. */
export interface Calls {
  games(): Promise<GameEntry[]>;
  open(wish: OpenTable): Promise<Opened>;
  exists(code: string): Promise<boolean>;
  replay(code: string): Promise<Replay>;
  /** The game as a file: its record, and who sat where. */
  record(code: string): Promise<string>;
  /** Take a game in from such a file; `person` is what people are called whom it does not name. */
  take(file: string, person: string): Promise<{ code: string; isOver: boolean }>;
  remove(code: string): Promise<void>;
  /** Why a seat may not decide this; null if it may, or if what it sees is not enough to say. */
  why(sight: Sight, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null>;
  /** The cells that a decision would cross on the seat's own sheet. */
  preview(sight: Sight, action: string): Promise<string[]>;
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
