/** How a local table stands in its house: what it needs of it, what is kept of it, and how it is refused something. */
import type { Kernel } from "../kernel/index.ts";
import type { Error as ErrorMessage, FromServer } from "../lib/protocol.ts";
import type { Dealer } from "./dealer.ts";
import type { Keeper, Kept } from "./keeper.ts";
import type { Refused, Room } from "./room.ts";

export type Tell = (message: FromServer) => void;

/** What a table needs of the house it stands in. */
export interface Surroundings {
  readonly kernel: Kernel;
  readonly keeper: Keeper;
  /** Tell the other tabs that a game has moved on. */
  wrote(code: string): void;
}

export function rowOf(room: Room, dealer: Dealer, count: number): Kept {
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
