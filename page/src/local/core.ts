/**
 * The core of a table: the decisions of a game, and the lines of the ledger that record them.
 *
 * `decide`, `withdraw` and `undo` return a `Change`. A server's table has the same core, with the same names
 * (`qwixx/server/table/core.py`); `tests/golden/core.txt` proves both.
 */
import { isRefusal, type Kernel, type LocalGame, type Refusal } from "../engine/index.ts";
import { TABLE, type AnyEvent } from "../protocol.ts";
import { hintLine, isRemark, isStep, undoLine } from "./ledgerRemarks.ts";
import { Refused } from "./room.ts";

export interface Change {
  /** New lines of the ledger. */
  lines: string[];
  events: AnyEvent[];
  /** The step from which the new lines replace the ledger; null if they follow its end. */
  cut: number | null;
}

/** A decision that can still be undone: no dice and nothing hidden were shown since. */
interface Decision {
  before: LocalGame;
  seat: number;
  text: string;
  phase: number;
  /** The step where its phase begins. */
  start: number;
}

const IRREVERSIBLE: readonly string[] = TABLE.irreversible;
const BEGINNING: readonly string[] = TABLE.beginning;

export class Core {
  /** How many phases have begun; a decision names its phase. */
  phase = 0;
  /** Every roll, decision and remark so far. */
  readonly ledger: string[];
  /** The lines of a record before these. */
  private readonly head: string[];
  /** Decisions since dice or hidden cards were last shown, oldest first; changed choices too. */
  private decisions: Decision[] = [];
  /** The step where the open phase begins. */
  private window: number;

  constructor(public game: LocalGame) {
    const lines = game.record().split("\n").filter(Boolean);
    this.ledger = lines.filter(isStep);
    this.head = lines.filter((line) => !isStep(line) && !line.startsWith("scores "));
    this.window = this.ledger.length;
  }

  /** Replay a record. Decisions since the last roll are applied again, so that they can be undone. */
  static resume(kernel: Kernel, record: string, phase: number): Core {
    const lines = record.split("\n");
    const first = lines.findLastIndex((line) => isStep(line) && !/^\d/.test(line)) + 1;
    const game = kernel.replay(`${lines.slice(0, first).join("\n") || record}\n`);
    if (isRefusal(game)) throw new Refused("no-record");
    const core = new Core(game);
    core.ledger.splice(0, Infinity, ...lines.slice(0, first).filter((line) => isStep(line) || isRemark(line)));
    core.window = core.ledger.length;
    for (const line of lines.slice(first)) {
      if (isStep(line)) core.apply(core.ledger.length, Number(line[0]), line.slice(2));
      else if (isRemark(line)) core.ledger.push(line);
    }
    core.decisions.forEach((each) => (each.phase += phase - core.phase));
    core.phase = phase;
    return core;
  }

  record(): string {
    const scores = this.game.isOver ? [`scores ${this.game.scores().join(" ")}`] : [];
    return [...this.head, ...this.ledger, ...scores, ""].join("\n");
  }

  /** Return the choices in the open phase, by seat. */
  choices(): Map<number, string> {
    return new Map(this.decisions.flatMap((made) => (made.phase === this.phase ? [[made.seat, made.text]] : [])));
  }

  /** Return the rows that the choices in the open phase close, by seat: what their players announce (C14). */
  closings(): Map<number, string[]> {
    const rows = [...this.choices()].map(([seat, text]) => [seat, this.game.mine(seat).closes[text] ?? []] as const);
    return new Map(rows.flatMap(([seat, closed]) => (closed.length ? [[seat, closed]] : [])));
  }

  /** Return the seats that may undo their last decision after its phase; none after a roll, shown cards or the end. */
  undoable(): number[] {
    return [...new Set(this.decisions.filter((made) => made.phase < this.phase).map((made) => made.seat))].sort();
  }

  /** Return the game. Throws `Refused` unless this phase is open. */
  inPhase(phase: number): LocalGame {
    if (this.game.isOver) throw new Refused("not-now");
    if (phase !== this.phase) throw new Refused("late");
    return this.game;
  }

  /**
   * Decide for a seat in an open phase; a changed choice replaces the line of the earlier one.
   *
   * At a table that announces closings, a choice that closes a row is binding.
   */
  decide(seat: number, phase: number, action: string, announces = false): Change {
    this.inPhase(phase);
    if (this.choices().get(seat) === action) return { lines: [], events: [], cut: null };
    if (announces) this.checkBinding(seat);
    const own = `${seat} `;
    const place = this.ledger.findLastIndex((line, at) => at >= this.window && line.startsWith(own));
    return this.apply(place < 0 ? this.ledger.length : place, seat, action);
  }

