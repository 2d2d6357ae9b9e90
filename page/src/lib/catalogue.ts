/** The games and their sheets as `/api/games` describes them, and what happens in them. */
import type { State } from "./protocol.ts";

export interface CellLayout {
  value: number;
  color: string;
  boxed: boolean;
  pair: string;
}

export interface RowLayout {
  key: string;
  lock: string;
  closesFrom: number;
  cells: CellLayout[];
}

export interface Layout {
  rows: RowLayout[];
  bar: string[];
  pairs: Record<string, string>;
  points: number[];
  missPoints: number;
  misses: number;
  pawns: number;
}

export interface GameEntry {
  id: string;
  seats: [number, number];
  flow: "dice" | "cards";
  duel: boolean;
  mixed: boolean;
  sides: number;
  sheets: string[];
  luckyPads: string[];
  layouts: Record<string, Layout>;
}

/** One thing that happened: its word in `e`, and its details. */
export type GameEvent = State["events"][number];
