/** Cells, cards, rolls and actions as text, and back: the same forms as Python's (docs/formats.md). */
import type { Module } from "../module.ts";
import { bits } from "../bits.ts";
import type { GameTable, Tables } from "../tables.ts";

/** A text that is not a cell, card, roll or action. */
export class Unreadable extends Error {}

/** A play of cards without an action id: the reason, and the named cards and cells. */
export interface NoPlay {
  reason: number;
  cards: number[];
  cells: number[];
}

/** The characters that Python treats as whitespace. */
const BLANK = "\\t-\\r\\x1c- \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANKS = new RegExp(`[${BLANK}]+`, "g");
const MARGINS = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "g");
const CELL = /^([A-Za-z])([0-9]{1,2})$/;
const CARD = /^([a-z])([0-9]{1,2})$/;
const ROLL = /^([1-9])([1-9])\/([1-9-])([1-9-])([1-9-])([1-9-])$/;
const LUCKY = /^([0-9]{1,2})\/([0-9]{1,2})$/;

/** Strip whitespace on both sides. */
export function trimmed(text: string): string {
  return text.replace(MARGINS, "");
}

export function luckyText(small: number, large: number): string {
  return `${small}/${large}`;
}

export class Texts {
  readonly #tables: Tables;
  readonly #game: GameTable;

  constructor(tables: Tables, game: GameTable) {
    this.#tables = tables;
    this.#game = game;
  }

  // ---- writing

  cell(cell: number): string {
    const { POSITIONS } = this.#tables.sizes;
    const row = this.#game.rows[Math.floor(cell / POSITIONS)]!;
    return `${row.key}${row.values[cell % POSITIONS]}`;
  }

  /** Write a card: `r4`, a joker `j4`, a back `?4`. */
  card(card: number): string {
    const { TOTALS } = this.#tables.sizes;
    return `${this.#tables.cards[Math.floor(card / TOTALS)]}${card % TOTALS}`;
  }

  deck(cards: Iterable<number>): string {
    const { NO_CARD } = this.#tables.sizes;
    return [...cards].map((card) => (card === NO_CARD ? "-" : this.card(card))).join(",");
  }

  /** Write the dice: whites, then red, yellow, green, blue; `-` for a removed die. */
  roll(dice: ArrayLike<number>): string {
    const faces = Array.from(dice, (die) => this.#tables.faces[die]).join("");
    return `${faces.slice(0, 2)}/${faces.slice(2)}`;
  }

  /** Write an action; `hand` are the cards the seat holds. */
  action(action: number, hand: number[]): string {
    const { PASS, TIES, TAKES, PLAYS, CELLS } = this.#tables.sizes;
    if (action < PASS) return this.cell(action);
    if (action === PASS) return "pass";
    if (action < TAKES) {
      const row = this.#game.rows[Math.floor((action - TIES) / CELLS)]!;
      return `${this.cell((action - TIES) % CELLS)}>${row.key}`;
    }
    if (action < PLAYS)
      return `take:${bits(action - TAKES)
        .map((place) => place + 1)
        .join()}`;
    const cards = this.#cardsOfPlay(action, hand).map((card) => this.card(card));
    const cells = this.cellsOfPlay(action, hand).map((cell) => this.cell(cell));
    return `play:${cards.join()}${cells.length ? `=${cells.join()}` : ""}`;
  }

  #cardsOfPlay(action: number, hand: number[]): number[] {
    const { PLAYS, COLORS, CROSSINGS } = this.#tables.sizes;
    const places = this.#tables.subsets[Math.floor((action - PLAYS) / (COLORS * CROSSINGS))]!;
    return hand.filter((_, place) => (places >> place) & 1);
  }

  /** Return the cells that a play crosses, in the order of the sheet. */
  cellsOfPlay(action: number, hand: number[]): number[] {
    const { PLAYS, COLORS, CROSSINGS, TOTALS } = this.#tables.sizes;
    const color = this.#tables.colors[Math.floor((action - PLAYS) / CROSSINGS) % COLORS]!;
    const crosses = (action - PLAYS) % CROSSINGS;
    const crossed = this.#cardsOfPlay(action, hand).filter((_, index) => (crosses >> index) & 1);
    return crossed.map((card) => this.#printed(color, card % TOTALS)).sort((one, other) => one - other);
  }

  /** Find the cell with a color and number. */
  #printed(color: string, number: number): number {
    const { POSITIONS } = this.#tables.sizes;
    for (const [index, row] of this.#game.rows.entries()) {
      const position = row.values.findIndex((value, at) => value === number && row.colors[at] === color);
      if (position >= 0) return index * POSITIONS + position;
    }
    throw new Unreadable(`No cell of the sheet is ${color}${number}.`);
  }

