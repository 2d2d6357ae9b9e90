/** Previews of bonuses: what else each lit cell would cross, shown before the player decides. */
import type { SeatController } from "./seatController.svelte.ts";
import { DoubleTapFilter } from "./tapGuard.svelte.ts";
import type { Table } from "../connection/table.svelte.ts";

export class BonusPreviews {
  /** By cell: everything that would be crossed, in order, the cell itself first. Only cells that set off a bonus. */
  of = $state.raw<ReadonlyMap<string, string[]>>(new Map());
  /** The cell whose bonuses are shown before it is crossed. */
  shown = $state<string | null>(null);
  private asked = 0;
  private readonly taps = new DoubleTapFilter();

  constructor(
    private readonly table: Table,
    private readonly controller: SeatController,
  ) {}

  /** Compute the previews of all lit cells, on sheets that have bonuses. */
  async refresh(): Promise<void> {
    const { layout } = this.table;
    const asked = ++this.asked;
    this.of = new Map();
    this.shown = null;
    if (!layout || !this.controller.decides || !(layout.bar.length || Object.keys(layout.marks).length)) return;
    const { seat } = this.controller;
    const found = await Promise.all(
      // On a tie all choices cross equally many cells, so the first one is enough.
      [...this.controller.cells].map(
        async ([cell, actions]) => [cell, await this.table.preview(seat, actions[0]!)] as const,
      ),
    );
    if (asked === this.asked) this.of = new Map(found.filter(([, cells]) => cells.length > 1));
  }

  /** By touch, the first tap on a cell with bonuses shows them and the second crosses it. Return whether this was the first. */
  showsFirst(cell: string, byTouch: boolean): boolean {
    if (this.taps.isSecond(cell) && this.shown === cell) return true; // a double tap: the player has not seen the preview yet
    const isFirst = byTouch && this.of.has(cell) && this.shown !== cell && !this.controller.chosen.has(cell);
    this.shown = isFirst ? cell : null;
    return isFirst;
  }
}
