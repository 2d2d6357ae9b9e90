/** The place of a seat in a game. */
import type { View } from "../protocol.ts";

/** The place of a seat: 1 for the most points; equal points share a place. */
export function placeOf(view: View, seat: number): number {
  const score = view.sheets[seat]?.score ?? 0;
  return 1 + view.sheets.filter((sheet) => sheet.score > score).length;
}
