/**
 * Parse the texts of actions.
 *
 * The page never computes what is legal: everything here searches the list of legal actions from the server.
 */

const CELL = /^([A-Za-z]+)(\d+)(?:>(\w+))?$/;

/** The cell that an action crosses, without the chosen row; null for a pass and for cards. */
export function cellOf(action: string | null): string | null {
  const match = action === null ? null : CELL.exec(action);
  return match ? `${match[1]}${match[2]}` : null;
}

/** Whether an action crosses nothing. */
export function isNothing(action: string): boolean {
  return action === "pass" || (action.startsWith("play:") && !action.includes("="));
}

/** The row chosen for a bonus on a tie. */
export function tieRowOf(action: string): string {
  return CELL.exec(action)?.[3] ?? "";
}

/** The legal actions of each cell: one, or several for a tie. */
export function byCell(legal: string[]): Map<string, string[]> {
  const cells = new Map<string, string[]>();
  for (const action of legal) {
    const cell = cellOf(action);
    if (cell) cells.set(cell, [...(cells.get(cell) ?? []), action]);
  }
  return cells;
}

/** The places of the display that `take:` actions name. */
export function takes(legal: string[]): number[][] {
  return legal
    .filter((action) => action.startsWith("take:"))
    .map((action) => action.slice("take:".length).split(",").map(Number));
}

export interface Play {
  action: string;
  cards: string[];
  cells: string[];
}

/** The `play:` actions, parsed. */
export function plays(legal: string[]): Play[] {
  return legal.filter((action) => action.startsWith("play:")).map(readPlay);
}

/** Parse one `play:` action. */
export function readPlay(action: string): Play {
  const [cards = "", cells = ""] = action.slice("play:".length).split("=");
  return { action, cards: cards.split(","), cells: cells ? cells.split(",") : [] };
}

/** The cells that an action names. */
export function cellsOf(action: string): string[] {
  return action.startsWith("play:") ? readPlay(action).cells : [cellOf(action) ?? []].flat();
}

/** Whether one list contains all items of another. */
export function holds<T>(whole: T[], part: T[]): boolean {
  return part.every((item) => whole.includes(item));
}

/** Whether two lists have the same items, in any order. */
export function same<T>(a: T[], b: T[]): boolean {
  return a.length === b.length && holds(a, b);
}

/** Split the text of a cell or a card into row or color, and number. */
export function split(text: string): { key: string; value: number } {
  const match = /^([A-Za-z]+)(\d+)/.exec(text);
  return { key: match?.[1] ?? "", value: Number(match?.[2] ?? 0) };
}

/** The six dice of a roll, null for a removed one: white, white, red, yellow, green, blue. */
export function diceOf(roll: string | null): (number | null)[] {
  if (!roll) return [];
  return [...roll.replace("/", "")].map((face) => (face === "-" ? null : Number(face)));
}
