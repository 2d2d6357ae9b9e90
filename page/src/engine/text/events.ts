/** Convert the notes of a trail to events. */
import type { AnyEvent } from "../../protocol.ts";
import type { GameTable, Tables } from "../tables.ts";
import type { Texts } from "./notation.ts";

type Teller = (detail: number) => unknown;

export class Events {
  readonly #tables: Tables;
  readonly #tellers: Record<string, Teller>;

  constructor(tables: Tables, game: GameTable, texts: Texts) {
    this.#tables = tables;
    const { TOTALS } = tables.sizes;
    const cards = (packed: number): number[] => unpack(packed, tables.trail.pack);
    this.#tellers = {
      number: (detail) => detail,
      place: (detail) => detail + 1,
      cell: (detail) => texts.cell(detail),
      row: (detail) => game.rows[detail]!.key,
      color: (detail) => tables.colors[detail],
      pair: (detail) => game.pairs[detail],
      phase: (detail) => tables.phases[detail],
      ending: (detail) => tables.endings[detail],
      cards: (detail) => cards(detail).map((card) => texts.card(card)),
      numbers: (detail) => cards(detail).map((card) => card % TOTALS),
    };
  }

  /** Convert notes to events; `roll` are the dice on the table. */
  tell(notes: Int32Array, roll: string): AnyEvent[] {
    const found: AnyEvent[] = [];
    for (let at = 0; at < notes.length; at += this.#tables.trail.note) {
      const [word, details] = this.#tables.events[notes[at]!]!;
      const event: Record<string, unknown> = { e: word };
      for (const [name, form] of details) {
        event[name] = form === "seat" ? notes[at + 1] : form === "roll" ? roll : this.#tellers[form]!(notes[at + 2]!);
      }
      found.push(event as unknown as AnyEvent);
    }
    return found;
  }

  /** Whether a seat got a miss. */
  isMissed(notes: Int32Array, seat: number): boolean {
    for (let at = 0; at < notes.length; at += this.#tables.trail.note) {
      if (notes[at] === this.#tables.missed && notes[at + 1] === seat) return true;
    }
    return false;
  }
}

/** Split a number of the kernel into up to three cards. */
function unpack(packed: number, pack: number): number[] {
  const cards: number[] = [];
  for (let rest = packed; rest > 0; rest = Math.floor(rest / pack)) cards.push((rest % pack) - 1);
  return cards;
}