  /** Roll, deal or shuffle: as the text says, or by the game's own chance. */
  roll(text: string | null): Change {
    const events = done(text === null ? this.game.roll() : this.game.setRoll(text));
    const change = this.write(this.ledger.length, [this.game.lastStep], events);
    this.follow(null, events);
    return change;
  }

  /** Withdraw the choice of a seat while the phase is open, unless it is binding; the choices of others stay. */
  withdraw(seat: number, phase: number, announces = false): Change {
    this.inPhase(phase);
    if (!this.choices().has(seat)) return { lines: [], events: [], cut: null };
    if (announces) this.checkBinding(seat);
    return this.rewind(phase, this.window, seat, []);
  }

  /** Refuse to change a choice that closes a row: the others know of it (C14). */
  private checkBinding(seat: number): void {
    if (this.closings().has(seat)) throw new Refused("announced", "C14");
  }

  /** Refuse if a seat has no decision to undo. */
  checkUndo(seat: number, phase: number): void {
    this.inPhase(phase);
    if (!this.undoable().includes(seat)) throw new Refused("no-undo");
  }

  /** Undo the last decision of a seat, and all later phases; decisions of others in its phase stay. */
  undo(seat: number): Change {
    const last = this.decisions.findLast((made) => made.seat === seat && made.phase < this.phase)!;
    const later = this.decisions.filter(
      (made) => made.phase > last.phase || (made.phase === last.phase && made.seat === seat),
    );
    const undone = new Map(later.map((made) => [`${made.phase}/${made.seat}`, undoLine(made.seat, made.text)]));
    this.phase += 1; // messages that are under way for an earlier phase must not count here
    return { ...this.rewind(last.phase, last.start, seat, [...undone.values()]), events: [{ e: "undone", seat }] };
  }

  /** Record that a seat took a hint. */
  noteHint(seat: number): Change {
    return this.write(this.ledger.length, [hintLine(seat)], [{ e: "hinted", seat }]);
  }

  /** Replace the ledger from a place on. */
  private write(place: number, lines: string[], events: AnyEvent[]): Change {
    const cut = place < this.ledger.length ? place : null;
    this.ledger.splice(place, Infinity, ...lines);
    return { lines, events, cut };
  }

  /** Decide for a seat, and write the line to a place of the ledger. */
  private apply(place: number, seat: number, action: string): Change {
    const before = this.game.copy();
    const events = done(this.game.decide(seat, action));
    const line = this.game.lastStep;
    const change = this.write(place, [line, ...this.ledger.slice(place + 1)], events);
    this.follow({ before, seat, text: line.slice(2), phase: this.phase, start: this.window }, events);
    return change;
  }

  /** Go back to the start of a phase and repeat the choices of all seats but one; the remarks stay. */
  private rewind(phase: number, start: number, seat: number, remarks: string[]): Change {
    const made = this.decisions.filter((each) => each.phase === phase);
    const choices = new Map(made.map((each) => [each.seat, each.text]));
    choices.delete(seat);
    this.decisions = this.decisions.filter((each) => each.phase < phase);
    this.game = made[0]!.before;
    const kept = [...this.ledger.slice(start).filter(isRemark), ...remarks];
    this.window = start + kept.length;
    const change = this.write(start, [...kept, ...[...choices].map(([other, text]) => `${other} ${text}`)], []);
    for (const [other, text] of choices) {
      const before = this.game.copy();
      this.game.decide(other, text);
      this.decisions.push({ before, seat: other, text, phase: this.phase, start: this.window });
    }
    return change;
  }

  /** Note a step that is in the ledger: what can be undone, and the phases that it began. */
  private follow(made: Decision | null, events: AnyEvent[]): void {
    if (made) this.decisions.push(made);
    const began = events.filter(({ e }) => BEGINNING.includes(e)).length;
    this.phase += began;
    if (events.some(({ e }) => IRREVERSIBLE.includes(e))) this.decisions = [];
    if (began) this.window = this.ledger.length;
  }
}

/** Return what happened, or throw the engine's refusal as a server's. */
export function done<T>(found: T | Refusal): T {
  if (!isRefusal(found)) return found;
  const { error, rule, details } = found;
  throw error === "illegal" ? new Refused(error, rule, details) : new Refused(error);
}
