/** The facts beside a result: personal best, streak or wins, and the best row. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { factsOf } from "../../src/history/endFacts.ts";
import type { Result } from "../../src/history/ownResults.ts";
import type { SheetView } from "../../src/protocol.ts";
import { speak } from "../../src/words/i18n.svelte.ts";

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await speak("en");
});
afterAll(() => vi.unstubAllGlobals());

const sheet = {
  rows: [21, 3, 36, 0].map((points, r) => ({ key: "rygb"[r], points, locked: false })),
} as unknown as SheetView;

function result(score: number, place: number, more: Partial<Result> = {}): Result {
  return { table: `T${score}`, variant: "classic", at: 0, score, seats: 3, place, ...more };
}
function told(now: Result, earlier: Result[]): string[] {
  return factsOf(now, sheet, earlier).map(({ number, text }) => `${number} ${text}`);
}

test("the first game", () => {
  expect(told(result(70, 2), [])).toEqual(["70 your first result", "0 won of one game", "36 green row, your best"]);
  expect(told(result(70, 1), [])).toEqual(["70 your first result", "1 straight win", "36 green row, your best"]);
});

test("a personal best, the third win in a row, and the best green row", () => {
  const earlier = [result(60, 3), result(71, 1, { rows: { g: 28 } }), result(50, 1)];
  expect(told(result(84, 1), earlier)).toEqual(["84 best so far, was 71", "3 straight wins", "36 best green row yet"]);
});

test("a loss says what it is short of, and how many games were won", () => {
  const earlier = [result(72, 1, { rows: { g: 36 } }), result(50, 2)];
  expect(told(result(70, 2), earlier)).toEqual(["70 2 below your best", "1 won of 3 games", "36 green row, your best"]);
  expect(told(result(72, 2), earlier)[0]).toBe("72 your best again");
});

test("solitaire has an average instead of wins", () => {
  const alone = { seats: 1 };
  expect(told(result(80, 1, alone), [result(60, 1, alone)])[1]).toBe("70 average of 2 games");
});
