/**
 * Composes a card action, card by card and cell by cell.
 *
 * Everything that is offered next comes from the list of legal actions: the composer knows no rule of the card game.
 */
import { holds, type Play, plays, same, takes } from "../engine/text/actionText.ts";

export class CardComposer {
  /** Places of the display, counted from 1. */
  places = $state<number[]>([]);
  cards = $state<string[]>([]);
  cells = $state<string[]>([]);
  private legal = $state.raw<string[]>([]);

  readonly takes = $derived(takes(this.legal));
  readonly plays = $derived(plays(this.legal));

  /** Start again with the actions that are legal now. */
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

  /** Select a place of the display, or deselect it. Where only one card may be taken, another one replaces it. */
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

  /** Select a card, or deselect it. A card that cannot be played with the others starts a new selection. */
  toggleCard(card: string): void {
    if (this.cards.includes(card)) this.cards = this.cards.filter((c) => c !== card);
    else this.cards = this.canPlay(card) ? [...this.cards, card] : [card];
    this.cells = this.fullest()?.cells ?? [];
  }

  /** The plays with exactly the selected cards. */
  readonly offers = $derived(this.plays.filter((play) => same(play.cards, this.cards)));

  /** Every cell that some play with these cards crosses. */
  readonly offered = $derived(new Set(this.offers.flatMap((play) => play.cells)));

  /** Add a cell, or remove it; keep as many of the other cells as a legal play allows. */
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
