/** The dealer of a local table: applies decisions and rolls the dice. The rules are those of the engine. */
import { isRefusal, type Kernel, type LocalGame, type Refusal } from "../engine/index.ts";
import type { AnyEvent } from "../protocol.ts";
import {
  hintRemark,
  moveRemarksBack,
  type Remark,
  countSteps,
  undoRemark,
  splitRemarks,
  insertRemarks,
} from "./ledgerRemarks.ts";
import { rollOf } from "../fair/dailyDice.ts";
import { isPerson, Refused, type Room } from "./room.ts";

/** Events that reveal dice or hidden cards: decisions before them cannot be undone. */
const IRREVERSIBLE: ReadonlySet<AnyEvent["e"]> = new Set([
  "rolled",
  "dealt",
  "shuffled",
  "took",
  "number",
  "played",
  "over",
]);

/** A decision, and the game before it. */
interface Decision {
  before: LocalGame;
  seat: number;
  action: string;
  phase: number;
}

export class Dealer {
  /** Events that were not sent yet. */
  events: AnyEvent[] = [];
  /** The decisions since the last roll or deal, oldest first. */
  private decisions: Decision[] = [];
  /** Undone decisions and hints, for the record. */
  private remarks: Remark[] = [];

  constructor(
    private readonly room: Room,
    public game: LocalGame | null,
    /** How many phases have started; a decision names its phase. */
    public phase: number,
  ) {}

  /** Restore a stored game. Decisions since the last roll are applied again, so that they can be undone. */
  static resume(kernel: Kernel, room: Room, record: string, phase: number): Dealer {
    const { played, remarks } = splitRemarks(record);
    const lines = played.split("\n").filter(Boolean);
    const first = lines.findLastIndex((line) => !/^\d /.test(line)) + 1;
    const game = record ? kernel.replay(`${lines.slice(0, first).join("\n")}\n`) : null;
    if (isRefusal(game)) throw new Refused("no-record");
    const dealer = new Dealer(room, game, 0);
    for (const line of lines.slice(first)) dealer.apply(game!, Number(line[0]), line.slice(2));
    dealer.remarks = remarks;
    dealer.decisions.forEach((each) => (each.phase += phase - dealer.phase));
    dealer.phase = phase;
    dealer.events = [];
    return dealer;
  }

  begin(kernel: Kernel): void {
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
    this.game = begun;
    this.room.stage = "playing";
    this.resolveChance();
  }

  /** Decide for a seat; a choice may be changed until the phase resolves. */
  decide(seat: number, phase: number, action: string): void {
    const game = this.runningIn(phase);
    this.apply(game, seat, action);
    this.resolveChance();
  }

  /** Withdraw the choice of a seat while the phase is open; the choices of others stay. */
  withdraw(seat: number, phase: number): void {
    this.runningIn(phase);
    this.rewind(phase, seat);
  }

  /** Return the seats that may undo their last decision after its window: no dice and no hidden cards were shown since. */
  undoable(): number[] {
    return [...new Set(this.decisions.filter((each) => each.phase < this.phase).map((each) => each.seat))].sort();
  }

  /** Undo the last decision of a seat; those of others in its window stay, and everything after that window is undone. */
  undo(seat: number, phase: number): void {
    this.runningIn(phase);
    const last = this.decisions.findLast((each) => each.seat === seat && each.phase < phase);
    if (!last) throw new Refused("no-undo");
    const fallen = this.decisions.filter(
      (each) => each.phase > last.phase || (each.phase === last.phase && each.seat === seat),
    );
    const steps = new Map(fallen.map((each) => [`${each.phase}/${each.seat}`, `${each.seat} ${each.action}`]));
    const after = countSteps(this.decisions.find((each) => each.phase === last.phase)!.before.record());
    this.remarks = [...this.remarks, ...[...steps.values()].map((step) => undoRemark(after, step))];
    this.phase += 1; // messages that are still on the way for earlier windows must not count
    this.rewind(last.phase, seat);
    this.events.push({ e: "undone", seat });
  }

