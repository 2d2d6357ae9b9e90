/** Reasons of refusals: the rule and its details, by the kernel's reason. */
import type { Module, Words } from "../module.ts";
import type { GameTable, RefusalTables, Tables } from "../tables.ts";
import type { NoPlay, Texts } from "./notation.ts";

/** A refusal with its reason; nothing has changed. */
export interface Refusal {
  /** The error code of a server: an action that the rules refuse, a seat that may not act now, an invalid text. */
  error: "illegal" | "not-your-turn" | "not-now" | "unreadable";
  /** The reason as a word, the same as in the server's `why`: `left-of-cross`; empty for an invalid text. */
  code: string;
  rule: string;
  details: Record<string, number | string>;
}

export function unreadable(details: Refusal["details"] = {}): Refusal {
  return { error: "unreadable", code: "", rule: "", details };
}

export class Refusals {
  readonly #module: Module;
  readonly #tables: Tables;
  readonly #game: GameTable;
  readonly #at: number;
  readonly #texts: Texts;

  constructor(module: Module, at: number, texts: Texts) {
    this.#module = module;
    this.#at = at;
    this.#tables = module.tables;
    this.#game = module.tables.games[at]!;
    this.#texts = texts;
  }

  /** Return why an action is refused. */
  action(state: Words, seat: number, action: number, hand: number[], reason: number): Refusal {
    const { sizes } = this.#tables;
    const isPlay = action >= sizes.PLAYS;
    const reasons = this.#tables.reasons[this.#game.reasons]![isPlay ? "play" : "cell"];
    const cell = (): number => (isPlay ? this.#refusedCell(action, hand, reason) : this.#cellOf(action));
    return this.#refusal(reasons, reason, state, (name) => this.#detail(name, state, seat, cell()));
  }

  /** Return why no action plays these cards and crosses these cells. */
  noPlay(state: Words, hand: number[], { reason, cards, cells }: NoPlay): Refusal {
    const { TOTALS } = this.#tables.sizes;
    const reasons = this.#tables.reasons[this.#game.reasons]!.noPlay;
    return this.#refusal(reasons, reason, state, (name) => {
      if (name === "card") return this.#texts.card(cards.find((card) => !hand.includes(card))!);
      const numbers = cards.map((card) => card % TOTALS);
      const other = cells.find((cell) => !numbers.includes(this.#texts.print(cell).value));
      return this.#texts.cell(other ?? cells[0]!);
    });
  }

  /** Return why dice or a deck are refused. */
  chance(state: Words, reason: number): Refusal {
    const reasons = this.#tables.reasons[this.#game.reasons]!.chance;
    return this.#refusal(reasons, reason, state, () => this.#game.sides);
  }

  #refusal(
    reasons: RefusalTables["cell"],
    reason: number,
    state: Words,
    detail: (name: string) => number | string,
  ): Refusal {
    const found = reasons[reason]!;
    const phase = state[this.#tables.state.places.phase!]!;
    const [rule, ...names] = found.length === 1 ? found[0]! : found[phase]!;
    const code = this.#tables.codes[reason]!;
    const error = this.#tables.moments.includes(code) ? "not-your-turn" : "illegal";
    return { error, code, rule: rule!, details: Object.fromEntries(names.map((name) => [name, detail(name)])) };
  }

  #detail(name: string, state: Words, seat: number, cell: number): number | string {
    const { sizes, sheet, state: fields } = this.#tables;
    const row = Math.floor(cell / sizes.POSITIONS);
    switch (name) {
      case "row":
        return this.#game.rows[row]!.key;
      case "cell":
        return this.#texts.cell(cell);
      case "color":
        return this.#texts.print(cell).color;
      case "need":
        return this.#module.layoutWords(this.#at, "closes_need", sizes.ROWS)[row]!;
      case "crossed":
        return (
          (state[fields.places.sheets! + seat * sheet.words + sheet.places.marks! + row]! >> (cell % sizes.POSITIONS)) &
          1
        );
      case "have":
        return state[fields.places.sheets! + seat * sheet.words + sheet.places.count! + row]!;
      case "sum":
      case "number":
        return this.#module.numberForAll(state);
    }
    throw new Error(`Unknown detail of a refusal: ${name}.`);
  }

  /** Return the cell of an action; a pass has none and counts as the first cell. */
  #cellOf(action: number): number {
    const { CELLS, TIES, PASS } = this.#tables.sizes;
    return action < PASS ? action : action === PASS ? 0 : (action - TIES) % CELLS;
  }

  /** Find the cell of a play that the sheet refuses: the last of a row if crosses are missing, else the first. */
  #refusedCell(action: number, hand: number[], reason: number): number {
    const { POSITIONS } = this.#tables.sizes;
    const isLast = this.#tables.codes[reason] === "too-few-crosses";
    const weight = (cell: number): number => (isLast ? cell % POSITIONS : -cell);
    const cells = this.#texts.cellsOfPlay(action, hand);
    return cells.reduce((best, cell) => (weight(cell) > weight(best) ? cell : best), cells[0] ?? 0);
  }
}
