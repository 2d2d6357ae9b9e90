/** The little HTTP that finds a table. */
import type { Catalogue, GameEntry, Opened, OpenTable, Replay } from "./protocol.ts";

async function read<T>(path: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(path, init);
  if (!answer.ok) throw new Error(String(answer.status));
  return (await answer.json()) as T;
}

let catalogue: Promise<GameEntry[]> | undefined;

/** Give every game with its layouts; asked once. */
export function games(): Promise<GameEntry[]> {
  catalogue ??= read<Catalogue>("/api/games").then((answer) => answer.games);
  catalogue.catch(() => (catalogue = undefined)); // a server that was away is asked again
  return catalogue;
}

/** Give one game. */
export async function game(id: string): Promise<GameEntry> {
  const found = (await games()).find((entry) => entry.id === id);
  if (!found) throw new Error("404");
  return found;
}

/** Open a table; with a name the caller sits down at once. */
export function openTable(wish: OpenTable): Promise<Opened> {
  const body = JSON.stringify(wish);
  return read("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body });
}

/** Whether there is such a table. */
export async function tableExists(code: string): Promise<boolean> {
  return (await fetch(`/api/tables/${encodeURIComponent(code)}`)).ok;
}

/** Give a finished game step by step. */
export function replay(code: string): Promise<Replay> {
  return read(`/api/tables/${encodeURIComponent(code)}/replay`);
}

/** Give a rule page as Markdown. */
export async function rules(variant: string, language: string): Promise<string> {
  const answer = await fetch(`/api/rules/${encodeURIComponent(variant)}?lang=${language}`);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}
