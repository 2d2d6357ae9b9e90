/** Dice and cells that belong together: point at one, or tap a die, and see the other. */
import { getContext, setContext } from "svelte";
import type { Hint } from "./hints.ts";

const KEY = Symbol("matching");

export class Matching {
  /** The cell that is pointed at. */
  cell = $state<string | null>(null);
  /** The die that was tapped, by its place in the roll. */
  die = $state<number | null>(null);

  constructor(
    private readonly hints: () => ReadonlyMap<string, Hint>,
    private readonly chosen: () => ReadonlySet<string>,
  ) {}

  /** The dice to show: of the cell that is pointed at, else of the one that is chosen, else the one that was tapped. */
  readonly dice = $derived.by<readonly number[]>(() => {
    const [chosen = ""] = this.chosen();
    const found = this.hints().get(this.cell ?? "") ?? this.hints().get(chosen);
    return found?.dice.length ? found.dice : this.die === null ? [] : [this.die];
  });

  /** The lit cells that the tapped die makes; null while none is tapped. */
  readonly cells = $derived.by<ReadonlySet<string> | null>(() => {
    const { die } = this;
    if (die === null) return null;
    return new Set([...this.hints()].flatMap(([cell, hint]) => (hint.dice.includes(die) ? [cell] : [])));
  });

  /** Whether there is anything to find by tapping dice. */
  readonly isAsked = $derived.by(() => [...this.hints().values()].some((hint) => hint.dice.length > 0));

  tap(die: number): void {
    this.die = this.die === die ? null : die;
  }
}

/** Share a matching with everything that a screen shows. */
export function shareMatching(matching: Matching): Matching {
  return setContext(KEY, matching);
}

/** The matching of the screen; undefined where nothing is played. */
export function sharedMatching(): Matching | undefined {
  return getContext<Matching | undefined>(KEY);
}
