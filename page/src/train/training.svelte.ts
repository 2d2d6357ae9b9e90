/**
 * The training room as a house with one table: the screen's table, desk and parts play in it as anywhere else.
 *
 * It shows one position after the other, takes one answer for each and knows what it is worth. It knows no rule: what is
 * seen and legal there, and what speaks for each choice, the rules in this page say.
 */
import type { House, Line, Listener } from "../lib/house.ts";
import { plainRoom } from "../lib/plain-room.ts";
import type { FromPage, GameEntry, Reason, State, TableState } from "../lib/protocol.ts";
import type { Script, Standing } from "../local/calls.ts";
import { here } from "../local/here.ts";
import { noteAnswer, progressIn } from "./progress.ts";
import { idOf, type Puzzle, THEMES } from "./puzzles.ts";

/** What is asked for: a theme, those that were answered wrongly, or whatever comes. */
export type Wish = (typeof THEMES)[number] | "again" | "all";

/** What the room asks of the rules. */
export type Rules = Pick<typeof here, "stand" | "whyThere" | "reasons" | "games">;

export class Training implements House {
  readonly place = "here";
  wish = $state<Wish>("all");
  puzzle = $state.raw<Puzzle | null>(null);
  /** What the reader has decided; null while they think. */
  answer = $state<string | null>(null);
  /** What speaks for and against each choice, once there is an answer. */
  reasons = $state.raw<Record<string, Reason[]>>({});
  progress = $state.raw(progressIn(""));
  /** Whether the rules cannot be had here. */
  isBroken = $state(false);
  readonly themes: readonly Wish[];

  private listener: Listener | null = null;
  private standing: Standing | null = null;
  private count = 0;
  /** What was shown since the page is open, latest last. */
  private shown: string[] = [];

  constructor(
    readonly game: string,
    private readonly puzzles: readonly Puzzle[],
    private readonly names: (seat: number) => string,
    private readonly rules: Rules = here,
  ) {
    this.progress = progressIn(game);
    this.themes = THEMES.filter((theme) => puzzles.some((puzzle) => puzzle.theme === theme));
  }

  get isRight(): boolean {
    return this.answer !== null && this.answer === this.puzzle?.choices[0]![0];
  }

  /** How many puzzles a wish has, and how many of them are solved. */
  countOf(wish: Wish): { all: number; solved: number } {
    const ids = this.within(wish).map(idOf);
    return { all: ids.length, solved: ids.filter((id) => this.progress.solved.includes(id)).length };
  }

  /** Ask for puzzles of another kind; one that fits stays on the screen while it has no answer. */
  async choose(wish: Wish): Promise<void> {
    this.wish = wish;
    if (this.answer !== null || !this.puzzle || !this.within(wish).includes(this.puzzle)) await this.next();
  }

  /** Show the next puzzle: those nobody has answered first, then those that went wrong, then the ones not seen for longest. */
  async next(): Promise<void> {
    const { solved, again } = this.progress;
    const found = this.within(this.wish).map((puzzle) => ({ puzzle, id: idOf(puzzle) }));
    const rank = (id: string): number => {
      const seen = this.shown.lastIndexOf(id);
      if (seen >= 0) return 1_000 + seen;
      return solved.includes(id) ? 2 : again.includes(id) ? 1 : 0;
    };
    found.sort((one, other) => rank(one.id) - rank(other.id) || (one.id < other.id ? -1 : 1));
    const first = found[0];
    if (first) await this.show(first.puzzle);
  }

  /** Show the same one again, as if it had not been answered. */
  async retry(): Promise<void> {
    if (this.puzzle) await this.show(this.puzzle);
  }

  private within(wish: Wish): Puzzle[] {
    if (wish === "all") return [...this.puzzles];
    if (wish !== "again") return this.puzzles.filter((puzzle) => puzzle.theme === wish);
    return this.puzzles.filter((puzzle) => this.progress.again.includes(idOf(puzzle)));
  }

  private async show(puzzle: Puzzle): Promise<void> {
    const asked = ++this.count;
    try {
      const standing = await this.rules.stand(scriptOf(puzzle), puzzle.seat);
      if (asked !== this.count) return;
      this.standing = standing;
    } catch {
      this.isBroken = true;
      return;
    }
    this.shown.push(idOf(puzzle));
    this.puzzle = puzzle;
    this.answer = null;
    this.reasons = {};
    this.listener?.receive(this.room());
    this.listener?.receive(this.state());
  }

  private async decide(action: string): Promise<void> {
    const { puzzle, count } = this;
    if (!puzzle || this.answer !== null || !puzzle.choices.some(([each]) => each === action)) return;
    this.answer = action;
    this.progress = noteAnswer(this.game, idOf(puzzle), this.isRight);
    this.listener?.receive(this.state());
    const reasons = await this.rules.reasons(scriptOf(puzzle), puzzle.seat).catch(() => ({}));
    if (count === this.count) this.reasons = reasons;
  }

  private async explain(action: string): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.answer !== null) return;
    const found = await this.rules.whyThere(scriptOf(puzzle), puzzle.seat, action).catch(() => null);
    const { code, rule, details } = found ?? { code: "allowed", rule: "", details: {} };
    if (puzzle === this.puzzle) this.listener?.receive({ t: "why", seat: puzzle.seat, action, code, rule, details });
  }

  // ---- the house

  connect(_code: string, listener: Listener): Line {
    this.listener = listener;
    queueMicrotask(() => {
      listener.connected(true);
      void this.next();
    });
    return { send: (message) => this.hear(message), close: () => (this.listener = null) };
  }

  /** Answer a little later, as everybody does: whoever asks has first to note that they did. */
  private hear(message: FromPage): boolean {
    if (message.t === "decide") queueMicrotask(() => void this.decide(message.action));
    else if (message.t === "why") queueMicrotask(() => void this.explain(message.action));
    return true;
  }

  private room(): TableState {
    const { seat, position } = this.puzzle!;
    const [, sheet = this.game] = / sheet=(\S+)/.exec(position) ?? [];
    const seats = this.standing!.view.sheets.map(({ seat: place }) => ({
      ...{ seat: place, name: this.names(place === seat ? 0 : place || 1), kind: "person" as const, level: null, here: true, votes: 0, words: "" },
    }));
    const options = { timer: 0, sealed: true, realDice: false, sheet: "", lucky: null, late: false, hints: null };
    const code = idOf(this.puzzle!);
    return plainRoom({ code, variant: this.game, sheet, stage: "playing", host: null, mine: [seat], seats, options });
  }

  private state(): State {
    const { view, mine } = this.standing!;
    const { seat } = this.puzzle!;
    // Nothing follows from an answer, so there is nothing to be asked about before it but a miss.
    const own = { ...mine, closes: {}, ends: [], choice: this.answer };
    return { t: "state", phase: this.count, view, mine: { [seat]: own }, events: [], deadline: null, rollers: [], undoable: [], outcome: null };
  }

  games(): Promise<GameEntry[]> {
    return this.rules.games();
  }

  exists(): Promise<boolean> {
    return Promise.resolve(true);
  }

  // A puzzle is no game that is opened, kept or seen again.
  open(): Promise<never> {
    return Promise.reject(new Error("404"));
  }

  replay(): Promise<never> {
    return Promise.reject(new Error("404"));
  }

  record(): Promise<never> {
    return Promise.reject(new Error("404"));
  }
}

function scriptOf({ position }: Puzzle): Script {
  return { start: position, steps: [] };
}
