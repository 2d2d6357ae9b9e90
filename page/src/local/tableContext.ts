/** The parts that a local table needs from its host, the row that is stored of it, and its error messages. */
import type { Kernel } from "../engine/index.ts";
import type { Error as ErrorMessage, FromServer } from "../protocol.ts";
import type { Change } from "./core.ts";
import type { Dealer } from "./dealer.ts";
import type { GameStore, StoredGame } from "./gameStore.ts";
import type { Refused, Room } from "./room.ts";

export type Send = (message: FromServer) => void;

/** The result of a handler of a table: data to save, and then to send. */
export interface TableChange extends Partial<Change> {
  /** The room has to be saved and sent. */
  room?: boolean;
  /** The state of the game has to be saved and sent to all. */
  state?: boolean;
  /** The change comes from the store. */
  isStored?: boolean;
  /** A listener that gets the whole state with the past events, whether or not it has changed. */
  resync?: Send;
}

/** How long a local table waits, in seconds. */
export interface Delays {
  /** Before a bot decides, at the normal pace. */
  bot: number;
  /** After a decision of a person, before the next roll. */
  undo: number;
}

/** The parts that a table needs from its host. */
export interface TableContext {
  readonly kernel: Kernel;
  readonly store: GameStore;
  /** Notify the other tabs that a game has changed. */
  notifyTabs(code: string): void;
}

export function rowOf(room: Room, dealer: Dealer, count: number): StoredGame {
  return {
    code: room.code,
    room: structuredClone(room),
    record: dealer.record(),
    phase: dealer.phase,
    at: Date.now(),
    count,
  };
}

export function errorMessage({ code, rule, details }: Refused): ErrorMessage {
  const message: ErrorMessage = { t: "error", code };
  if (rule) message.rule = rule;
  if (details) message.details = details;
  return message;
}