  /** Return the game if a seat must decide in this phase. */
  checkDecider(seat: number, phase: number): LocalGame {
    const game = this.runningIn(phase);
    if (!game.deciders().includes(seat)) throw new Refused("not-your-turn");
    return game;
  }

  /** Note in the record, and for everybody, that a seat takes a hint. */
  noteHint(seat: number): void {
    this.remarks = [...this.remarks, hintRemark(countSteps(this.running().record()), seat)];
    this.events.push({ e: "hinted", seat });
  }

  /** Return the record so far, with undone decisions as remarks; empty before the start. */
  record(): string {
    return this.game ? insertRemarks(this.game.record(), this.remarks) : "";
  }

  /** Decide for a seat that does not: pass, or the first legal action. */
  decideByDefault(seat: number): void {
    const legal = this.running().legal(seat);
    if (legal.length) this.decide(seat, this.phase, legal.includes("pass") ? "pass" : legal[0]!);
  }

  /** Use the real dice that people rolled. */
  roll(dice: string): void {
    if (!this.rollers().length) throw new Refused("not-your-turn");
    this.collect(this.running().setRoll(dice));
  }

  /** Return the seats that may enter real dice now: the active one, or any person if that is a bot. */
  rollers(): number[] {
    const { game, room } = this;
    if (!game || !room.options.realDice || game.phase !== "roll") return [];
    if (isPerson(room.seats[game.active])) return [game.active];
    return room.seats.flatMap((seat, place) => (isPerson(seat) ? [place] : []));
  }

  /** The time is up: decide for the seats that have not. */
  timeUp(phase: number): void {
    const game = this.game;
    if (!game || game.isOver || phase !== this.phase) return;
    if (game.awaitsChance) return this.collect(this.rollDice(game));
    for (const seat of game.deciders()) {
      if (phase !== this.phase) return;
      this.events.push({ e: "late", seat });
      this.decideByDefault(seat);
    }
  }

  /** Roll, deal or shuffle while the game waits for it, unless people roll real dice. */
  resolveChance(): void {
    while (this.game?.awaitsChance && !this.rollers().length) this.collect(this.rollDice(this.game));
  }

  /** Roll at random, or in a daily game with the dice of the day. */
  private rollDice(game: LocalGame): AnyEvent[] | Refusal {
    const { day } = this.room;
    return day ? game.setRoll(rollOf(day, game)) : game.roll();
  }

  private apply(game: LocalGame, seat: number, action: string): void {
    const before = game.copy();
    const found = game.decide(seat, action);
    if (!isRefusal(found)) this.decisions.push({ before, seat, action, phase: this.phase });
    this.collect(found);
  }

  /** Go back to the start of a phase, and apply the decisions of all seats but one again. */
  private rewind(phase: number, seat: number): void {
    const window = this.decisions.filter((each) => each.phase === phase);
    const [first] = window;
    if (!first) return;
    const choices = new Map(window.map((each) => [each.seat, each.action]));
    choices.delete(seat);
    this.decisions = this.decisions.filter((each) => each.phase < phase);
    this.game = first.before;
    this.remarks = moveRemarksBack(this.remarks, countSteps(first.before.record()));
    const events = [...this.events];
    for (const [other, action] of choices) this.apply(this.game, other, action);
    this.events = events; // these events were sent before
  }

  private runningIn(phase: number): LocalGame {
    const game = this.running();
    if (phase !== this.phase) throw new Refused("late");
    return game;
  }

  private running(): LocalGame {
    if (!this.game || this.game.isOver) throw new Refused("not-now");
    return this.game;
  }

  private collect(found: AnyEvent[] | Refusal): void {
    if (isRefusal(found)) throw refused(found);
    this.events.push(...found);
    this.phase += found.filter((event) => event.e === "phase" || event.e === "over").length;
    if (found.some((event) => IRREVERSIBLE.has(event.e))) this.decisions = [];
    if (this.game?.isOver) this.room.stage = "over";
  }
}

/** Turn the engine's refusal into a server's. */
export function refused({ error, rule, details }: Refusal): Refused {
  return error === "illegal" ? new Refused(error, rule, details) : new Refused(error);
}
