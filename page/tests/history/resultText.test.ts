/** How a game ended, in words: rows keep their gender where a language has one. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { endingText, praiseOf, verdictOn } from "../../src/history/resultText.ts";
import type { Layout, SheetView, View } from "../../src/protocol.ts";
import { speak } from "../../src/words/i18n.svelte.ts";

beforeAll(() => vi.stubGlobal("document", { documentElement: {} }));
afterAll(() => vi.unstubAllGlobals());

/** Two sheets; Ada (0) has the lock of the first row, Bo (1) that of the second. */
function ended(keys: readonly string[]): View {
  const sheet = (seat: number): SheetView =>
    ({ seat, rows: keys.map((key, r) => ({ key, locked: r === seat })) }) as unknown as SheetView;
  return { ending: "rows", closed: keys, sheets: [sheet(0), sheet(1)] } as unknown as View;
}

test.each([
  ["en", "r", "g", "Closed: the red row (Ada) and the green row (Bo)."],
  ["de", "r", "g", "Abgeschlossen: die rote Reihe (Ada) und die grüne Reihe (Bo)."],
  ["fr", "r", "g", "Clôturées\u202f: la rangée rouge (Ada) et la rangée verte (Bo)."],
  ["it", "r", "y", "Chiuse: la riga rossa (Ada) e la riga gialla (Bo)."],
  ["it", "A", "D", "Chiuse: la riga 1 (Ada) e la riga 4 (Bo)."],
] as const)("%s names the rows that %s and %s closed", async (language, first, second, text) => {
  await speak(language);
  expect(endingText({} as Layout, ended([first, second]), [], null, (seat) => ["Ada", "Bo"][seat]!)).toBe(text);
});

/** A finished game with these scores; the rows of each sheet are red, yellow, green and blue. */
function scored(scores: number[], rows: number[] = [0, 0, 0, 0]): View {
  const sheet = (score: number, seat: number): SheetView =>
    ({
      seat,
      score,
      misses: 0,
      rows: rows.map((points, r) => ({ key: "rygb"[r], points, count: 0, locked: points === 36 })),
    }) as unknown as SheetView;
  return { variant: "classic", seats: scores.length, sheets: scores.map(sheet) } as unknown as View;
}
const names = (seat: number): string => ["Ada", "Bo", "Cy"][seat]!;

test.each([
  [[84, 75, 57], [0], 0, "win", "You win.", "84", "", ["9 points ahead of Bo."]],
  [[84, 83, 83], [0], 0, "win", "You win.", "84", "", ["1 point ahead of Bo and Cy."]],
  [[70, 79, 52], [1], 0, "lose", "So close.", "9", "points short.", ["Bo wins with 79 points."]],
  [[50, 70], [1], 0, "lose", "Not far off.", "20", "points short.", ["Bo wins with 70 points."]],
  [[-4, 70], [1], 0, "lose", "Next time.", "74", "points short.", ["Bo wins with 70 points."]],
  [[60, 60, 61], [2], 1, "lose", "So close.", "1", "point short.", ["Cy wins with 61 points."]],
  [[50, 61, 61], [1, 2], 0, "lose", "Not far off.", "11", "points short.", ["Bo and Cy share the win with 61 points."]],
  [[61, 50, 61], [0, 2], 0, "win", "A shared win.", "61", "", ["As many points as Cy."]],
  [[61, 50], [0], null, "plain", "Ada wins.", "61", "", ["11 points ahead of Bo."]],
  [[61, 61, 3], [0, 1], null, "plain", "A shared win.", "61", "", ["Ada and Bo."]],
  [[-20], [0], 0, "plain", "Done.", "−20", "", []],
] as const)("the poster of %j, won by %j, for seat %s", async (scores, winners, me, mood, title, hero, unit, says) => {
  await speak("en");
  expect(verdictOn(scored([...scores]), winners, me, names)).toMatchObject({ mood, title, hero, unit, says });
});

test("alone, more points than ever before are a win", async () => {
  await speak("en");
  const mood = (record: number | null): string => verdictOn(scored([71]), [0], 0, names, record).mood;
  expect([mood(null), mood(70), mood(71)]).toEqual(["plain", "win", "plain"]);
});

test("the best row is praised, and a row that its owner closed most", async () => {
  await speak("en");
  const praise = (rows: number[]): string => praiseOf(scored([0], rows).sheets[0]!);
  expect(praise([6, 21, 36, 0])).toBe("You closed the green row: 36 points.");
  expect(praise([6, 21, 3, 0])).toBe("Your best row was the yellow row: 21 points.");
  expect(praise([0, 0, 0, 0])).toBe("");
});
