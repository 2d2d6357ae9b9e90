/** Taking a score apart for the eye. The numbers are the server's; only their difference is ours. */
import type { Layout, SheetView } from "./protocol.ts";

/** What a sheet's score holds beyond its rows and its misses: the pairs of Bonus B. */
export function extraPoints(layout: Layout, sheet: SheetView): number {
  const rows = sheet.rows.reduce((sum, row) => sum + row.points, 0);
  return sheet.score - rows + sheet.misses * layout.missPoints;
}

/** A number with a real minus sign. */
export function signed(number: number): string {
  return String(number).replace("-", "−");
}
