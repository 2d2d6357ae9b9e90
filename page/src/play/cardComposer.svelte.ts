/**
 * Putting a card action together, card by card and cell by cell.
 *
 * Whatever is offered next is looked up in the list of legal actions: the composer knows no rule of the card game.
 */
import { holds, type Play, plays, same, takes } from "./actions.ts";

export class Composer {
  /** Places of the display, counted from 1. */
  places = $state<number[]>([]);
  cards = $state<string[]>([]);
  cells = $state<string[]>([]);
  private legal = $state.raw<string[]>([]);

  readonly takes = $derived(takes(this.legal));
  readonly plays = $derived(plays(this.legal));

  /** Begin anew with what is legal now. */
  reset(legal: string[]): void {
    this.legal = legal;
    this.places = [];
    this.cards = [];
    this.cells = [];
  }

  // ---- drawing

  canTake(place: number): boolean {
    const wanted = this.places.includes(place) ? this.places : [...this.places, place];
    return this.takes.some((take) => holds(take, wanted));
  }

  /** Choose a place of the display or give it back; when one card is all, choosing another replaces it. */
  toggleTake(place: number): void {
    if (this.places.includes(place)) this.places = this.places.filter((p) => p !== place);
    else if (this.canTake(place)) this.places = [...this.places, place];
    else if (this.takes.some((take) => same(take, [place]))) this.places = [place];
  }

  readonly takeAction = $derived.by(() => {
    const take = this.takes.find((t) => same(t, this.places));
    return take ? `take:${take.join(",")}` : null;
  });

  readonly takeSize = $derived(this.takes[0]?.length ?? 0);

  // ---- playing

  canPlay(card: string): boolean {
    const wanted = this.cards.includes(card) ? this.cards : [...this.cards, card];
    return this.plays.some((play) => holds(play.cards, wanted));
  }

  /** Choose a card or take it back; a card that cannot join the others starts a new choice. */
  toggleCard(card: string): void {
    if (this.cards.includes(card)) this.cards = this.cards.filter((c) => c !== card);
    else this.cards = this.canPlay(card) ? [...this.cards, card] : [card];
    this.cells = this.fullest()?.cells ?? [];
  }

  /** The plays with exactly the chosen cards. */
  readonly offers = $derived(this.plays.filter((play) => same(play.cards, this.cards)));

  /** Every cell that some play with these cards crosses. */
  readonly offered = $derived(new Set(this.offers.flatMap((play) => play.cells)));

  /** Cross a cell too, or leave it; keeps as many of the other cells as the list of legal plays has room for. */
  toggleCell(cell: string): void {
    const add = !this.cells.includes(cell);
    const wanted = add ? [...this.cells, cell] : this.cells.filter((c) => c !== cell);
    const fitting = this.offers.filter((play) => play.cells.includes(cell) === add);
    const closeness = (play: Play) =>
      play.cells.filter((c) => wanted.includes(c)).length * 10 -
      play.cells.filter((c) => !wanted.includes(c)).length * 11;
    const best = fitting.sort((a, b) => closeness(b) - closeness(a))[0];
    if (best) this.cells = best.cells;
  }

  readonly playAction = $derived(this.offers.find((play) => same(play.cells, this.cells))?.action ?? null);

  private fullest(): Play | undefined {
    return [...this.offers].sort((a, b) => b.cells.length - a.cells.length)[0];
  }
}
