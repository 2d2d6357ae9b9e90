/** The tables a reader may come back to, of every house, the latest first. */
import { canPlayHere, here } from "../local/here.ts";
import type { Place } from "./house.ts";
import { recentTables } from "./memory.ts";

export interface Recent {
  place: Place;
  code: string;
  variant: string;
  over: boolean;
  /** Whether a game has begun, so that there is a record to save. */
  begun: boolean;
  at: number;
}

export async function recent(): Promise<Recent[]> {
  const at = recentTables().map((table): Recent => ({ ...table, place: "server", over: Boolean(table.over), begun: false }));
  return [...at, ...(await hereTables())].sort((a, b) => b.at - a.at);
}

async function hereTables(): Promise<Recent[]> {
  if (!canPlayHere()) return [];
  const found = await here.list().catch(() => []);
  return found.map(({ code, variant, at, stage }) => ({ place: "here", code, variant, at, over: stage === "over", begun: stage !== "lobby" }));
}
