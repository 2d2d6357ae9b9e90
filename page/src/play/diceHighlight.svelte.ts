/** Highlights dice and cells that belong together: point at a cell, or tap a die, and see the other. */
import { getContext, setContext } from "svelte";
import type { CellNote } from "./cellNotes.ts";

const KEY = Symbol("dice-highlight");

export class DiceHighlight {
  /** The cell that is pointed at. */
  cell = $state<string | null>(null);
  /** The die that was tapped, by its place in the roll. */
  die = $state<number | null>(null);

  constructor(
    private readonly notes: () => ReadonlyMap<string, CellNote>,
    private readonly chosen: () => ReadonlySet<string>,
  ) {}

  /** The dice to highlight: those of the cell under the pointer, else of the chosen cell, else the tapped die. */
  readonly dice = $derived.by<readonly number[]>(() => {
    const [chosen = ""] = this.chosen();
    const found = this.notes().get(this.cell ?? "") ?? this.notes().get(chosen);
    return found?.dice.length ? found.dice : this.die === null ? [] : [this.die];
  });

  /** The lit cells that use the tapped die; null while no die is tapped. */
  readonly cells = $derived.by<ReadonlySet<string> | null>(() => {
    const { die } = this;
    if (die === null) return null;
    return new Set([...this.notes()].flatMap(([cell, note]) => (note.dice.includes(die) ? [cell] : [])));
  });

  /** Whether tapping dice would highlight anything. */
  readonly isUseful = $derived.by(() => [...this.notes().values()].some((note) => note.dice.length > 0));

  tap(die: number): void {
    this.die = this.die === die ? null : die;
  }
}

/** Provide a highlight to all components below this one. */
export function provideDiceHighlight(highlight: DiceHighlight): DiceHighlight {
  return setContext(KEY, highlight);
}

/** Return the highlight of the screen; undefined where nothing is played. */
export function useDiceHighlight(): DiceHighlight | undefined {
  return getContext<DiceHighlight | undefined>(KEY);
}
