/** The chance to reach the target in a running solitaire: from the position before each roll, once a turn, in the worker. */
import { canPlayLocally, localHouse } from "../../local/localHouse.ts";
import type { Table } from "../../connection/table.svelte.ts";
import { type Chance, chanceOf, exactChance, setTarget, type Target, targetOf } from "../../history/targets.ts";
import type { View } from "../../protocol.ts";

export class TargetWatch {
  target = $state.raw<Target | null>(null);
  /** Final scores from the position of a turn, or that the game is new and solved. */
  private found = $state.raw<{ turn: number; scores: number[] | "new" } | null>(null);
  private asked = -1;
  readonly variant: string;

  constructor(private readonly table: Table) {
    this.variant = table.room?.variant ?? "";
    this.target = targetOf(this.variant);
  }

  /** Whether the game is a solitaire of this device. */
  readonly isAlone = $derived.by(() => this.table.state?.view.seats === 1 && this.table.mine.length === 1);

  /** Whether the chance that is shown is exact. */
  readonly isExact = $derived.by(() => this.found?.scores === "new");

  /** The number of simulated games behind it. */
  readonly games = $derived.by(() => (this.found?.scores === "new" ? 0 : (this.found?.scores.length ?? 0)));

  /** Whether it belongs to the turn before, while that of this turn is computed. */
  readonly isOld = $derived.by(() => this.found?.turn !== this.table.state?.view.turn);

  /** Return the chance of so many points; null until something is known. */
  chance(points: number): Chance | null {
    const { found } = this;
    if (!found) return null;
    if (found.scores === "new") return { share: exactChance(this.variant, points) ?? 0, half: 0 };
    return chanceOf(found.scores, points);
  }

  aim(points: number | null): void {
    setTarget(this.variant, points);
    this.target = targetOf(this.variant);
  }

  /** Compute the chances of a turn, if there is a target, and nobody has asked yet. */
  prepare(): void {
    const { room, state } = this.table;
    if (!this.isAlone || !this.target || !room || !state || state.view.phase === "over") return;
    const { view } = state;
    const { turn } = view;
    if (turn === this.asked || !canPlayLocally()) return;
    this.asked = turn;
    if (isNew(view) && exactChance(view.variant, this.target.points) !== null) {
      this.found = { turn, scores: "new" };
      return;
    }
    localHouse
      .finalScores({ view: beforeRoll(view), sheet: room.sheet, seat: 0 })
      .then((scores) => {
        if (scores && this.asked === turn) this.found = { turn, scores };
      })
      .catch(() => undefined); // no weights on this device: there is no chance to show
  }
}

/** Whether nothing has been crossed and missed yet. */
function isNew({ sheets }: View): boolean {
  return sheets.every(({ rows, misses }) => !misses && rows.every(({ count }) => !count));
}

/** Return the position before the roll, which the player may not have seen yet; a decision in the turn comes after it. */
function beforeRoll(view: View): View {
  return view.phase === "white" && view.choice === null ? { ...view, phase: "roll", dice: null, deciders: [] } : view;
}
