/** A seat's desk: which of this device's seats is played now, what is lit on its sheet, what a tap does. */
import { byCell, cellOf, isNothing, readPlay } from "./actions.ts";
import { Composer } from "./composer.svelte.ts";
import { Guard } from "./guard.svelte.ts";
import type { Mine, View } from "./protocol.ts";
import { settings } from "./settings.svelte.ts";
import type { Table } from "./table.svelte.ts";

const NOTHING: ReadonlySet<string> = new Set();
/** Milliseconds in which one reads that nothing can be crossed, before the page passes. */
const PASS_AFTER = 1_600;
/** Seconds for which a sheet that comes to the front says whose it is. */
const CUE = 1.1;

/** Something that wants a second thought before it is decided. */
export interface Doubt {
  action: string;
  /** The rows that it would close. */
  closes: string[];
  ends: boolean;
  /** Whether it would take a miss, and what that costs. */
  miss: boolean;
  cost: number;
}

export class Desk {
  readonly composer = new Composer();
  readonly guard = new Guard();
  /** A decision that is asked about before it is sent. */
  doubt = $state.raw<Doubt | null>(null);
  /** The seat whose sheet has just come to the front of a shared device. */
  cue = $state<number | null>(null);
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
  readonly choice = $derived.by(() =>
    this.table.state && this.own ? this.table.outbox.choiceOf(this.table.state, this.seat) : null,
  );
  readonly delivery = $derived.by(() =>
    this.table.state && this.own ? this.table.outbox.deliveryOf(this.table.state, this.seat) : null,
  );
  /** What is open in front of the reader: whatever was tapped before was not meant for it. */
  readonly window: string = $derived.by(() => `${this.table.state?.phase}/${this.seat}/${this.covered}`);
  /** Whether nothing can be done but pass. */
  readonly isStuck = $derived(
    this.decides && this.choice === null && this.legal.length > 0 && this.legal.every((action) => action === "pass"),
  );

  /** Whether the reader has to be asked to hand the device over before a hand is shown. */
  readonly covered = $derived.by(
    () =>
      this.table.mine.length > 1 &&
      this.table.game?.flow === "cards" &&
      this.view?.phase !== "over" &&
      this.holder !== this.seat,
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
    return new Set(
      this.table.latest.flatMap((event) =>
        "cell" in event && (board || event.seat === this.seat) ? [event.cell] : [],
      ),
    );
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
    this.doubt = null;
  }

  /** On a shared device the next of its people who still has to decide comes to the front, and it says who that is. */
  moveOn(): void {
    const { mine, state, outbox } = this.table;
    if (mine.length < 2 || !state) return;
    const owes = (seat: number) => state.view.deciders.includes(seat) && !outbox.choiceOf(state, seat);
    if (owes(this.seat)) return;
    const next = mine.find(owes);
    if (next === undefined) return;
    this.show(next);
    if (settings.guard > 0 && !this.covered) this.cue = next;
    this.guard.hold(settings.guard && CUE);
  }

  /** Whoever sees what is in front begins anew: a second tap was meant for what lay there before. */
  begin(): void {
    void this.window;
    this.guard.hold();
    this.doubt = null;
  }

  /** Pass for somebody who can do nothing else, after a moment, where that costs nothing. Gives what stops it. */
  passAlone(): (() => void) | undefined {
    if (!this.isStuck || this.passCosts || !settings.autoPass || this.covered) return undefined;
    void this.window;
    const timer = setTimeout(() => this.table.decide(this.seat, "pass"), PASS_AFTER);
    return () => clearTimeout(timer);
  }

  readonly passCosts = $derived(this.own?.passMiss ?? false);

  tap(cell: string): void {
    if (!this.own || this.held || this.guard.blocks) return; // before one has rolled, nothing tells what the dice are
    if (this.isPlaying) return this.tapPlay(cell);
    if (this.choice !== null && cellOf(this.choice) === cell) return this.withdraw();
    const actions = this.cells.get(cell) ?? [];
    if (actions.length > 1) {
      this.tie = { cell, actions };
      this.guard.hold();
    } else if (actions.length) this.decide(actions[0]!);
    else this.table.ask(this.seat, cell);
  }

  /** Pass; where one has passed, take that back. */
  pass(): void {
    if (this.guard.blocks) return;
    if (this.choice === "pass") this.withdraw();
    else if (!this.doubt) this.decide("pass"); // a second press on the same button is no answer to a question
  }

  decide(action: string): void {
    if (this.guard.blocks) return;
    this.tie = null;
    this.doubt = this.doubtOf(action);
    if (this.doubt) this.guard.hold();
    else this.carryOut(action);
  }

  /** The question was answered with yes. */
  confirm(): void {
    if (this.guard.blocks || !this.doubt) return;
    const { action } = this.doubt;
    this.doubt = null;
    this.carryOut(action);
  }

  /** Take back the last decision of the seat in front, if the others agree. */
  undo(): void {
    if (this.guard.blocks || !this.table.state) return;
    this.guard.hold();
    this.table.send({ t: "undo", seat: this.seat, phase: this.table.state.phase });
  }

  private carryOut(action: string): void {
    this.guard.hold();
    this.table.decide(this.seat, action);
  }

  private withdraw(): void {
    this.guard.hold();
    this.table.withdraw(this.seat);
  }

  /** What has to be said before an action; nothing where there is no other way. */
  private doubtOf(action: string): Doubt | null {
    const { own, legal } = this;
    if (!own || legal.every(isNothing)) return null;
    const closes = own.closes[action] ?? [];
    const ends = own.ends.includes(action);
    const miss = own.passMiss && isNothing(action);
    return closes.length || ends || miss ? { action, closes, ends, miss, cost: own.passCost } : null;
  }

  private tapPlay(cell: string): void {
    const { cards, offered } = this.composer;
    this.guard.hold(); // the second of two taps would only take back the first
    if (offered.has(cell)) this.composer.toggleCell(cell);
    else this.table.ask(this.seat, cards.length ? `play:${cards.join(",")}=${cell}` : cell);
  }
}
