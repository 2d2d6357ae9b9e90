// Generated from `qwixx.wasm.table_types` by `python -m qwixx.wasm.generate_types`; do not edit.

import type { Catalogue } from "../protocol.ts";

/** One row of a sheet. */
export interface RowTable {
  colors: string;
  key: string;
  values: number[];
}

/** A detail of a view: the offset and form of a copied field; or null and the default in games without it. */
export interface Shown {
  form?: unknown;
  name: string;
  place?: number | null;
}

/** One game on one sheet; nets and noises are by number of seats. */
export interface GameTable {
  id: string;
  isCards: boolean;
  isDuel: boolean;
  kind: string;
  lucky: string[];
  nets: Record<number, string>;
  noises: Record<string, Record<number, number>>;
  pairs: string[];
  phases: number[];
  players: Record<string, number[]>;
  reasons: number;
  rows: RowTable[];
  seats: [number, number];
  sheet: string;
  sheetView: Shown[];
  sides: number;
  view: Shown[];
}

/** The memory layout of a compiled sheet, and its size in bytes. */
export interface LayoutPlaces {
  bytes: number;
  places: Record<string, number>;
  words: number;
}

/** Limits of texts, in characters. */
export interface LongestTexts {
  action: number;
  deck: number;
  record: number;
}

/** Why a position is impossible: the name and the rule by number, and the numbers of one problem. */
export interface ProblemTable {
  names: [string, string][];
  words: number;
}

/** The rule and the details of every refusal. */
export interface RefusalTables {
  cell: Record<number, string[][]>;
  chance: Record<number, string[][]>;
  noPlay: Record<number, string[][]>;
  play: Record<number, string[][]>;
}

/** The words of a record. */
export interface RecordTable {
  drawing: string;
  first: string;
  header: string[];
}

/** The memory layout of a record: its size in 32-bit words, and the offsets of its fields. */
export interface Places {
  places: Record<string, number>;
  words: number;
}

/** Kinds of reasons for a choice, and sizes of their memory. */
export interface TellingTable {
  facts: number;
  kinds: string[];
  length: number;
  none: number;
  reason: number;
}

/** Sizes of the event log. */
export interface TrailTable {
  length: number;
  note: number;
  pack: number;
}

/** All tables of the module with the rules. */
export interface Tables {
  cards: string;
  catalogue: Catalogue;
  chance: Record<string, string>;
  codes: string[];
  colors: string;
  deal: number;
  diceLie: number[];
  endings: string[];
  events: [string, [string, string][]][];
  faces: string;
  games: GameTable[];
  lastActions: number[];
  layout: LayoutPlaces;
  longest: LongestTexts;
  menu: number;
  missed: number;
  moments: string[];
  over: number;
  phases: string[];
  players: Record<string, Record<string, number[]>>;
  problems: ProblemTable;
  reasons: RefusalTables[];
  record: RecordTable;
  roll: number;
  rowView: Shown[];
  seating: number;
  sheet: Places;
  sizes: Record<"ACTIONS" | "CELLS" | "COLORS" | "CROSSINGS" | "DECK" | "DISPLAY" | "HAND" | "JOKER" | "NO_CARD" | "NO_CHOICE" | "PASS" | "PLAYS" | "POSITIONS" | "ROWS" | "SEATS" | "TAKES" | "TIES" | "TOTALS", number>;
  state: Places;
  subsets: number[];
  telling: TellingTable;
  trail: TrailTable;
}