  /** Return the number and the color of a cell. */
  print(cell: number): { value: number; color: string } {
    const { POSITIONS } = this.#tables.sizes;
    const row = this.#game.rows[Math.floor(cell / POSITIONS)]!;
    return { value: row.values[cell % POSITIONS]!, color: row.colors[cell % POSITIONS]! };
  }

  // ---- reading; everything here throws Unreadable

  readCell(text: string): number {
    const { POSITIONS } = this.#tables.sizes;
    const found = CELL.exec(trimmed(text));
    const row = this.#game.rows.findIndex((each) => each.key === found?.[1]);
    const position = this.#game.rows[row]?.values.indexOf(Number(found?.[2])) ?? -1;
    if (position < 0) throw new Unreadable("That is no cell of this sheet.");
    return row * POSITIONS + position;
  }

  #readCard(text: string): number {
    const { TOTALS, JOKER } = this.#tables.sizes;
    const found = CARD.exec(trimmed(text));
    const color = this.#tables.cards.indexOf(found?.[1] ?? "?");
    const number = Number(found?.[2]);
    if (!found || color < 0 || color > JOKER || number < 1 || number >= TOTALS)
      throw new Unreadable("That is no card.");
    return color * TOTALS + number;
  }

  /** Read a list of cards; a last `*` means all other cards of the deck. */
  readDeck(text: string, whole: number[]): number[] {
    if (text.length > this.#tables.longest.deck) throw new Unreadable("That is too long for a deck of cards.");
    const words = trimmed(text).split(",").filter(Boolean);
    const rest = words.length > 0 && trimmed(words.at(-1)!) === "*";
    const cards = (rest ? words.slice(0, -1) : words).map((word) => this.#readCard(word));
    if (rest) cards.push(...whole.filter((card) => !cards.includes(card)));
    if (cards.length > this.#tables.sizes.DECK) throw new Unreadable("That is no deck.");
    return cards;
  }

  readRoll(text: string): number[] {
    const found = ROLL.exec(trimmed(text));
    if (!found) throw new Unreadable("That is no roll.");
    return found.slice(1).map((face) => this.#tables.faces.indexOf(face));
  }

  readLucky(text: string): [number, number] {
    const found = LUCKY.exec(text);
    const pad: [number, number] = [Number(found?.[1]), Number(found?.[2])];
    if (!found || !this.#game.lucky.includes(luckyText(...pad))) throw new Unreadable("These are no lucky numbers.");
    return pad;
  }

  /** Read an action; the kernel decides whether a play of cards is one. */
  readAction(text: string, hand: number[], findPlay: Module["findPlay"], game: number): number | NoPlay {
    const { PASS, TIES, CELLS } = this.#tables.sizes;
    if (text.length > this.#tables.longest.action) throw new Unreadable("That is too long for an action.");
    const word = text.replace(BLANKS, "");
    if (word === "pass") return PASS;
    if (word.startsWith("take:")) return this.#readTake(word.slice("take:".length));
    if (word.startsWith("play:")) return this.#readPlay(word.slice("play:".length), hand, findPlay, game);
    const tie = word.indexOf(">");
    if (tie < 0) return this.readCell(word);
    const row = this.#game.rows.findIndex((each) => each.key === word.slice(tie + 1));
    if (row < 0) throw new Unreadable("That is no row.");
    return TIES + row * CELLS + this.readCell(word.slice(0, tie));
  }

  #readTake(word: string): number {
    const { TAKES, DISPLAY } = this.#tables.sizes;
    let places = 0;
    for (const text of word.split(",")) {
      const place = Number(text) - 1;
      if (!(place >= 0 && place < DISPLAY) || text !== String(place + 1) || (places >> place) & 1) {
        throw new Unreadable("Name different places of the display.");
      }
      places |= 1 << place;
    }
    return TAKES + places;
  }

  #readPlay(word: string, hand: number[], findPlay: Module["findPlay"], game: number): number | NoPlay {
    const equals = word.indexOf("=");
    const inOrder = (one: number, other: number): number => one - other;
    const cards = (equals < 0 ? word : word.slice(0, equals)).split(",").map((card) => this.#readCard(card));
    const cells =
      equals < 0
        ? []
        : word
            .slice(equals + 1)
            .split(",")
            .map((cell) => this.readCell(cell));
    cards.sort(inOrder);
    cells.sort(inOrder);
    if (new Set(cards).size !== cards.length || new Set(cells).size !== cells.length) {
      throw new Unreadable("Name each card and each cell once.");
    }
    const action = findPlay(game, hand, cards, cells);
    return action < 0 ? { reason: -action, cards, cells } : action;
  }
}
