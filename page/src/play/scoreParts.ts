/** Parts of a score for display. The numbers come from the server; only their difference is computed here. */
import type { Layout, SheetView } from "../protocol.ts";

/** Return the points beyond rows and misses: the pairs of Bonus B. */
export function extraPoints(layout: Layout, sheet: SheetView): number {
  const rows = sheet.rows.reduce((sum, row) => sum + row.points, 0);
  return sheet.score - rows + sheet.misses * layout.missPoints;
}

/** Return a number with a typographic minus sign. */
export function signed(number: number): string {
  return String(number).replace("-", "−");
}
