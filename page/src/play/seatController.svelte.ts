/** Controls the seat in front: which of this device's seats is played now, what is lit on its sheet, what a tap does. */
import { byCell, cellOf, isNothing, readPlay } from "../engine/text/actionText.ts";
import { CardComposer } from "./cardComposer.svelte.ts";
import { TapGuard } from "./tapGuard.svelte.ts";
import { Tutor, type Warning } from "./tutor.svelte.ts";
import type { SeatState, View } from "../protocol.ts";
import { settings } from "../device/settings.svelte.ts";
import type { Table } from "../connection/table.svelte.ts";

const NOTHING: ReadonlySet<string> = new Set();
/** How long "nothing can be crossed" is shown before the page passes. */
const AUTO_PASS_MS = 1_600;
/** How long a sheet that comes to the front shows whose it is. */
const SEAT_CUE_SECONDS = 1.1;

/** A decision that asks for confirmation before it is sent, and why. */
export interface Confirmation {
  action: string;
  /** The rows that it would close. */
  closes: string[];
  ends: boolean;
  /** Whether it would be announced at once, and could not be changed any more. */
  binding: boolean;
  /** Whether it would take a miss, and what that costs. */
  miss: boolean;
  cost: number;
  /** What it loses, if the tutor asks. */
  warning: Warning | null;
}

export class SeatController {
  readonly composer = new CardComposer();
  readonly guard = new TapGuard();
  /** The decision that waits for confirmation. */
  confirmation = $state.raw<Confirmation | null>(null);
  /** The seat whose sheet has just come to the front of a shared device. */
  cue = $state<number | null>(null);
  /** A cell whose bonus needs a choice of row, with its actions. */
  tie = $state.raw<{ cell: string; actions: string[] } | null>(null);
  private picked = $state<number | null>(null);
  /** Hidden hands on a shared device: the seat whose player has confirmed that they hold the device. */
  holder = $state<number | null>(null);

  /** Cells that bonuses would cross besides the chosen cell, or the one under the pointer. */
  previewed = $state.raw<ReadonlySet<string>>(NOTHING);
  private pointed = $state<string | null>(null);
  private asked = 0;
  private lastChoices = "";
  private lastPhase = -1;

  /** Whether the player still has to roll; until then no action is offered. */
  awaitsRoll = $state(false);

  readonly tutor: Tutor;

  constructor(private readonly table: Table) {
    this.tutor = new Tutor(table);
  }

  /** The seat whose sheet is in front. */
  readonly seat = $derived.by(() => {
    const { mine, state } = this.table;
    if (!state) return 0;
    const seats = mine.length ? mine : state.view.sheets.map((sheet) => sheet.seat);
    if (this.picked !== null && seats.includes(this.picked)) return this.picked;
    return seats[0] ?? 0;
  });

  readonly own = $derived.by<SeatState | null>(() => this.table.state?.mine[this.seat] ?? null);
  readonly view = $derived.by<View | null>(() => this.own?.view ?? this.table.state?.view ?? null);
  readonly decides = $derived(this.own !== null && (this.view?.deciders.includes(this.seat) ?? false));
  /** Whether the choice closes a row and the others know of it: then it cannot be changed (C14). */
  readonly isBound = $derived.by(() => this.own !== null && this.seat in (this.table.state?.announced ?? {}));
  readonly legal = $derived(this.awaitsRoll || this.isBound ? [] : (this.own?.legal ?? []));
  readonly cells = $derived(byCell(this.legal));
  readonly isDrawing = $derived(this.composer.takes.length > 0);
  readonly isPlaying = $derived(this.composer.plays.length > 0);
  readonly choice = $derived.by(() =>
    this.table.state && this.own ? this.table.outbox.choiceOf(this.table.state, this.seat) : null,
  );
  readonly delivery = $derived.by(() =>
    this.table.state && this.own ? this.table.outbox.deliveryOf(this.table.state, this.seat) : null,
  );
  /** Identifies what the player can tap now; a tap made before it changed was not meant for it. */
  readonly window: string = $derived.by(() => `${this.table.state?.phase}/${this.seat}/${this.covered}`);
  /** Whether the player may ask for a hint now. */
  readonly mayAsk = $derived.by(
    () =>
      Boolean(this.table.room?.hints) &&
      this.decides &&
      !this.awaitsRoll &&
      !this.covered &&
      this.choice === null &&
      this.legal.length > 1,
  );
  /** Whether passing is the only legal action. */
  readonly isStuck = $derived(
    this.decides && this.choice === null && this.legal.length > 0 && this.legal.every((action) => action === "pass"),
  );

  /** Whether the device has to be handed over before a hand is shown. */
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

  /** Cells that were marked just now on the sheet in front; in the duel, on the shared board. */
  readonly fresh = $derived.by<ReadonlySet<string>>(() => {
    const board = this.table.game?.duel ?? false;
    return new Set(
      this.table.latest.flatMap((event) =>
        "cell" in event && (board || event.seat === this.seat) ? [event.cell] : [],
      ),
    );
  });

  /** The action whose consequences are shown: of the cell under the pointer, else the chosen one. */
  private readonly considered = $derived.by(() => {
    const actions = this.pointed === null ? [] : (this.cells.get(this.pointed) ?? []);
    if (actions.length) return actions.length === 1 ? actions[0]! : null; // a tie has to be resolved first
    return cellOf(this.choice) ? this.choice : null;
  });

  point(cell: string | null): void {
    this.pointed = cell;
  }

