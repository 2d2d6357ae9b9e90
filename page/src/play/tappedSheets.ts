/** Sheets that are tapped in: crosses, pawns, locks, the bonus bar and misses. The rules check them afterwards. */
import type { PaperSheet } from "../engine/setup.ts";
import type { Layout } from "../protocol.ts";

export abstract class TappedSheets {
  abstract get people(): PaperSheet[];
  abstract get layout(): Layout;
  protected abstract changed(): void;

  /** Cross a cell, or remove its cross; pawns are stacked one by one. */
  tap(seat: number, cell: string, taking: boolean): void {
    const { cells } = this.people[seat]!;
    const height = cells[cell] ?? 0;
    const next = this.layout.pawns ? Math.max(0, height + (taking ? -1 : 1)) : 1 - height;
    if (next) cells[cell] = Math.min(next, this.layout.pawns || 1);
    else delete cells[cell];
    this.changed();
  }

  /** The duel: mark a row as closed by a player who had no pawn left for its lock. */
  tapLock(seat: number, key: string): void {
    const person = this.people[seat]!;
    person.bare = toggled(person.bare, key);
    this.changed();
  }

  tapBar(seat: number, place: number): void {
    const person = this.people[seat]!;
    person.used = toggled(person.used, place);
    this.changed();
  }

  /** Cross all miss boxes up to this one; a tap on the last crossed box empties it. */
  tapMiss(seat: number, box: number): void {
    const person = this.people[seat]!;
    person.misses = person.misses === box ? box - 1 : box;
    this.changed();
  }
}

function toggled<T>(list: T[], each: T): T[] {
  return list.includes(each) ? list.filter((other) => other !== each) : [...list, each];
}
