/** The tables that this device knows, with the tokens of its seats; stored in localStorage. */
import { TABLE } from "../protocol.ts";

import * as storage from "../device/storage.ts";

export interface KnownTable {
  code: string;
  variant: string;
  tokens: string[];
  at: number;
  over?: boolean;
}

const KEY = "qwixx.tables";
/** As many records as the server sends within its rate limit of a minute, so that all can be exported at once. */
const MAX_TABLES = 100;

function load(): Record<string, KnownTable> {
  try {
    return JSON.parse(storage.read(KEY) ?? "{}") as Record<string, KnownTable>;
  } catch {
    return {};
  }
}

function save(tables: Record<string, KnownTable>): void {
  const kept = Object.values(tables)
    .sort((a, b) => b.at - a.at)
    .slice(0, MAX_TABLES);
  // Without storage a reload makes the reader a spectator; nothing else is lost.
  storage.write(KEY, JSON.stringify(Object.fromEntries(kept.map((table) => [table.code, table]))));
}

/** Return the tables of this device, the latest first. */
export function knownTables(): KnownTable[] {
  return Object.values(load()).sort((a, b) => b.at - a.at);
}

/** Return the tokens of this device's seats at a table. */
export function tokensOf(code: string): string[] {
  return load()[code]?.tokens ?? [];
}

/** Remember that this device has visited a table. */
export function rememberTable(code: string, variant: string, over = false): void {
  const tables = load();
  const known = tables[code];
  tables[code] = { code, variant, tokens: known?.tokens ?? [], at: Date.now(), over };
  save(tables);
}

/** Store tokens of seats. Seats can move in the lobby, so tokens are stored without a seat number. */
export function rememberToken(code: string, variant: string, ...tokens: string[]): void {
  const tables = load();
  const known = tables[code] ?? { code, variant, tokens: [], at: Date.now() };
  const kept = [...new Set([...known.tokens, ...tokens])].slice(-TABLE.maxTokens);
  tables[code] = { ...known, variant: variant || known.variant, at: Date.now(), tokens: kept };
  save(tables);
}

/** Forget a table that no longer exists. */
export function forgetTable(code: string): void {
  const tables = load();
  delete tables[code];
  save(tables);
}
