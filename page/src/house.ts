/**
 * A house is a host of tables: the server, or this device. Screens use this interface and do not know which one it is.
 *
 * A line is a connection to one table. It carries messages of the protocol, over a socket or to a worker.
 */
import type {
  AnyEvent,
  Error as Refused,
  FromPage,
  FromServer,
  GameEntry,
  OpenedTable,
  OpenTable,
  Replay,
  Why,
} from "./protocol.ts";

/** Which host: the server, or this device. */
export type HostKind = "server" | "here";

/** Receives what a line delivers. */
export interface Listener {
  receive(message: FromServer): void;
  connected(up: boolean): void;
}

/** A connection to a table. It identifies this device by itself, and again after every reconnect. */
export interface Line {
  /** Send a message; return false if it cannot be delivered now. */
  send(message: FromPage): boolean;
  close(): void;
}

/** The answer to something that is not carried out: why a cell cannot be crossed, or a refusal. */
export type Reply = Why | Refused;

/** Something that happened at a table, and whose turn it was. */
export interface FeedItem {
  id: number;
  event: AnyEvent;
  /** The seat whose turn it was; null if it is unknown. */
  by: number | null;
}

/** A host of tables. */
export interface House {
  readonly place: HostKind;
  /** Return every game with its layouts. */
  games(): Promise<GameEntry[]>;
  /** Open a table; with a name, the caller takes a seat at once. */
  open(wish: OpenTable): Promise<OpenedTable>;
  /** Return whether the table exists. */
  exists(code: string): Promise<boolean>;
  /** Return a finished game step by step. */
  replay(code: string): Promise<Replay>;
  /** Return the game record as text. */
  record(code: string): Promise<string>;
  connect(code: string, listener: Listener): Line;
}

/** Return one game of a house. */
export async function gameOf(house: House, id: string): Promise<GameEntry> {
  const found = (await house.games()).find((entry) => entry.id === id);
  if (!found) throw new Error("404");
  return found;
}

/** Return the path of a table's screen. */
export function tablePath(place: HostKind, code: string): string {
  return place === "here" ? `/here/t/${code}` : `/t/${code}`;
}

/** Return the path of the television view of a table at the server. */
export function televisionPath(code: string): string {
  return `${tablePath("server", code)}/tv`;
}

/** Return the path of the review of a finished game. */
export function reviewPath(place: HostKind, code: string): string {
  return `${replayPath(place, code)}/review`;
}

/** Return the path of the analysis board, with a position as its line. */
export function boardPath(line = ""): string {
  return line ? `/board?${new URLSearchParams({ p: line })}` : "/board";
}

/** Return the path of the replay of a finished game. */
export function replayPath(place: HostKind, code: string): string {
  return place === "here" ? `/here/r/${code}` : `/r/${code}`;
}
