/** Sample marks for the picture of a sheet. They follow no rule and mean nothing. */
import type { Layout, View } from "../protocol.ts";

/** By seat and row: the places that are marked. A shared board shows the marks of both seats. */
const MARKS: readonly (readonly (readonly number[])[])[] = [
  [[0, 1, 4], [2, 3], [1, 5, 6], [0]],
  [[6], [7, 8], [3], [2, 5]],
];

export function sampleView(layout: Layout): View {
  const seats = layout.pawns ? [0, 1] : [0];
  const sheets = seats.map((seat) => ({
    seat,
    misses: 0,
    used: [],
    struck: [],
    rows: layout.rows.map((row, r) => {
      const places = MARKS[seat]![r % 4]!;
      return {
        crosses: places.map((place) => row.cells[place]!.value),
        heights: places.map((place) => 1 + (place % 2)),
        locked: false,
      };
    }),
  }));
  return { sheets, closed: [] } as unknown as View;
}
