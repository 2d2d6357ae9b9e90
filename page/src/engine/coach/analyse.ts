/**
 * Analyses a record in one pass: the net rates every moment, and each change of value is split into luck, own decisions and
 * decisions of others.
 *
 * The values of positions and choices come from the wasm module. The rest follows `qwixx.coach.review.analysis`; tests compare whole
 * analyses.
 */
import type { Analysis, Choice, Decision, ValueBreakdown, ValueChange } from "../../protocol.ts";
import { accuracyOf, gradeOf, isClose, type Grade, type Grading, type Measure } from "./grades.ts";
import type { Worth } from "./netPlayer.ts";
import type { Step } from "../text/records.ts";

/** A legal action of a seat, and the values of all seats after it. */
export interface Weight extends Worth {
  action: string;
}

/** A moment of a game with its values. */
export interface Moment extends Worth {
  turn: number;
  phase: string;
  /** The choices by seat; null before a roll or deal, and when the game is over. */
  choices: Map<number, Weight[]> | null;
  /** Whether a decision reveals cards that its seat has not seen: then chance is a part of what follows. */
  showsCards: boolean;
}

/** Who judges. */
interface Judge {
  by: string;
  grading: Grading;
}

/** Builds an analysis from moments and the steps between them. */
export class AnalysisBuilder {
  readonly #judge: Judge;
  readonly #measure: Measure;
  #start: Moment | undefined;
  #before: Moment | undefined;
  /** The decisions since the last moment, by seat. */
  #chosen = new Map<number, { step: number; text: string }>();
  #text = "";
  #step = -1;
  readonly #swings: ValueChange[] = [];
  readonly #decisions: Decision[] = [];

  constructor(judge: Judge, seats: number) {
    this.#judge = judge;
    this.#measure = seats > 1 ? "win" : "points";
  }

  note(place: number, { seat, text }: Pick<Step, "seat" | "text">): void {
    this.#step = place;
    if (seat === null) this.#text = text;
    else this.#chosen.set(seat, { step: place, text });
  }

  /** Add the next moment and rate what happened since the last one. */
  reach(moment: Moment): void {
    const before = this.#before;
    if (!before) this.#start = moment;
    else if (before.choices) this.#judgeWindow(before, before.choices, moment);
    else {
      const nothing = moment.values.map(() => 0);
      const luck = moment.values.map((value, seat) => value - before.values[seat]!);
      this.#add(before, moment, { text: this.#text, luck, own: nothing, others: nothing });
    }
    this.#before = moment;
    this.#chosen = new Map();
    this.#text = "";
  }

  #judgeWindow(before: Moment, choices: Map<number, Weight[]>, moment: Moment): void {
    const losses = moment.values.map(() => 0);
    for (const [seat, { step, text }] of this.#chosen) {
      const decision = this.#decision(before, choices.get(seat)!, seat, step, text);
      this.#decisions.push(decision);
      losses[seat] = decision.loss;
    }
    const rest = moment.values.map((value, seat) => value - before.values[seat]! + losses[seat]!);
    let others = rest;
    let text = "";
    if (before.showsCards) {
      const shared = sum(losses) / Math.max(losses.length - 1, 1);
      others = rest.map((_, seat) => (this.#chosen.has(seat) ? 0 : shared));
      text = [...this.#chosen.values()][0]!.text;
    } else if (choices.size === 1) {
      others = rest.map((left, seat) => (this.#chosen.has(seat) ? 0 : left));
    }
    const luck = rest.map((left, seat) => left - others[seat]!);
    this.#add(before, moment, { text, luck, own: losses.map((loss) => -loss), others });
  }

  #decision({ turn, phase }: Moment, weights: Weight[], seat: number, step: number, text: string): Decision {
    const { grading } = this.#judge;
    const choices = ranked(weights, seat);
    const chosen = choices.find(({ action }) => action === text)!;
    const grade = gradeOf(grading, this.#measure, chosen.loss, grading.error);
    const close = isClose(grading, this.#measure, chosen.loss, grading.error);
    const facts = { step, turn, seat, phase, chosen: text, best: choices[0]!.action };
    return { ...facts, loss: chosen.loss, grade, close, source: "learned", choices };
  }

  #add(
    { turn, phase }: Moment,
    { values, points }: Moment,
    parts: Pick<ValueChange, "text" | "luck" | "own" | "others">,
  ): void {
    this.#swings.push({ step: this.#step, turn, kind: phase, values, points, ...parts });
  }

  finish(variant: string, seats: number, scores: number[] | null): Analysis {
    const { by, grading } = this.#judge;
    const { values: start, points: start_points } = this.#start!;
    const accounts = Array.from({ length: seats }, (_, seat) => this.#account(seat));
    const judged = { measure: this.#measure, by, source: "learned" as const, error: grading.error };
    return {
      variant,
      seats,
      ...judged,
      start,
      start_points,
      scores,
      accounts,
      swings: this.#swings,
      decisions: this.#decisions,
    };
  }

  #account(seat: number): ValueBreakdown {
    const { grading } = this.#judge;
    const free = this.#decisions.filter((each) => each.seat === seat && each.choices.length > 1);
    const total = (part: "luck" | "own" | "others"): number => sum(this.#swings.map((swing) => swing[part][seat]!));
    const count = (name: Grade): number => free.filter(({ grade }) => grade === name).length;
    const start = this.#start!.values[seat]!;
    return {
      seat,
      start,
      luck: total("luck"),
      own: total("own"),
      others: total("others"),
      final: this.#swings.at(-1)?.values[seat] ?? start,
      accuracy: accuracyOf(
        grading,
        this.#measure,
        free.map(({ loss }) => loss),
      ),
      grades: Object.fromEntries(grading.grades.map((name) => [name, count(name)])) as Record<Grade, number>,
    };
  }
}

/** Return the choices of a seat, best first, with the loss of each. */
export function ranked(weights: Weight[], seat: number): Choice[] {
  const top = Math.max(...weights.map(({ values }) => values[seat]!));
  const choices = weights.map(({ action, values, points }) => {
    return { action, value: values[seat]!, points: points[seat]!, loss: top - values[seat]! };
  });
  return choices.sort((one, other) => one.loss - other.loss);
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
