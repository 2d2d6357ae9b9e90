/** The dealer of a local table: its core, with the dice of this device. The rules are those of the engine. */
import { isRefusal, type Kernel, type LocalGame } from "../engine/index.ts";
import { rollOf } from "../fair/dailyDice.ts";
import type { AnyEvent } from "../protocol.ts";
import { Core, type Change } from "./core.ts";
import { announces, isPerson, Refused, type Room } from "./room.ts";
import type { TableChange } from "./tableContext.ts";

export class Dealer {
  /** No dice are rolled before, by `Date.now`: a person may undo their last decision until then. */
  private rollAfter = 0;

  constructor(
    private readonly room: Room,
    /** Null before the start. */
    public core: Core | null,
  ) {}

  get game(): LocalGame | null {
    return this.core?.game ?? null;
  }

  get phase(): number {
    return this.core?.phase ?? 0;
  }

  begin(kernel: Kernel): TableChange {
    const { variant, seats, options } = this.room;
    const entry = kernel.catalogue.games.find((each) => each.id === variant);
    if (!entry || seats.length < entry.seats[0] || !seats.length) throw new Refused("too-few");
    const begun = kernel.begin({
      variant,
      seats: seats.length,
      sheet: options.sheet || undefined,
      lucky: options.lucky,
    });
    if (isRefusal(begun)) throw new Refused("bad-options");
    this.core = new Core(begun);
    this.room.stage = "playing";
    return { ...this.resolveChance(), room: true };
  }

  /** Return the core of a running game. */
  running(): Core {
    if (!this.core) throw new Refused("not-now");
    return this.core;
  }

  /** Return the rows that players have announced to close in the open window, by seat (C14). */
  announced(): Map<number, string[]> {
    return this.core && announces(this.room) ? this.core.closings() : new Map<number, string[]>();
  }

  /**
   * Decide for a seat; a choice may be changed until the phase resolves, unless it is binding. The next roll waits for some
   * seconds from now.
   */
  decide(seat: number, phase: number, action: string, wait = 0): TableChange {
    const change = this.running().decide(seat, phase, action, announces(this.room));
    if (wait) this.waitToRoll(wait);
    return this.resolveChance(change);
  }

  /** Do not roll for some seconds: a person may undo their last decision. */
  waitToRoll(seconds: number): void {
    this.rollAfter = Date.now() + seconds * 1000;
  }

  /** Return the seconds for which the next roll waits, so that a person can undo a decision; 0: it does not. */
  undoLeft(): number {
    const { core, room } = this;
    if (!core?.game.awaitsChance || this.rollers().length) return 0;
    if (!core.undoable().some((seat) => isPerson(room.seats[seat]))) return 0;
    return Math.max(0, (this.rollAfter - Date.now()) / 1000);
  }

  /** Roll: the time to undo is over. */
  rollAfterWait(phase: number): TableChange {
    if (phase !== this.phase) return {};
    this.rollAfter = 0;
    return this.resolveChance();
  }

  /** Withdraw the choice of a seat while the phase is open. */
  withdraw(seat: number, phase: number): TableChange {
    return { ...this.running().withdraw(seat, phase, announces(this.room)), state: true };
  }

  /** Return the record so far; empty before the start. */
  record(): string {
    return this.core?.record() ?? "";
  }

  /** Decide for a seat that does not: pass, or the first legal action. */
  decideByDefault(seat: number): TableChange {
    const legal = this.running().game.legal(seat);
    return legal.length ? this.decide(seat, this.phase, legal.includes("pass") ? "pass" : legal[0]!) : {};
  }

  /** Use the real dice that people rolled. */
  roll(dice: string): TableChange {
    if (!this.rollers().length) throw new Refused("not-your-turn");
    return this.resolveChance(this.running().roll(dice));
  }

  /** Return the seats that may enter real dice now: the active one, or any person if that is a bot. */
  rollers(): number[] {
    const { game, room } = this;
    if (!game || !room.options.realDice || game.phase !== "roll") return [];
    if (isPerson(room.seats[game.active])) return [game.active];
    return room.seats.flatMap((seat, place) => (isPerson(seat) ? [place] : []));
  }

  /** The time is up: decide for the seats that have not. */
  timeUp(phase: number): TableChange {
    const { core } = this;
    if (!core || core.game.isOver || phase !== this.phase) return {};
    if (core.game.awaitsChance) return this.resolveChance(this.rollDice(core));
    const events: AnyEvent[] = [];
    let change: TableChange = {};
    for (const seat of core.game.deciders()) {
      if (phase !== this.phase) break;
      change = this.decideByDefault(seat);
      events.push({ e: "late", seat }, ...(change.events ?? []));
    }
    return { ...change, events };
  }

  /**
   * Roll, deal or shuffle while the game waits for it; note the end of the game.
   *
   * No roll if people roll real dice, or while a decision can be undone.
   */
  resolveChance(change: Change = { lines: [], events: [], cut: null }): TableChange {
    const { core, room } = this;
    const events = [...change.events];
    while (core?.game.awaitsChance && !this.rollers().length && !this.undoLeft())
      events.push(...this.rollDice(core).events);
    const isOver = core?.game.isOver && room.stage !== "over";
    if (isOver) room.stage = "over";
    return { ...change, events, state: true, room: isOver };
  }

  /** Roll at random, or in a daily game with the dice of the day. */
  private rollDice(core: Core): Change {
    return core.roll(this.room.day ? rollOf(this.room.day, core.game) : null);
  }
}
