/** A seat's desk: which of this device's seats is played now, what is lit on its sheet, what a tap does. */
import { byCell, cellOf, readPlay } from "./actions.ts";
import { Composer } from "./composer.svelte.ts";
import type { Mine, View } from "./protocol.ts";
import type { Table } from "./table.svelte.ts";

const NOTHING: ReadonlySet<string> = new Set();

export class Desk {
  readonly composer = new Composer();
  /** A cell whose bonus asks for a row, with its actions. */
  tie = $state.raw<{ cell: string; actions: string[] } | null>(null);
  private picked = $state<number | null>(null);
  /** Hidden hands on a shared device: the seat whose person has said that they hold it now. */
  holder = $state<number | null>(null);

  /** Cells that would be crossed besides the one that is chosen or pointed at: bonuses bring more than one thinks. */
  coming = $state.raw<ReadonlySet<string>>(NOTHING);
  private pointed = $state<string | null>(null);
  private asked = 0;

  /** Whether the reader has still to roll: until then nothing is asked of them. */
  held = $state(false);

  constructor(private readonly table: Table) {}

  /** The seat whose sheet lies in front. */
  readonly seat = $derived.by(() => {
    const { mine, state } = this.table;
    if (!state) return 0;
    const seats = mine.length ? mine : state.view.sheets.map((sheet) => sheet.seat);
    if (this.picked !== null && seats.includes(this.picked)) return this.picked;
    return seats[0] ?? 0;
  });

  readonly own = $derived.by<Mine | null>(() => this.table.state?.mine[this.seat] ?? null);
  readonly view = $derived.by<View | null>(() => this.own?.view ?? this.table.state?.view ?? null);
  readonly decides = $derived(this.own !== null && (this.view?.deciders.includes(this.seat) ?? false));
  readonly legal = $derived(this.held ? [] : (this.own?.legal ?? []));
  readonly cells = $derived(byCell(this.legal));
  readonly isDrawing = $derived(this.composer.takes.length > 0);
  readonly isPlaying = $derived(this.composer.plays.length > 0);
  readonly choice = $derived(this.own?.choice ?? null);

  /** Whether the reader has to be asked to hand the device over before a hand is shown. */
  readonly covered = $derived.by(
    () =>
      this.table.mine.length > 1 && this.table.game?.flow === "cards" && this.view?.phase !== "over" && this.holder !== this.seat,
  );

  readonly lit = $derived.by<ReadonlySet<string>>(() => {
    if (this.isPlaying) return this.composer.offered;
    return this.legal.length ? new Set(this.cells.keys()) : NOTHING;
  });

  readonly chosen = $derived.by<ReadonlySet<string>>(() => {
    if (this.isPlaying) return new Set(this.composer.cells);
    if (this.choice?.startsWith("play:")) return new Set(readPlay(this.choice).cells);
    const cell = this.tie?.cell ?? cellOf(this.choice);
    return cell ? new Set([cell]) : NOTHING;
  });

  /** Cells that have just been marked on the sheet in front; in the duel, on the one board. */
  readonly fresh = $derived.by<ReadonlySet<string>>(() => {
    const board = this.table.game?.duel ?? false;
    return new Set(this.table.latest.flatMap((event) => ("cell" in event && (board || event.seat === this.seat) ? [event.cell] : [])));
  });

  /** The action whose consequences are shown: of the cell that is pointed at, else the one that is chosen. */
  private readonly considered = $derived.by(() => {
    const actions = this.pointed === null ? [] : (this.cells.get(this.pointed) ?? []);
    if (actions.length) return actions.length === 1 ? actions[0]! : null; // a tie has to be decided first
    return cellOf(this.choice) ? this.choice : null;
  });

  point(cell: string | null): void {
    this.pointed = cell;
  }

  /** Find out what else would be crossed, on sheets where anything can. */
  foresee(): void {
    const action = this.considered;
    const { layout } = this.table;
    const asked = ++this.asked;
    this.coming = NOTHING;
    if (!action || !layout || !(layout.bar.length || Object.keys(layout.pairs).length)) return;
    void this.table.preview(this.seat, action).then((cells) => {
      if (asked === this.asked) this.coming = new Set(cells.filter((cell) => cell !== cellOf(action)));
    });
  }

  show(seat: number): void {
    this.picked = seat;
    this.tie = null;
  }

  /** On a shared device the next of its people who still has to decide comes to the front. */
  moveOn(): void {
    const { mine, state } = this.table;
    if (mine.length < 2 || !state) return;
    const owes = (seat: number) => state.view.deciders.includes(seat) && !state.mine[seat]?.choice;
    if (owes(this.seat)) return;
    const next = mine.find(owes);
    if (next !== undefined) this.show(next);
  }

  tap(cell: string): void {
    if (!this.own) return;
    if (this.isPlaying) return this.tapPlay(cell);
    const actions = this.cells.get(cell) ?? [];
    if (actions.length > 1) this.tie = { cell, actions };
    else if (actions.length) this.decide(actions[0]!);
    else this.table.ask(this.seat, cell);
  }

  decide(action: string): void {
    this.tie = null;
    this.table.decide(this.seat, action);
  }

  private tapPlay(cell: string): void {
    const { cards, offered } = this.composer;
    if (offered.has(cell)) this.composer.toggleCell(cell);
    else this.table.ask(this.seat, cards.length ? `play:${cards.join(",")}=${cell}` : cell);
  }
}
