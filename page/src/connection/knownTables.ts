/** The tables this device has been at, and the seat tokens that make its seats its own. */

export interface Remembered {
  code: string;
  variant: string;
  tokens: string[];
  at: number;
  over?: boolean;
}

const KEY = "qwixx.tables";
/** As many as a server gives records of within a minute, so that a reader gets all of theirs at once. */
const MOST = 100;
/** A hello carries no more than this. */
const MOST_TOKENS = 10;

function load(): Record<string, Remembered> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Record<string, Remembered>;
  } catch {
    return {};
  }
}

function save(tables: Record<string, Remembered>): void {
  const kept = Object.values(tables)
    .sort((a, b) => b.at - a.at)
    .slice(0, MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept.map((table) => [table.code, table]))));
  } catch {
    // Without storage a reload makes the reader a spectator; nothing else is lost.
  }
}

/** Give the tables of this device, the latest first. */
export function recentTables(): Remembered[] {
  return Object.values(load()).sort((a, b) => b.at - a.at);
}

/** Give the tokens of the seats this device plays at a table. */
export function tokensOf(code: string): string[] {
  return load()[code]?.tokens ?? [];
}

/** Note that this device has been at a table. */
export function rememberTable(code: string, variant: string, over = false): void {
  const tables = load();
  const known = tables[code];
  tables[code] = { code, variant, tokens: known?.tokens ?? [], at: Date.now(), over };
  save(tables);
}

/** Keep a seat's token. Seats move in the lobby, so tokens are kept without their number. */
export function rememberToken(code: string, variant: string, ...tokens: string[]): void {
  const tables = load();
  const known = tables[code] ?? { code, variant, tokens: [], at: Date.now() };
  const kept = [...new Set([...known.tokens, ...tokens])].slice(-MOST_TOKENS);
  tables[code] = { ...known, variant: variant || known.variant, at: Date.now(), tokens: kept };
  save(tables);
}

/** Forget a table that is no more. */
export function forgetTable(code: string): void {
  const tables = load();
  delete tables[code];
  save(tables);
}
