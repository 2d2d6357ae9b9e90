/** The dealer of a local table: moves the game on and lets chance have its turn. The rules are the kernel's. */
import { isRefusal, type Kernel, type LocalGame, type Refusal } from "../kernel/index.ts";
import type { AnyEvent } from "../lib/protocol.ts";
import { hintTaken, movedBack, type Remark, stepsIn, takenBack, unweave, weave } from "./remarks.ts";
import { rollOf } from "./recipe.ts";
import { isPerson, Refused, type Room } from "./room.ts";

/** Events that show what was hidden, or dice: what was decided before them is decided for good. */
const FIXING: ReadonlySet<AnyEvent["e"]> = new Set(["rolled", "dealt", "shuffled", "took", "number", "played", "over"]);

/** A decision, and the game before it. */
interface Made {
  before: LocalGame;
  seat: number;
  action: string;
  phase: number;
}

export class Dealer {
  /** What has happened and was not told yet. */
  events: AnyEvent[] = [];
  /** The decisions since chance had its last turn, oldest first. */
  private made: Made[] = [];
  /** What was taken back after its window, and who took hints, for the record. */
  private remarks: Remark[] = [];

  constructor(
    private readonly room: Room,
    public game: LocalGame | null,
    /** How many phases have begun; a decision says which one it is for. */
    public phase: number,
  ) {}

  /** Sit down at a game that was kept: what was decided since the last roll is decided again, so that it can be taken back. */
  static resume(kernel: Kernel, room: Room, record: string, phase: number): Dealer {
    const { played, remarks } = unweave(record);
    const lines = played.split("\n").filter(Boolean);
    const first = lines.findLastIndex((line) => !/^\d /.test(line)) + 1;
    const game = record ? kernel.replay(`${lines.slice(0, first).join("\n")}\n`) : null;
    if (isRefusal(game)) throw new Refused("no-record");
    const dealer = new Dealer(room, game, 0);
    for (const line of lines.slice(first)) dealer.make(game!, Number(line[0]), line.slice(2));
    dealer.remarks = remarks;
    dealer.made.forEach((each) => (each.phase += phase - dealer.phase));
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
    this.letChance();
  }

  /** Decide for a seat; a choice may be changed until the phase resolves. */
  decide(seat: number, phase: number, action: string): void {
    const game = this.runningIn(phase);
    this.make(game, seat, action);
    this.letChance();
  }

  /** Take back what a seat has chosen while the phase is open; what others have chosen stays as it is. */
  withdraw(seat: number, phase: number): void {
    this.runningIn(phase);
    this.rewind(phase, seat);
  }

  /** The seats that may take their last decision back though its window is over: no dice and nothing hidden were seen since. */
  undoable(): number[] {
    return [...new Set(this.made.filter((each) => each.phase < this.phase).map((each) => each.seat))].sort();
  }

  /** Take a seat's last decision back; those of others in its window stay, and whatever came after them falls. */
  undo(seat: number, phase: number): void {
    this.runningIn(phase);
    const last = this.made.findLast((each) => each.seat === seat && each.phase < phase);
    if (!last) throw new Refused("no-undo");
    const fallen = this.made.filter(
      (each) => each.phase > last.phase || (each.phase === last.phase && each.seat === seat),
    );
    const steps = new Map(fallen.map((each) => [`${each.phase}/${each.seat}`, `${each.seat} ${each.action}`]));
    const after = stepsIn(this.made.find((each) => each.phase === last.phase)!.before.record());
    this.remarks = [...this.remarks, ...[...steps.values()].map((step) => takenBack(after, step))];
    this.phase += 1; // nothing that is still on its way for the windows before may count here
    this.rewind(last.phase, seat);
    this.events.push({ e: "undone", seat });
  }

  /** Note that a seat takes a hint, for the record and for everybody. */
  noteHint(seat: number, phase: number): LocalGame {
    const game = this.runningIn(phase);
    if (!game.deciders().includes(seat)) throw new Refused("not-your-turn");
    this.remarks = [...this.remarks, hintTaken(stepsIn(game.record()), seat)];
    this.events.push({ e: "hinted", seat });
    return game;
  }

  /** The game so far, with what was taken back; empty before it has begun. */
  record(): string {
    return this.game ? weave(this.game.record(), this.remarks) : "";
  }

  /** Decide for a seat that cannot: pass, or the first thing that is legal. */
  decideSomehow(seat: number): void {
    const legal = this.running().legal(seat);
    if (legal.length) this.decide(seat, this.phase, legal.includes("pass") ? "pass" : legal[0]!);
  }

  /** Take the dice that people rolled at their table. */
  roll(dice: string): void {
    if (!this.rollers().length) throw new Refused("not-now");
    this.note(this.running().setRoll(dice));
  }

  /** The seats that may say what the real dice show now: the active one, or any person if that is a bot. */
  rollers(): number[] {
    const { game, room } = this;
    if (!game || !room.options.realDice || game.phase !== "roll") return [];
    if (isPerson(room.seats[game.active])) return [game.active];
    return room.seats.flatMap((seat, place) => (isPerson(seat) ? [place] : []));
  }

  /** Go on without those who are late. */
  timeUp(phase: number): void {
    const game = this.game;
    if (!game || game.isOver || phase !== this.phase) return;
    if (game.awaitsChance) return this.note(this.throwDice(game));
    for (const seat of game.deciders()) {
      if (phase !== this.phase) return;
      this.events.push({ e: "late", seat });
      this.decideSomehow(seat);
    }
  }

  /** Roll or shuffle as long as the game waits for it, unless people roll real dice. */
  letChance(): void {
    while (this.game?.awaitsChance && !this.rollers().length) this.note(this.throwDice(this.game));
  }

  /** Let chance decide, or the day whose dice are the same for everybody. */
  private throwDice(game: LocalGame): AnyEvent[] | Refusal {
    const { day } = this.room;
    return day ? game.setRoll(rollOf(day, game)) : game.roll();
  }

  private make(game: LocalGame, seat: number, action: string): void {
    const before = game.copy();
    const found = game.decide(seat, action);
    if (!isRefusal(found)) this.made.push({ before, seat, action, phase: this.phase });
    this.note(found);
  }

  /** Go back to where a phase began, and let all but one seat decide there as they did. */
  private rewind(phase: number, seat: number): void {
    const window = this.made.filter((each) => each.phase === phase);
    const [first] = window;
    if (!first) return;
    const choices = new Map(window.map((each) => [each.seat, each.action]));
    choices.delete(seat);
    this.made = this.made.filter((each) => each.phase < phase);
    this.game = first.before;
    this.remarks = movedBack(this.remarks, stepsIn(first.before.record()));
    const events = [...this.events];
    for (const [other, action] of choices) this.make(this.game, other, action);
    this.events = events; // nothing of this is news
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

  private note(found: AnyEvent[] | Refusal): void {
    if (isRefusal(found)) throw refused(found);
    this.events.push(...found);
    this.phase += found.filter((event) => event.e === "phase" || event.e === "over").length;
    if (found.some((event) => FIXING.has(event.e))) this.made = [];
    if (this.game?.isOver) this.room.stage = "over";
  }
}

/** What a server would answer. */
export function refused({ error, rule, details }: Refusal): Refused {
  return error === "illegal" ? new Refused(error, rule, details) : new Refused(error);
}
