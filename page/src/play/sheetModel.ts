/** Layout and view combined: everything that is drawn on a sheet or on the duel's board. */
import type { Layout, View } from "../protocol.ts";

/** Pawns on a cell of the duel's board. */
export interface Pawns {
  owner: number;
  height: number;
}

export interface DrawnCell {
  name: string;
  value: number;
  color: string;
  boxed: boolean;
  pair: string;
  crossed: boolean;
  /** Whether it lies left of a cross in its row and can no longer be crossed: drawn fainter. */
  passed: boolean;
  pawns: Pawns | null;
  /** Whether it is the first cell of a run of one color: the color's mark is shown there. */
  leads: boolean;
}

export interface DrawnRow {
  key: string;
  lock: string;
  cells: DrawnCell[];
  /** Seats that have the lock: in the duel either one, elsewhere only the owner of the sheet. */
  lockedBy: number[];
  closed: boolean;
  mixed: boolean;
  count: number;
  points: number;
}

export interface DrawnSheet {
  rows: DrawnRow[];
  misses: number;
  missesBy: number[];
}

/** Build the sheet of a seat; without a view, an empty one. */
export function drawSheet(layout: Layout, view: View | null, seat: number): DrawnSheet {
  const shared = layout.pawns > 0;
  const sheets = view ? (shared ? view.sheets : view.sheets.filter((sheet) => sheet.seat === seat)) : [];
  const own = view?.sheets.find((sheet) => sheet.seat === seat);
  const rows = layout.rows.map((row, r) => {
    const marks = sheets.map((sheet) => ({ seat: sheet.seat, row: sheet.rows[r]! }));
    const last = Math.max(
      -1,
      ...marks.flatMap(({ row: m }) => row.cells.map((c, i) => (m.crosses.includes(c.value) ? i : -1))),
    );
    const cells = row.cells.map((cell, i) => {
      const mark = marks.find(({ row: m }) => m.crosses.includes(cell.value));
      const height = mark ? (mark.row.heights[mark.row.crosses.indexOf(cell.value)] ?? 1) : 0;
      return {
        ...cell,
        name: `${row.key}${cell.value}`,
        crossed: Boolean(mark) && !shared,
        passed: !shared && !mark && i < last,
        pawns: shared && mark ? { owner: mark.seat, height } : null,
        leads: i === 0 || row.cells[i - 1]!.color !== cell.color,
      };
    });
    return {
      key: row.key,
      lock: row.lock,
      cells,
      lockedBy: marks.filter(({ row: m }) => m.locked).map((mark) => mark.seat),
      closed: view?.closed.includes(row.key) ?? false,
      mixed: row.cells.some((cell) => cell.color !== row.cells[0]!.color),
      count: own?.rows[r]?.count ?? 0,
      points: own?.rows[r]?.points ?? 0,
    };
  });
  const missesBy = sheets.flatMap((sheet) => Array<number>(sheet.misses).fill(sheet.seat));
  return { rows, misses: missesBy.length, missesBy };
}
