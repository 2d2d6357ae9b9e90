/**
 * Reading the texts of actions.
 *
 * The page never works out what is allowed: everything here looks for texts in the list the server sent.
 */

const CELL = /^([A-Za-z]+)(\d+)(?:>(\w+))?$/;

/** The cell an action crosses, without a choice of row; null for a pass and for cards. */
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

/** The legal actions of each cell: one, or several where a tie has to be decided. */
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

/** The `play:` actions, taken apart. */
export function plays(legal: string[]): Play[] {
  return legal.filter((action) => action.startsWith("play:")).map(readPlay);
}

/** Take one `play:` action apart. */
export function readPlay(action: string): Play {
  const [cards = "", cells = ""] = action.slice("play:".length).split("=");
  return { action, cards: cards.split(","), cells: cells ? cells.split(",") : [] };
}

/** The cells that an action names. */
export function cellsOf(action: string): string[] {
  return action.startsWith("play:") ? readPlay(action).cells : [cellOf(action) ?? []].flat();
}

/** Whether one list holds everything of another. */
export function holds<T>(whole: T[], part: T[]): boolean {
  return part.every((item) => whole.includes(item));
}

/** Whether two lists hold the same things, in any order. */
export function same<T>(a: T[], b: T[]): boolean {
  return a.length === b.length && holds(a, b);
}

/** Take a cell's or a card's text apart: row or color, and number. */
export function split(text: string): { key: string; value: number } {
  const match = /^([A-Za-z]+)(\d+)/.exec(text);
  return { key: match?.[1] ?? "", value: Number(match?.[2] ?? 0) };
}

/** The six dice of a roll, null for one that has left: white, white, red, yellow, green, blue. */
export function diceOf(roll: string | null): (number | null)[] {
  if (!roll) return [];
  return [...roll.replace("/", "")].map((face) => (face === "-" ? null : Number(face)));
}
