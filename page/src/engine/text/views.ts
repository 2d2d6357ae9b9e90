/** Convert a state to a view: some fields are copied as declared, all others have their own reader. */
import type { SheetView, View } from "../../protocol.ts";
import type { Module, Words } from "../module.ts";
import { bits } from "../bits.ts";
import type { GameTable, Shown, Tables } from "../tables.ts";
import type { Texts } from "./notation.ts";
import { WHITE_DICE } from "./chance.ts";

type Reader = () => unknown;

/** Forms of a copied field: a number, places counted from 1; any other form is a list of that many numbers. */
export const NUMBER = 0;
export const PLACES = -1;

/** Reads states of one game. */
export class Views {
  readonly #module: Module;
  readonly #at: number;
  readonly #tables: Tables;
  readonly #game: GameTable;
  readonly #texts: Texts;

  constructor(module: Module, at: number, texts: Texts) {
    this.#module = module;
    this.#at = at;
    this.#tables = module.tables;
    this.#game = module.tables.games[at]!;
    this.#texts = texts;
  }

  /** Read a state; hidden data must have been removed before. */
  view(state: Words, seat: number | null): View {
    const { sizes, phases, diceLie, lastActions, endings, over, colors } = this.#tables;
    const word = (name: string, more = 0): number => state[this.#tables.state.places[name]! + more]!;
    const list = (name: string, size: number): number[] => {
      const begin = this.#tables.state.places[name]!;
      return [...state.subarray(begin, begin + size)];
    };
    const phase = word("phase");
    const readers: Record<string, Reader> = {
      variant: () => this.#game.id,
      seat: () => seat,
      phase: () => phases[phase],
      deciders: () => bits(word("waiting"), sizes.SEATS),
      choice: () => (seat === null ? null : this.choice(state, seat)),
      dice: () =>
        diceLie.includes(phase) || (phase === over && word("dice") > 0)
          ? this.#texts.roll(list("dice", WHITE_DICE + sizes.COLORS))
          : null,
      crossed: () => word("crossed") !== 0 && lastActions.includes(phase),
      closed: () => bits(word("closed"), this.#game.rows.length).map((row) => this.#game.rows[row]!.key),
      gone: () => bits(word("gone"), sizes.COLORS).map((color) => colors[color]),
      sheets: () => Array.from({ length: word("seats") }, (_, each) => this.#sheet(state, each)),
      ending: () => endings[word("ending")] || null,
      number: () => (this.#game.isCards && this.#module.topNumber(state)) || null,
      display: () =>
        this.#game.isCards
          ? list("display", sizes.DISPLAY).map((card) => (card === sizes.NO_CARD ? null : card % sizes.TOTALS))
          : [],
      discards: () =>
        list("discards", word("discarded"))
          .sort((one, other) => one - other)
          .map((card) => this.#texts.card(card)),
    };
    return this.#filled(this.#game.view, readers, state, 0) as unknown as View;
  }

  /** The choice of a seat in the open window, null for none. */
  choice(state: Words, seat: number): string | null {
    const choice = state[this.#tables.state.places.choices! + seat]!;
    return choice === this.#tables.sizes.NO_CHOICE ? null : this.#texts.action(choice, this.hand(state, seat) ?? []);
  }

  /** The cards of a hand, null if they show their backs; a seat's own hand has backs only behind its fronts. */
  hand(state: Words, seat: number): number[] | null {
    const { cards, sizes } = this.#tables;
    const hand = this.held(state, seat);
    return hand.length && hand[0]! >= cards.indexOf("?") * sizes.TOTALS ? null : hand;
  }

  /** The cards of a hand, fronts or backs, as they are seen. */
  held(state: Words, seat: number): number[] {
    const { sizes, state: fields } = this.#tables;
    const begin = fields.places.hands! + seat * sizes.HAND;
    return [...state.subarray(begin, begin + state[fields.places.held! + seat]!)];
  }

  #sheet(state: Words, seat: number): SheetView {
    const { sheet, sizes, state: fields } = this.#tables;
    const at = fields.places.sheets! + seat * sheet.words;
    const hand = this.#game.isCards ? this.hand(state, seat) : null;
    const readers: Record<string, Reader> = {
      seat: () => seat,
      rows: () => this.#game.rows.map((_, row) => this.#row(state, seat, row)),
      score: () => this.#module.score(this.#at, state, seat),
      pawnsLeft: () => (this.#game.isDuel ? this.#module.supply(this.#at, state, seat) : null),
      hand: () => hand && hand.map((card) => this.#texts.card(card)),
      handSize: () => state[fields.places.held! + seat],
      backs: () =>
        this.held(state, seat)
          .map((card) => card % sizes.TOTALS)
          .sort((one, other) => one - other),
    };
    return this.#filled(this.#game.sheetView, readers, state, at) as unknown as SheetView;
  }

  #row(state: Words, seat: number, index: number): Record<string, unknown> {
    const { sheet, sizes, state: fields } = this.#tables;
    const at = fields.places.sheets! + seat * sheet.words;
    const row = this.#game.rows[index]!;
    const places = bits(state[at + sheet.places.marks! + index]!, row.values.length);
    const count = state[at + sheet.places.count! + index]!;
    const pawns = fields.places.board! + (seat * sizes.ROWS + index) * sizes.POSITIONS;
    const readers: Record<string, Reader> = {
      key: () => row.key,
      crosses: () => places.map((place) => row.values[place]),
      heights: () => places.map((place) => (this.#game.isDuel ? state[pawns + place] : 1)),
      locked: () => ((state[at + sheet.places.locks!]! >> index) & 1) === 1,
      count: () => count,
      points: () => this.#module.rowPoints(this.#at, count),
    };
    return this.#filled(this.#tables.rowView, readers, state, at);
  }

  /** Fill in every detail, in the order in which the server sends them. */
  #filled(details: Shown[], readers: Record<string, Reader>, state: Words, at: number): Record<string, unknown> {
    const found: Record<string, unknown> = {};
    for (const { name, place, form } of details) {
      if (typeof place === "number") found[name] = plain(state, at + place, form as number);
      else if (readers[name]) found[name] = readers[name]();
      else if (place === null) found[name] = form;
      else throw new Error(`No reader for ${name}.`);
    }
    return found;
  }
}

/** Read a field unchanged. */
function plain(state: Words, at: number, form: number): number | number[] {
  const value = state[at]!;
  if (form === NUMBER) return value;
  if (form === PLACES) return bits(value).map((place) => place + 1);
  return [...state.subarray(at, at + form)];
}