  /** Find out what else would be crossed, on sheets that have bonuses. */
  previewConsequences(): void {
    const action = this.considered;
    const { layout } = this.table;
    const asked = ++this.asked;
    this.previewed = NOTHING;
    if (!action || !layout || !(layout.bar.length || Object.keys(layout.marks).length)) return;
    void this.table.preview(this.seat, action).then((cells) => {
      if (asked === this.asked) this.previewed = new Set(cells.filter((cell) => cell !== cellOf(action)));
    });
  }

  show(seat: number): void {
    this.picked = seat;
    this.tie = null;
    this.confirmation = null;
  }

  /**
   * On a shared device, bring the next seat that must decide to the front, and show whose it is: first the roller, then the
   * others around the table. This happens once per window and per choice: a player who turns back to their own sheet stays there.
   */
  showNextSeat(): void {
    const { mine, state, outbox } = this.table;
    if (mine.length < 2 || !state) return;
    const choices = JSON.stringify([state.phase, mine.map((seat) => outbox.choiceOf(state, seat))]);
    if (choices === this.lastChoices) return;
    this.lastChoices = choices;
    const { deciders, active, seats } = state.view;
    const isAwaited = (seat: number): boolean =>
      state.rollers.includes(seat) || (deciders.includes(seat) && !outbox.choiceOf(state, seat));
    const isNewWindow = state.phase !== this.lastPhase;
    this.lastPhase = state.phase;
    if (isAwaited(this.seat) && !isNewWindow) return;
    const place = (seat: number): number => (seat - active + seats) % seats;
    const [next = this.seat] = mine.filter(isAwaited).sort((a, b) => place(a) - place(b));
    if (next === this.seat) return;
    this.show(next);
    // The cup and the entry of real dice name the roller themselves.
    const isRoller = next === active && (this.awaitsRoll || state.rollers.length > 0);
    if (settings.guard > 0 && !this.covered && !isRoller) this.cue = next;
    this.guard.hold(settings.guard && SEAT_CUE_SECONDS);
  }

  /** Ignore taps for a moment after the sheet in front has changed: a second tap was meant for the one before. */
  begin(): void {
    void this.window;
    this.guard.hold();
    this.confirmation = null;
  }

  /** Pass after a moment where passing is the only legal action and costs nothing. Return a function that cancels it. */
  passAutomatically(): (() => void) | undefined {
    if (!this.isStuck || this.passCosts || !settings.autoPass || this.covered) return undefined;
    void this.window;
    const timer = setTimeout(() => this.table.decide(this.seat, "pass"), AUTO_PASS_MS);
    return () => clearTimeout(timer);
  }

  readonly passCosts = $derived(this.own?.passMiss ?? false);

  tap(cell: string): void {
    if (!this.own || this.awaitsRoll || this.guard.blocks) return; // before the roll, nothing may reveal the dice
    if (this.isPlaying) return this.tapPlay(cell);
    if (this.choice !== null && cellOf(this.choice) === cell && !this.isBound) return this.withdraw();
    const actions = this.cells.get(cell) ?? [];
    if (this.isBound) this.table.reply = { t: "error", code: "announced", rule: "C14" };
    else if (actions.length > 1) {
      this.tie = { cell, actions };
      this.guard.hold();
    } else if (actions.length) this.decide(actions[0]!);
    else this.table.askWhy(this.seat, cell);
  }

  /** Pass, or withdraw the pass. */
  pass(): void {
    if (this.guard.blocks) return;
    if (this.choice === "pass") this.withdraw();
    else if (!this.confirmation) this.decide("pass"); // a second press on the same button does not confirm
  }

  decide(action: string): void {
    if (this.guard.blocks) return;
    this.tie = null;
    this.confirmation = this.confirmationFor(action);
    if (this.confirmation) this.guard.hold();
    else this.submit(action);
    if (this.confirmation?.warning) this.tutor.note(this.seat);
  }

  /** Send the decision that was waiting for confirmation. */
  confirm(): void {
    if (this.guard.blocks || !this.confirmation) return;
    const { action } = this.confirmation;
    this.confirmation = null;
    this.submit(action);
  }

  /** Show what would be better, in place of the question. */
  explain(): void {
    if (this.guard.blocks) return;
    this.confirmation = null;
    this.table.askHint(this.seat);
  }

  /** Undo the last decision of the seat in front, if the others agree. While the next roll waits, there is no time to lose. */
  undo(): void {
    if (!this.table.state || (this.guard.blocks && !this.table.state.undoLeft)) return;
    this.guard.hold();
    this.table.send({ t: "undo", seat: this.seat, phase: this.table.state.phase });
  }

  private submit(action: string): void {
    this.guard.hold();
    this.table.decide(this.seat, action);
  }

  private withdraw(): void {
    this.guard.hold();
    this.table.withdraw(this.seat);
  }

  /** Return what an action has to be confirmed for; null if nothing, or if there is no alternative. */
  private confirmationFor(action: string): Confirmation | null {
    const { own, legal } = this;
    if (!own || legal.every(isNothing)) return null;
    const closes = own.closes[action] ?? [];
    const ends = own.ends.includes(action);
    const miss = own.passMiss && isNothing(action);
    const warning = this.tutor.warning(this.seat, action);
    if (!closes.length && !ends && !miss && !warning) return null;
    const binding = closes.length > 0 && this.view?.phase === "white" && (this.table.room?.announces ?? false);
    return { action, closes, ends, binding, miss, cost: own.passCost, warning };
  }

  private tapPlay(cell: string): void {
    const { cards, offered } = this.composer;
    this.guard.hold(); // the second tap of a double tap would only undo the first
    if (offered.has(cell)) this.composer.toggleCell(cell);
    else this.table.askWhy(this.seat, cards.length ? `play:${cards.join(",")}=${cell}` : cell);
  }
}
