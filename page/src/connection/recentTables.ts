/** The tables to come back to, of every host: running games first, then the latest first. */
import { canPlayLocally } from "../local/localHouse.ts";
import { type GameStore, openGameStore } from "../local/gameStore.ts";
import type { HostKind } from "../house.ts";
import { knownTables } from "./knownTables.ts";

export interface RecentTable {
  place: HostKind;
  code: string;
  variant: string;
  over: boolean;
  /** Whether the game has started, so that there is a record to save. */
  begun: boolean;
  at: number;
}

let known: RecentTable[] = [];

/** Return the tables as they were read last: the start page draws them at once, so that nothing moves later. */
export function firstTables(): RecentTable[] {
  return known;
}

export async function recentTables(): Promise<RecentTable[]> {
  const at = knownTables().map((table): RecentTable => ({
    ...table,
    place: "server",
    over: Boolean(table.over),
    begun: false,
  }));
  known = [...at, ...(await hereTables())].sort((a, b) => Number(a.over) - Number(b.over) || b.at - a.at);
  return known;
}

/** Reads the database directly: a list does not need the worker with the rules. */
let store: Promise<GameStore> | undefined;

async function hereTables(): Promise<RecentTable[]> {
  if (!canPlayLocally()) return [];
  store ??= openGameStore();
  const kept = await (await store).all().catch(() => []);
  return kept.map(({ code, at, room: { variant, stage } }) => ({
    place: "here",
    code,
    variant,
    at,
    over: stage === "over",
    begun: stage !== "lobby",
  }));
}
