/** A session of puzzles: it shows positions, takes one answer for each, and rates it. */
import { ScriptedHouse, type ScriptRules } from "../tutorial/scriptedHouse.svelte.ts";
import type { Puzzle, Reason } from "../protocol.ts";
import type { Script } from "../local/workerMessages.ts";
import { localHouse } from "../local/localHouse.ts";
import { noteAnswer, progressIn } from "./progress.ts";
import { idOf, THEMES } from "./puzzleFiles.ts";

/** The filter: a theme, failed puzzles, or all. */
export type Wish = (typeof THEMES)[number] | "again" | "all";

/** The calls to the engine that a session needs. */
export type Rules = ScriptRules & Pick<typeof localHouse, "reasons">;

export class PuzzleSession extends ScriptedHouse {
  wish = $state<Wish>("all");
  puzzle = $state.raw<Puzzle | null>(null);
  /** The reader's answer; null before it. */
  answer = $state<string | null>(null);
  /** The reasons for and against each choice, after the answer. */
  reasons = $state.raw<Record<string, Reason[]>>({});
  progress = $state.raw(progressIn(""));
  readonly themes: readonly Wish[];

  /** The puzzles shown since the page was opened, latest last. */
  private shown: string[] = [];

  constructor(
    readonly game: string,
    private readonly puzzles: readonly Puzzle[],
    private readonly names: (seat: number) => string,
    private readonly rules: Rules = localHouse,
  ) {
    super(rules);
    this.progress = progressIn(game);
    this.themes = THEMES.filter((theme) => puzzles.some((puzzle) => puzzle.theme === theme));
  }

  get isRight(): boolean {
    return this.answer !== null && this.answer === this.puzzle?.choices[0]![0];
  }

  /** Return how many puzzles a filter has, and how many of them are solved. */
  countOf(wish: Wish): { all: number; solved: number } {
    const ids = this.within(wish).map(idOf);
    return { all: ids.length, solved: ids.filter((id) => this.progress.solved.includes(id)).length };
  }

  /** Change the filter; an unanswered puzzle that fits stays on the screen. */
  async choose(wish: Wish): Promise<void> {
    this.wish = wish;
    if (this.answer !== null || !this.puzzle || !this.within(wish).includes(this.puzzle)) await this.next();
  }

  /** Show the next puzzle: first unanswered ones, then failed ones, then the ones not shown for longest. */
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
    const standing = await this.ask(scriptOf(puzzle), puzzle.seat);
    if (!standing) return;
    this.standing = standing;
    this.shown.push(idOf(puzzle));
    this.puzzle = puzzle;
    this.answer = null;
    this.reasons = {};
    const { seat, position } = puzzle;
    const [, sheet = this.game] = / sheet=(\S+)/.exec(position) ?? [];
    const names = standing.view.sheets.map(({ seat: place }) => this.names(place === seat ? 0 : place || 1));
    this.tellRoom({ code: idOf(puzzle), variant: this.game, sheet, mine: seat, names });
    this.tellAnswer();
  }

  /** An answer has no consequences in a puzzle, so only a miss asks for confirmation. */
  private tellAnswer(): void {
    this.tellState({
      seat: this.puzzle!.seat,
      own: { ...this.standing!.mine, closes: {}, ends: [], choice: this.answer },
    });
  }

  protected begin(): void {
    void this.next();
  }

  protected async decide(action: string): Promise<void> {
    const { puzzle, count } = this;
    if (!puzzle || this.answer !== null || !puzzle.choices.some(([each]) => each === action)) return;
    this.answer = action;
    this.progress = noteAnswer(this.game, idOf(puzzle), this.isRight);
    this.tellAnswer();
    const reasons = await this.rules.reasons(scriptOf(puzzle), puzzle.seat).catch(() => ({}));
    if (count === this.count) this.reasons = reasons;
  }

  protected async explain(action: string): Promise<void> {
    const { puzzle } = this;
    if (!puzzle || this.answer !== null) return;
    const tellWhy = await this.reasonFor(scriptOf(puzzle), puzzle.seat, action);
    if (puzzle === this.puzzle) tellWhy();
  }
}

function scriptOf({ position }: Puzzle): Script {
  return { start: position, steps: [] };
}
