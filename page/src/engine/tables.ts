/** The tables inside the wasm module, as `qwixx.wasm.page_tables` writes them. */
import type { Catalogue } from "../protocol.ts";

/** Constants of the kernel, with the kernel's names. */
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

/** The memory layout of a record: its size in 32-bit words, and the offsets of its fields. */
export interface Places {
  words: number;
  places: Record<string, number>;
}

/**
 * A detail of a view: its name, then the offset and form of a field that is copied; or null and the default in games without
 * it. A detail with only a name has its own reader.
 */
export type Shown = [name: string, place?: number | null, form?: unknown];

/** A rule, and the names of the details of its refusal. */
export type Told = string[];

/** Rule and details by reason; by phase where they depend on it. */
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
  /** By number of seats: the file with the weights of the net player. */
  nets: Record<string, string>;
  /** By player and number of seats: the noise that is added to the values of the net. */
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

/** List the bits that are set in a mask. */
export function bits(mask: number, size = 32): number[] {
  const found: number[] = [];
  for (let place = 0; place < size; place++) if ((mask >>> place) & 1) found.push(place);
  return found;
}
