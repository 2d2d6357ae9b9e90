/** What else each lit cell would cross: bonuses bring more than one thinks, and it is good to know before deciding. */
import type { Desk } from "./desk.svelte.ts";
import { Taps } from "./guard.svelte.ts";
import type { Table } from "./table.svelte.ts";

export class Chains {
  /** By cell: everything that would be crossed, the cell first, in the order of happening; only cells that bring more. */
  of = $state.raw<ReadonlyMap<string, string[]>>(new Map());
  /** The cell whose chain is shown before it is crossed. */
  shown = $state<string | null>(null);
  private asked = 0;
  private readonly taps = new Taps();

  constructor(
    private readonly table: Table,
    private readonly desk: Desk,
  ) {}

  /** Ask about all cells that are lit now, on sheets where anything can follow. */
  async look(): Promise<void> {
    const { layout } = this.table;
    const asked = ++this.asked;
    this.of = new Map();
    this.shown = null;
    if (!layout || !this.desk.decides || !(layout.bar.length || Object.keys(layout.pairs).length)) return;
    const { seat } = this.desk;
    const found = await Promise.all(
      // On a tie all choices cross as much; the first stands for them.
      [...this.desk.cells].map(async ([cell, actions]) => [cell, await this.table.preview(seat, actions[0]!)] as const),
    );
    if (asked === this.asked) this.of = new Map(found.filter(([, cells]) => cells.length > 1));
  }

  /** By touch a cell that brings more is shown first and crossed by the second tap; says whether this was the first. */
  showsFirst(cell: string, byTouch: boolean): boolean {
    if (this.taps.isSecond(cell) && this.shown === cell) return true; // a double tap has not seen what it would set off
    const isFirst = byTouch && this.of.has(cell) && this.shown !== cell && !this.desk.chosen.has(cell);
    this.shown = isFirst ? cell : null;
    return isFirst;
  }
}
