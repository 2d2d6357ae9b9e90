/** The little HTTP that finds a table. */
import type { Brought, Catalogue, Failure, GameEntry, Opened, OpenTable, Reached, Replay } from "./protocol.ts";

/** A request that was refused: its status, and the server's code for why if it sent one. */
export class ServerError extends Error {
  constructor(
    status: number,
    readonly code: string,
  ) {
    super(String(status));
  }
}

async function ask(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(path, init);
  if (answer.ok) return answer;
  const { code } = (await answer.json().catch(() => ({ code: "" }))) as Failure;
  throw new ServerError(answer.status, code);
}

async function read<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await ask(path, init)).json()) as T;
}

async function readText(path: string): Promise<string> {
  return (await ask(path)).text();
}

let catalogue: Promise<GameEntry[]> | undefined;

/** Give every game with its layouts; asked once. */
export function games(): Promise<GameEntry[]> {
  catalogue ??= read<Catalogue>("/api/games").then((answer) => answer.games);
  catalogue.catch(() => (catalogue = undefined)); // a server that was away is asked again
  return catalogue;
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

/** By which address friends reach the server. */
export function reach(): Promise<Reached> {
  return read("/api/reach");
}

/** Have the server listen on the network, too. */
export function openReach(): Promise<Reached> {
  return read("/api/reach", { method: "POST" });
}

/** Give a finished game step by step. */
export function replay(code: string): Promise<Replay> {
  return read(`/api/tables/${encodeURIComponent(code)}/replay`);
}

/** Give a finished game as its record. */
export async function record(code: string): Promise<string> {
  return readText(`/api/tables/${encodeURIComponent(code)}/record`);
}

/** Put a game on the server, from its record. */
export function bringRecord(text: string): Promise<Brought> {
  return read("/api/records", { method: "POST", headers: { "content-type": "text/plain" }, body: text });
}
