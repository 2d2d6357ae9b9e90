/** The dealer of a local table: moves the game on and lets chance have its turn. The rules are the kernel's. */
import { isRefusal, type Kernel, type LocalGame, type Refusal } from "../kernel/index.ts";
import type { AnyEvent } from "../lib/protocol.ts";
import { isPerson, Refused, type Room } from "./room.ts";

export class Dealer {
  /** What has happened and was not told yet. */
  events: AnyEvent[] = [];

  constructor(
    private readonly room: Room,
    public game: LocalGame | null,
    /** How many phases have begun; a decision says which one it is for. */
    public phase: number,
  ) {}

  begin(kernel: Kernel): void {
    const { variant, seats, options } = this.room;
    const entry = kernel.catalogue.games.find((each) => each.id === variant);
    if (!entry || seats.length < entry.seats[0] || !seats.length) throw new Refused("too-few");
    const begun = kernel.begin({ variant, seats: seats.length, sheet: options.sheet || undefined, lucky: options.lucky });
    if (isRefusal(begun)) throw new Refused("bad-options");
    this.game = begun;
    this.room.stage = "playing";
    this.letChance();
  }

  /** Decide for a seat; a choice may be changed until the phase resolves. */
  decide(seat: number, phase: number, action: string): void {
    const game = this.running();
    if (phase !== this.phase) throw new Refused("late");
    this.note(game.decide(seat, action));
    this.letChance();
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
    if (game.awaitsChance) return this.note(game.roll());
    for (const seat of game.deciders()) {
      if (phase !== this.phase) return;
      this.events.push({ e: "late", seat });
      this.decideSomehow(seat);
    }
  }

  /** Roll or shuffle as long as the game waits for it, unless people roll real dice. */
  letChance(): void {
    while (this.game?.awaitsChance && !this.rollers().length) this.note(this.game.roll());
  }

  private running(): LocalGame {
    if (!this.game || this.game.isOver) throw new Refused("not-now");
    return this.game;
  }

  private note(found: AnyEvent[] | Refusal): void {
    if (isRefusal(found)) throw refused(found);
    this.events.push(...found);
    this.phase += found.filter((event) => event.e === "phase" || event.e === "over").length;
    if (this.game?.isOver) this.room.stage = "over";
  }
}

/** What a server would answer. */
export function refused({ error, rule, details }: Refusal): Refused {
  return error === "illegal" ? new Refused(error, rule, details) : new Refused(error);
}
