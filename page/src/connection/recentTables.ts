/** The tables a reader may come back to, of every house: those that go on first, and the latest first. */
import { canPlayHere } from "../local/here.ts";
import { type Keeper, openKeeper } from "../local/keeper.ts";
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
  const at = recentTables().map((table): Recent => ({
    ...table,
    place: "server",
    over: Boolean(table.over),
    begun: false,
  }));
  return [...at, ...(await hereTables())].sort((a, b) => Number(a.over) - Number(b.over) || b.at - a.at);
}

/** What is kept is read as it lies there: a list needs no rules. */
let keeper: Promise<Keeper> | undefined;

async function hereTables(): Promise<Recent[]> {
  if (!canPlayHere()) return [];
  keeper ??= openKeeper();
  const kept = await (await keeper).all().catch(() => []);
  return kept.map(({ code, at, room: { variant, stage } }) => ({
    place: "here",
    code,
    variant,
    at,
    over: stage === "over",
    begun: stage !== "lobby",
  }));
}
