/** The room message of a table without a server: no spectators, no votes, no promised dice. */
import type { TableState } from "../protocol.ts";

type Facts = Pick<TableState, "code" | "variant" | "sheet" | "stage" | "host" | "mine" | "seats" | "options">;

export function emptyRoom(facts: Facts & Partial<TableState>): TableState {
  return {
    t: "table",
    watchers: 0,
    next: null,
    voteAfter: 0,
    again: [],
    undo: null,
    promise: "",
    seed: "",
    nextPromise: "",
    day: "",
    hints: false,
    lateSeats: [],
    announces: false,
    follows: false,
    locked: false,
    joinCode: "",
    waiting: [],
    waits: [],
    leader: null,
    ...facts,
  };
}
