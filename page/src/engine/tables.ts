/** The tables that travel inside the module, as `qwixx.browser.tables` writes them. */
import type { Catalogue } from "../lib/protocol.ts";

/** Numbers of the kernel, under its own names. */
type Size =
  | "ROWS"
  | "POSITIONS"
  | "CELLS"
  | "COLORS"
  | "TOTALS"
  | "SEATS"
  | "HAND"
  | "DISPLAY"
  | "DECK"
  | "NO_CARD"
  | "NO_CHOICE"
  | "JOKER"
  | "ACTIONS"
  | "PASS"
  | "TIES"
  | "TAKES"
  | "PLAYS"
  | "CROSSINGS";

/** How a record lies in memory: its words of 32 bits, and where its fields begin. */
export interface Places {
  words: number;
  places: Record<string, number>;
}

/**
 * A detail of a view: a name, then the place and form of a field that is shown as it is; or else null and what stands
 * there in games without it. A detail with nothing behind its name is read by hand.
 */
export type Shown = [name: string, place?: number | null, form?: unknown];

/** A rule, and the names of what a refusal speaks of. */
export type Told = string[];

/** What is told about a reason; where that depends on the phase, for each of them. */
export type Reasons = Record<string, Told | Told[]>;

/** One game on one sheet. */
export interface GameTable {
  id: string;
  sheet: string;
  seats: [number, number];
  isCards: boolean;
  isDuel: boolean;
  sides: number;
  lucky: string[];
  rows: { key: string; values: number[]; colors: string }[];
  pairs: string[];
  view: Shown[];
  sheetView: Shown[];
  reasons: number;
  players: Record<string, number[]>;
  kind: string;
  /** By a number of seats: the file with the weights of the player that has learned. */
  nets: Record<string, string>;
  /** By player and number of seats: how far it misjudges what the net says. */
  noises: Record<string, Record<string, number>>;
}

export interface Tables {
  sizes: Record<Size, number>;
  subsets: number[];
  state: Places;
  sheet: Places;
  layout: Places & { bytes: number };
  menu: number;
  seating: number;
  trail: { length: number; note: number; pack: number };
  telling: { kinds: string[]; length: number; reason: number; none: number; facts: number };
  phases: string[];
  over: number;
  roll: number;
  deal: number;
  diceLie: number[];
  lastActions: number[];
  endings: string[];
  chance: Record<string, string>;
  colors: string;
  cards: string;
  faces: string;
  longest: { action: number; deck: number; record: number };
  record: { first: string; header: string[]; drawing: string };
  events: [word: string, details: [name: string, form: string][]][];
  missed: number;
  rowView: Shown[];
  codes: string[];
  moments: string[];
  reasons: { cell: Reasons; play: Reasons; noPlay: Reasons; chance: Reasons }[];
  games: GameTable[];
  players: Record<string, Record<string, number[]>>;
  catalogue: Catalogue;
}

/** List the places set in a mask. */
export function bits(mask: number, size = 32): number[] {
  const found: number[] = [];
  for (let place = 0; place < size; place++) if ((mask >>> place) & 1) found.push(place);
  return found;
}
