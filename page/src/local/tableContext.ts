/** What a local table needs from its host, the row that is stored of it, and its error messages. */
import type { Kernel } from "../engine/index.ts";
import type { Error as ErrorMessage, FromServer } from "../protocol.ts";
import type { Dealer } from "./dealer.ts";
import type { GameStore, StoredGame } from "./gameStore.ts";
import type { Refused, Room } from "./room.ts";

export type Send = (message: FromServer) => void;

/** What a table needs from its host. */
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
