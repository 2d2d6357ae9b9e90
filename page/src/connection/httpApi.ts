/** The HTTP API of the server. */
import type {
  Analysis,
  Announcement,
  BeginDay,
  BegunDay,
  Catalogue,
  DayChoices,
  DayResult,
  Failure,
  GameEntry,
  ImportedGame,
  OpenedTable,
  OpenTable,
  PublicLink,
  Replay,
  RetentionInfo,
  TableSummary,
  Today,
} from "../protocol.ts";
import { atServer } from "../device/origin.ts";

/** A refused request: its status, and the server's error code if it sent one. */
export class ServerError extends Error {
  constructor(
    status: number,
    readonly code: string,
  ) {
    super(String(status));
  }
}

async function request(path: string, init?: RequestInit): Promise<Response> {
  const answer = await fetch(atServer(path), init);
  if (answer.ok) return answer;
  const { code } = (await answer.json().catch(() => ({ code: "" }))) as Failure;
  throw new ServerError(answer.status, code);
}

async function fetchJson<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await request(path, init)).json()) as T;
}

async function fetchText(path: string, init?: RequestInit): Promise<string> {
  return (await request(path, init)).text();
}

let catalogue: Promise<GameEntry[]> | undefined;

/** Return every game with its layouts; requested once and cached. */
export function games(): Promise<GameEntry[]> {
  catalogue ??= fetchJson<Catalogue>("/api/games").then((answer) => answer.games);
  catalogue.catch(() => (catalogue = undefined)); // after a failure the next call tries again
  return catalogue;
}

/** Open a table; with a name, the caller takes a seat at once. */
export function openTable(wish: OpenTable): Promise<OpenedTable> {
  const body = JSON.stringify(wish);
  return fetchJson("/api/tables", { method: "POST", headers: { "content-type": "application/json" }, body });
}

/**
 * Return the code of a table, also by its join code; null if there is no such table.
 *
 * Throws if the server refuses to answer, since that does not mean no.
 */
export async function findTable(code: string): Promise<string | null> {
  try {
    return (await fetchJson<TableSummary>(`/api/tables/${encodeURIComponent(code)}`)).code;
  } catch (error) {
    if (error instanceof ServerError && error.code === "no-such-table") return null;
    throw error;
  }
}

/** Return the address by which friends reach the server. */
export function reach(): Promise<PublicLink> {
  return fetchJson("/api/reach");
}

/** Make the server listen on the local network, too. */
export function openReach(): Promise<PublicLink> {
  return fetchJson("/api/reach", { method: "POST" });
}

/** Headers that prove which seats are ours: the daily game of others stays secret until the day is over. */
function authorization(tokens: readonly string[]): RequestInit {
  return tokens.length ? { headers: { authorization: `Bearer ${tokens.join(" ")}` } } : {};
}

/** Return the operator's announcement. */
export function announcement(): Promise<Announcement> {
  return fetchJson("/api/announcement");
}

/** Return what the server stores, and for how long. */
export function keeping(): Promise<RetentionInfo> {
  return fetchJson("/api/keeping");
}

/** Return a finished game step by step. */
export function replay(code: string, tokens: readonly string[]): Promise<Replay> {
  return fetchJson(`/api/tables/${encodeURIComponent(code)}/replay`, authorization(tokens));
}

/** Return the record of a finished game. */
export async function record(code: string, tokens: readonly string[]): Promise<string> {
  return fetchText(`/api/tables/${encodeURIComponent(code)}/record`, authorization(tokens));
}

/** Return the date at the server, and how many have played today. */
export function today(): Promise<Today> {
  return fetchJson("/api/days");
}

/** Start or resume this device's daily game. */
export function beginDay(wish: BeginDay): Promise<BegunDay> {
  return fetchJson("/api/days", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(wish),
  });
}

/** Compare this device's daily score with all others. */
export function dayResult(date: string, variant: string, device: string): Promise<DayResult> {
  return fetchJson(`/api/days/${date}/${variant}`, authorization([device]));
}

/** Return what others chose with the dice of a day; only for a device that has finished its game. */
export function dayChoices(date: string, variant: string, device: string): Promise<DayChoices> {
  return fetchJson(`/api/days/${date}/${variant}/choices`, authorization([device]));
}

/** Return the server's analysis of a finished game. */
export function analysis(code: string, tokens: readonly string[]): Promise<Analysis> {
  return fetchJson(`/api/tables/${encodeURIComponent(code)}/analysis`, authorization(tokens));
}

/** Import a game at the server, from its record. */
export function uploadRecord(text: string): Promise<ImportedGame> {
  return fetchJson("/api/records", { method: "POST", headers: { "content-type": "text/plain" }, body: text });
}
