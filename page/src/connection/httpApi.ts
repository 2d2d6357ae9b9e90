/** The little HTTP that finds a table. */
import type { Analysis } from "../kernel/analysis.ts";
import type {
  Announcement,
  BeginDay,
  BegunDay,
  Brought,
  Catalogue,
  DayResult,
  Failure,
  GameEntry,
  Keeping,
  Opened,
  OpenTable,
  Reached,
  Replay,
  Today,
} from "./protocol.ts";

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

async function readText(path: string, init?: RequestInit): Promise<string> {
  return (await ask(path, init)).text();
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

/** Whether there is such a table. A server that refuses to say has not said no. */
export async function tableExists(code: string): Promise<boolean> {
  try {
    await ask(`/api/tables/${encodeURIComponent(code)}`);
  } catch (error) {
    if (error instanceof ServerError && error.code === "no-such-table") return false;
    throw error;
  }
  return true;
}

/** By which address friends reach the server. */
export function reach(): Promise<Reached> {
  return read("/api/reach");
}

/** Have the server listen on the network, too. */
export function openReach(): Promise<Reached> {
  return read("/api/reach", { method: "POST" });
}

/** What shows that seats are one's own: a day's game is told to nobody else before its time. */
function shown(tokens: readonly string[]): RequestInit {
  return tokens.length ? { headers: { authorization: `Bearer ${tokens.join(" ")}` } } : {};
}

/** What whoever runs the server has to say to everybody. */
export function announcement(): Promise<Announcement> {
  return read("/api/announcement");
}

/** What the server keeps for how long. */
export function keeping(): Promise<Keeping> {
  return read("/api/keeping");
}

/** Give a finished game step by step. */
export function replay(code: string, tokens: readonly string[]): Promise<Replay> {
  return read(`/api/tables/${encodeURIComponent(code)}/replay`, shown(tokens));
}

/** Give a finished game as its record. */
export async function record(code: string, tokens: readonly string[]): Promise<string> {
  return readText(`/api/tables/${encodeURIComponent(code)}/record`, shown(tokens));
}

/** Which day it is at the server, and how many have played. */
export function today(): Promise<Today> {
  return read("/api/days");
}

/** Begin, or come back to, this device's game of today. */
export function beginDay(wish: BeginDay): Promise<BegunDay> {
  return read("/api/days", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wish),
  });
}

/** Compare this device's score of a day with all others. */
export function dayResult(date: string, variant: string, device: string): Promise<DayResult> {
  return read(`/api/days/${date}/${variant}`, shown([device]));
}

/** Give what a finished game's decisions were worth, as the server says. */
export function analysis(code: string): Promise<Analysis> {
  return read(`/api/tables/${encodeURIComponent(code)}/analysis`);
}

/** Put a game on the server, from its record. */
export function bringRecord(text: string): Promise<Brought> {
  return read("/api/records", { method: "POST", headers: { "content-type": "text/plain" }, body: text });
}
