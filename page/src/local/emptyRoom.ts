/** A room as tables without a server have it: nobody watches, nobody votes, and no dice are promised. */
import type { TableState } from "./protocol.ts";

type Facts = Pick<TableState, "code" | "variant" | "sheet" | "stage" | "host" | "mine" | "seats" | "options">;

export function plainRoom(facts: Facts & Partial<TableState>): TableState {
  return {
    t: "table",
    watchers: 0,
    next: null,
    voteAfter: 0,
    again: [],
    undo: null,
    promise: "",
    seed: "",
    day: "",
    hints: false,
    follows: false,
    ...facts,
  };
}
