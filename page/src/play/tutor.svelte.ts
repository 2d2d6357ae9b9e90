/**
 * The tutor of this device: it asks before a choice that loses too much. It computes the losses in the worker while the person
 * thinks, from what the seat may see, and says nothing that the values cannot measure.
 */
import { gradeOf } from "../engine/coach/grades.ts";
import type { Losses } from "../engine/coach/hints.ts";
import { canPlayLocally, localHouse } from "../local/localHouse.ts";
import type { Table } from "../connection/table.svelte.ts";
import { settings } from "../device/settings.svelte.ts";

/** A loss that is worth a question. */
export interface Warning {
  loss: number;
  measure: Losses["measure"];
}

export class Tutor {
  /** The losses of a decision window, as soon as they are known. */
  private known = $state.raw<{ window: string; found: Losses | null } | null>(null);
  private asked = "";

  constructor(private readonly table: Table) {}

  /** Whether the values of this window are known, and its choices are watched. */
  watches(seat: number): boolean {
    return this.isOn && this.known?.window === this.window(seat) && this.known.found !== null;
  }

  /** Compute the losses of a seat that has to choose, once in each window. */
  prepare(seat: number): void {
    const { table } = this;
    const { room, state } = table;
    const mine = state?.mine[seat];
    const window = this.window(seat);
    if (!this.isOn || !room || !state || !mine || mine.legal.length < 2 || mine.choice || window === this.asked) return;
    this.asked = window;
    const here = table.house.place === "here" ? room.code : "";
    localHouse
      .losses({ view: mine.view ?? state.view, sheet: room.sheet, seat }, here)
      .then((found) => (this.known = { window, found }))
      .catch(() => (this.asked = "")); // no weights yet: the next window tries again
  }

  /** Return what a choice loses if it is worth a question; never the loss that the person has read in a hint. */
  warning(seat: number, action: string): Warning | null {
    const { grading, losses, measure } = (this.watches(seat) && this.known?.found) || {};
    const loss = losses?.[action];
    if (!grading || !measure || loss === undefined || this.table.hint?.seat === seat) return null;
    const { grades } = grading;
    const grade = gradeOf(grading, measure, loss, grading.error);
    const isAsked = (grades as readonly string[]).includes(settings.tutor);
    return isAsked && grades.indexOf(grade) >= (grades as readonly string[]).indexOf(settings.tutor)
      ? { loss, measure }
      : null;
  }

  /** Count the question as a hint: the table notes it, and the others see it. */
  note(seat: number): void {
    const { table } = this;
    if (table.state) table.send({ t: "hint", seat, phase: table.state.phase, quiet: true });
  }

  private get isOn(): boolean {
    const { room, isConnected } = this.table;
    return settings.tutor !== "off" && Boolean(room?.hints) && isConnected && canPlayLocally();
  }

  private window(seat: number): string {
    return `${this.table.state?.phase}/${seat}`;
  }
}
