/**
 * A lesson: it shows the steps of a script, accepts the action that a step asks for, and answers every other action with the
 * reason why not.
 */
import type { Script, ScriptState } from "../local/workerMessages.ts";
import { localHouse } from "../local/localHouse.ts";
import { keepProgress, progressOf } from "./progress.ts";
import { ScriptedHouse, type ScriptRules } from "./scriptedHouse.svelte.ts";
import type { Step } from "./lessonFiles.ts";

/** The seat of the learner; the script plays the others. */
const READER = 0;

export class Lesson extends ScriptedHouse {
  /** The step on the screen. */
  at = $state(0);
  /** Whether the task of the step is done. */
  isDone = $state(false);
  /** The wrong number that was picked. */
  missed = $state<number | null>(null);

  private answers: (string | null)[];

  constructor(
    readonly variant: string,
    readonly steps: readonly Step[],
    private readonly names: readonly string[],
    rules: ScriptRules = localHouse,
  ) {
    super(rules);
    const kept = progressOf(variant);
    this.at = kept.at < steps.length ? kept.at : 0;
    this.answers = steps.map((step, place) => known(step, kept.answers[place] ?? null));
  }

  get step(): Step {
    return this.steps[this.at]!;
  }

  get isLast(): boolean {
    return this.at === this.steps.length - 1;
  }

  // ---- navigation

  /** Go to the next step; a task that is not done yet is done automatically. */
  async next(): Promise<void> {
    if (this.isLast) return;
    if (!this.isDone) this.answers[this.at] = this.usualAnswer();
    await this.show(this.at + 1);
  }

  /** Go back to the start of this step, or to the previous one. */
  async back(): Promise<void> {
    await this.show(this.isDone || this.at === 0 ? this.at : this.at - 1);
  }

  async again(): Promise<void> {
    await this.show(0);
  }

  /** Handle the answer to a counting task. */
  pick(number: number): void {
    if (this.isDone) return;
    this.missed = number === this.step.right ? null : number;
    if (this.missed === null) this.finish();
  }

  /** Show a step once its state is computed, so that text and sheet change together. */
  private async show(at: number): Promise<void> {
    const script = this.before(at);
    const standing = await this.ask(script, READER);
    if (!standing) return;
    this.at = at;
    this.isDone = false;
    this.missed = null;
    keepProgress(this.variant, { at, answers: this.answers });
    this.stand(standing, script.steps.length - (this.step.plays?.length ?? 0));
  }

  private finish(): void {
    this.isDone = true;
    keepProgress(this.variant, { at: this.at, answers: this.answers, ...(this.isLast ? { finished: true } : {}) });
  }

  private usualAnswer(): string | null {
    const { asks = [] } = this.step;
    return asks.find((each) => this.standing?.mine.legal.includes(each)) ?? asks[0] ?? null;
  }

  /** Return all actions before the task of a step. */
  private before(at: number): Script {
    const first = this.steps.findLastIndex((step, place) => place <= at && step.start);
    const steps = this.steps
      .slice(first, at)
      .flatMap((step, place) => this.whole(step, this.answers[first + place] ?? null));
    return { start: this.steps[first]!.start!, steps: [...steps, ...(this.steps[at]!.plays ?? [])] };
  }

  private whole(step: Step, answer: string | null): string[] {
    const done = answer ?? step.asks?.[0];
    return [...(step.plays ?? []), ...(done ? [`${READER} ${done}`] : []), ...(step.then ?? [])];
  }

  /** Send the state at the end of a script to the table; events before step `from` are not new. */
  private stand(standing: ScriptState, from: number): void {
    this.standing = standing;
    const { mine, outcome } = standing;
    // When a step is done, or its task is to try or to count, no cell is lit.
    const own = this.isDone || this.step.picks ? { ...mine, legal: [], closes: {}, ends: [], passMiss: false } : mine;
    this.tellState({ seat: READER, own, events: standing.events.slice(from).flat(), outcome });
  }

  // ---- actions of the reader

  protected begin(): void {
    const { variant, names } = this;
    this.tellRoom({ code: "", variant, sheet: variant, mine: READER, names });
    void this.show(this.at);
  }

  protected async decide(action: string): Promise<void> {
    if (this.isDone) return this.refuse("lesson-next");
    if (!this.step.asks?.includes(action)) return this.refuse("lesson-other");
    const { at } = this;
    const script = this.before(at);
    const standing = await this.ask(
      { ...script, steps: [...script.steps, `${READER} ${action}`, ...(this.step.then ?? [])] },
      READER,
    );
    if (!standing) return;
    this.answers[at] = action;
    this.finish();
    this.stand(standing, script.steps.length);
  }

  protected async explain(action: string): Promise<void> {
    if (this.isDone) return this.refuse("lesson-next");
    const { at } = this;
    const tellWhy = await this.reasonFor(this.before(at), READER, action);
    if (at !== this.at) return;
    if (this.step.tries?.includes(action)) this.finish();
    tellWhy();
  }

  private refuse(code: string): void {
    this.tell({ t: "error", code });
  }
}

/** A stored answer counts only if the step still asks for it. */
function known(step: Step, answer: string | null): string | null {
  return answer !== null && step.asks?.includes(answer) ? answer : null;
}
