/** Scoring paper sheets: sums by hand from the rules, and impossible sheets are refused with the rule. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import type { Counted, PaperSheet } from "../../src/engine/paperScore.ts";
import { type Kernel, loadKernel } from "../../src/engine/index.ts";

let kernel: Kernel;
beforeAll(async () => {
  kernel = await loadKernel(readFileSync(join(import.meta.dirname, "../../src/engine/kernel.wasm")));
});

/** A sheet: "r 2 3 4, y 5x2" and how many misses. */
function sheet(text: string, misses = 0, more: Partial<PaperSheet> = {}): PaperSheet {
  const cells: Record<string, number> = {};
  for (const row of text.split(",").filter(Boolean)) {
    const [key, ...values] = row.trim().split(" ");
    for (const value of values) cells[`${key}${value.split("x")[0]}`] = Number(value.split("x")[1] ?? 1);
  }
  return { cells, misses, used: [], bare: [], ...more };
}

function count(variant: string, sheets: PaperSheet[], on = ""): Counted {
  const found = kernel.count({ variant, sheet: on, sheets });
  if (!found) throw new Error(`nobody counts ${variant}`);
  return found;
}
const scores = ({ view }: Counted): number[] => view.sheets.map((each) => each.score);
const whys = ({ slips }: Counted): string[] =>
  slips.map((slip) => (slip.kind === "rule" ? slip.name : `${slip.cell} ${slip.why.code} ${slip.why.rule}`));

test("a classic sheet is added up row by row (C12)", () => {
  const found = count("classic", [sheet("r 2 3 4 5, y 2 3 4, g 12 11 10 9 8 7 6, b 12 11 10 9 8 7 6 5", 2)]);
  expect(found.view.sheets[0]!.rows.map((row) => row.points)).toEqual([10, 6, 28, 36]);
  expect(scores(found)).toEqual([70]);
  expect(found.slips).toEqual([]);
});

test("the lock belongs to the last cell and counts (C7), and closing a row needs five crosses", () => {
  const closed = count("classic", [sheet("r 2 3 4 5 6 12"), sheet("r 2 3 4 5 12")]);
  expect(scores(closed)).toEqual([28, 10]); // six numbers and the lock; four without the 12
  expect(closed.view.closed).toEqual(["r"]);
  expect(whys(closed)).toEqual(["r12 too-few-crosses C7"]);
  expect(closed.winners).toEqual([0]);
});

test("equal totals share the win", () => {
  expect(count("classic", [sheet("r 2 3"), sheet("b 12 3"), sheet("y 5")]).winners).toEqual([0, 1]);
});

test("colors and numbers may be in any order (G4, G5)", () => {
  expect(scores(count("gemixxt-a", [sheet("A 2 5 8, D 12 4")]))).toEqual([6 + 3]);
  expect(scores(count("gemixxt-b", [sheet("r 10 6 2 8 3 11")]))).toEqual([28]); // the 11 closes the row
});

test("Longo closes with either of two cells, with six crosses before (L2)", () => {
  expect(
    scores(count("longo", [sheet("r 2 3 4 5, y 2 3 4, g 16 15 14 13 12 11 10 9 8, b 16 15 14 13 12 11 10 9", 2)])),
  ).toEqual([87]);
  expect(scores(count("longo", [sheet("r 2 3 4 5 6 7 15")]))).toEqual([36]);
  expect(whys(count("longo", [sheet("r 2 3 4 5 6 7 15 16")]))[0]).toContain("r16 row-closed");
});

test("pairs of Bonus B count at the end (BB1, BB7), and a bar is checked if the player used it (BA2)", () => {
  const plus = count("bonus-b", [sheet("r 6, b 4", 1)]);
  expect(scores(plus)).toEqual([1 + 1 + 13 - 5]);
  const free = count("bonus-b", [sheet("y 3, g 5", 3)]);
  expect(scores(free)).toEqual([2]);
  const boxed = sheet("r 3 6");
  expect(whys(count("bonus-a", [boxed]))).toEqual([]);
  expect(whys(count("bonus-a", [{ ...boxed, used: [1, 2] }]))).toEqual([]);
  expect(whys(count("bonus-a", [{ ...boxed, used: [1, 3] }]))).toEqual(["bar"]);
});

test("a card sheet is scored separately, on any of its sheets, and closes for its owner only (K7, K10)", () => {
  const found = count("cards", [sheet("r 2 3 4 5 6 12")]);
  expect(scores(found)).toEqual([28]);
  expect(found.view.sheets).toHaveLength(1);
  expect(scores(count("cards-joker", [sheet("A 2 3"), sheet("B 2")], "gemixxt-a"))).toEqual([3, 1]);
});

test("the duel: stacks count pawn by pawn, a lock may be empty, and a board has its limits (D1, D2, D7, D9)", () => {
  const stacked = count("duel", [sheet("r 2 3 5x2"), sheet("r 7x3, b 12", 1)]);
  expect(scores(stacked)).toEqual([10, 6 + 1 - 5]);
  const closing = sheet("r 2 3 4 5 6 12");
  expect(scores(count("duel", [closing, sheet("")]))).toEqual([28, 0]);
  expect(scores(count("duel", [{ ...closing, bare: ["r"] }, sheet("")]))).toEqual([21, 0]);
  expect(whys(count("duel", [sheet("r 5"), sheet("r 5")]))).toEqual(["shared"]);
  expect(whys(count("duel", [sheet("r 5x23"), sheet("")]))).toContain("pawns");
  expect(whys(count("duel", [sheet("", 3), sheet("", 2)]))).toEqual(["misses"]);
});

test("an invalid sheet is not scored", () => {
  expect(kernel.count({ variant: "chess", sheet: "", sheets: [sheet("")] })).toBeNull();
  expect(kernel.count({ variant: "classic", sheet: "", sheets: [sheet("r 13")] })).toBeNull();
  expect(kernel.count({ variant: "duel", sheet: "", sheets: [sheet(""), sheet(""), sheet("")] })).toBeNull();
});
