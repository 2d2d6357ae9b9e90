/**
 * A lesson as a house with one table: the screen's table, desk and parts play in it as anywhere else.
 *
 * It shows one step of a script after the other, takes what the step asks for, and answers everything else with the reason
 * why not. It knows no rule: where a step stands, what is legal there and why something is not, the rules in this page say.
 */
import type { House, Line, Listener } from "../lib/house.ts";
import { plainRoom } from "../lib/plain-room.ts";
import type { AnyEvent, FromPage, GameEntry, State, TableState } from "../lib/protocol.ts";
import type { Script, Standing } from "../local/calls.ts";
import { here } from "../local/here.ts";
import { keepProgress, progressOf } from "./progress.ts";
import type { Step } from "./scripts.ts";

/** The seat of whoever learns; the others are played by the script. */
const READER = 0;

/** What a lesson asks of the rules. */
export type Rules = Pick<typeof here, "stand" | "whyThere" | "games">;

export class Lesson implements House {
  readonly place = "here";
  /** The step on the screen. */
  at = $state(0);
  /** Whether what it asks for is done. */
  isDone = $state(false);
  /** A number that was picked and is not right. */
  missed = $state<number | null>(null);
  /** Whether the rules cannot be had here. */
  isBroken = $state(false);

  private answers: (string | null)[];
  private listener: Listener | null = null;
  private standing: Standing | null = null;
  /** Counts what was told: nothing that was meant for an earlier step may count in a later one. */
  private count = 0;

  constructor(
    readonly variant: string,
    readonly steps: readonly Step[],
    private readonly names: readonly string[],
    private readonly rules: Rules = here,
  ) {
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

  // ---- going through it

  /** Go on; whoever has not done what was asked lets it be done. */
  async next(): Promise<void> {
    if (this.isLast) return;
    if (!this.isDone) this.answers[this.at] = this.usualAnswer();
    await this.show(this.at + 1);
  }

  /** Go back: to the beginning of this step, or to the one before. */
  async back(): Promise<void> {
    await this.show(this.isDone || this.at === 0 ? this.at : this.at - 1);
  }

  async again(): Promise<void> {
    await this.show(0);
  }

  /** A number was picked where something is to be counted. */
  pick(number: number): void {
    if (this.isDone) return;
    this.missed = number === this.step.right ? null : number;
    if (this.missed === null) this.finish();
  }

  /** Show a step when it is known where it stands, so that words and sheet change together. */
  private async show(at: number): Promise<void> {
    const script = this.before(at);
    const standing = await this.ask(script);
    if (!standing) return;
    this.at = at;
    this.isDone = false;
    this.missed = null;
    keepProgress(this.variant, { at, answers: this.answers });
    this.tell(standing, script.steps.length - (this.step.plays?.length ?? 0));
  }

  private finish(): void {
    this.isDone = true;
    keepProgress(this.variant, { at: this.at, answers: this.answers, ...(this.isLast ? { finished: true } : {}) });
  }

  private usualAnswer(): string | null {
    const { asks = [] } = this.step;
    return asks.find((each) => this.standing?.mine.legal.includes(each)) ?? asks[0] ?? null;
  }

  /** Everything that was done before a step asks. */
  private before(at: number): Script {
    const first = this.steps.findLastIndex((step, place) => place <= at && step.start);
    const steps = this.steps.slice(first, at).flatMap((step, place) => this.whole(step, this.answers[first + place] ?? null));
    return { start: this.steps[first]!.start!, steps: [...steps, ...(this.steps[at]!.plays ?? [])] };
  }

  private whole(step: Step, answer: string | null): string[] {
    const done = answer ?? step.asks?.[0];
    return [...(step.plays ?? []), ...(done ? [`${READER} ${done}`] : []), ...(step.then ?? [])];
  }

  /** Ask where a script ends; null if something else was asked meanwhile, or the rules cannot be had. */
  private async ask(script: Script): Promise<Standing | null> {
    const asked = ++this.count;
    try {
      const standing = await this.rules.stand(script, READER);
      return asked === this.count ? standing : null;
    } catch {
      this.isBroken = true;
      return null;
    }
  }

  /** Tell the table; what happened before step `from` is no news. */
  private tell(standing: Standing, from: number): void {
    this.standing = standing;
    this.listener?.receive(this.state(standing.events.slice(from).flat()));
  }

  // ---- what the reader does

  private async decide(action: string): Promise<void> {
    if (this.isDone) return this.refuse("lesson-next");
    if (!this.step.asks?.includes(action)) return this.refuse("lesson-other");
    const { at } = this;
    const script = this.before(at);
    const standing = await this.ask({ ...script, steps: [...script.steps, `${READER} ${action}`, ...(this.step.then ?? [])] });
    if (!standing) return;
    this.answers[at] = action;
    this.finish();
    this.tell(standing, script.steps.length);
  }

  private async explain(action: string): Promise<void> {
    if (this.isDone) return this.refuse("lesson-next");
    const { at } = this;
    const found = await this.rules.whyThere(this.before(at), READER, action).catch(() => null);
    if (at !== this.at) return;
    const { code, rule, details } = found ?? { code: "allowed", rule: "", details: {} };
    if (this.step.tries?.includes(action)) this.finish();
    this.listener?.receive({ t: "why", seat: READER, action, code, rule, details });
  }

  private refuse(code: string): void {
    this.listener?.receive({ t: "error", code });
  }

  // ---- the house

  connect(_code: string, listener: Listener): Line {
    this.listener = listener;
    queueMicrotask(() => {
      listener.connected(true);
      listener.receive(this.room());
      void this.show(this.at);
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
    const seats = this.names.map((name, seat) => ({ seat, name, kind: "person" as const, level: null, here: true, votes: 0, words: "" }));
    const options = { timer: 0, sealed: true, realDice: false, sheet: "", lucky: null, late: false, hints: null };
    const { variant } = this;
    return plainRoom({ code: "", variant, sheet: variant, stage: "playing", host: null, mine: [READER], seats, options });
  }

  private state(events: AnyEvent[]): State {
    const { view, mine, outcome } = this.standing!;
    // When a step is done, or there is nothing to do but try and count, nothing is lit.
    const own = this.isDone || this.step.picks ? { ...mine, legal: [], closes: {}, ends: [], passMiss: false } : mine;
    return { t: "state", phase: this.count, view, mine: { [READER]: own }, events, deadline: null, rollers: [], undoable: [], outcome };
  }

  games(): Promise<GameEntry[]> {
    return this.rules.games();
  }

  exists(): Promise<boolean> {
    return Promise.resolve(true);
  }

  // A lesson is no game that is opened, kept or seen again.
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

/** An answer that was kept counts only if the step still asks for it. */
function known(step: Step, answer: string | null): string | null {
  return answer !== null && step.asks?.includes(answer) ? answer : null;
}
