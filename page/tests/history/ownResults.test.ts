/** The player's results: counted once, summarized by game, and exported. */
import { beforeEach, expect, test, vi } from "vitest";
import {
  deleteResults,
  exported,
  keepResult,
  type Result,
  results,
  summaries,
  summary,
} from "../../src/history/ownResults.ts";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
  removeItem: (key: string) => void kept.delete(key),
});
beforeEach(() => kept.clear());

function game(table: string, place: number, score: number, more: Partial<Result> = {}): Result {
  return { table, variant: "classic", at: 0, score, seats: 3, place, ...more };
}

test("a game counts once, and a deleted one is removed", () => {
  keepResult(game("A", 1, 70));
  keepResult(game("A", 1, 70));
  keepResult(game("B", 2, 40));
  expect(results().map((each) => each.table)).toEqual(["A", "B"]);
  deleteResults();
  expect(results()).toEqual([]);
});

test("an invalid list of results is empty", () => {
  kept.set("qwixx.results", '{"A": 1}');
  expect(results()).toEqual([]);
  kept.set("qwixx.results", JSON.stringify([game("A", 1, 70), { table: 3 }, null]));
  expect(results()).toHaveLength(1);
});

test("best, average and streaks; solitaire is not a win and does not end a streak", () => {
  const alone = game("C", 1, 90, { seats: 1 });
  const all = [game("A", 1, 70), game("B", 1, 50), alone, game("D", 1, 30), game("E", 2, -4), game("F", 1, 60)];
  expect(summary("", all)).toEqual({
    variant: "",
    games: 6,
    wins: 4,
    best: 90,
    average: 296 / 6,
    streak: 1,
    longest: 3,
  });
});

test("by game, the most played first", () => {
  const all = [game("A", 1, 5, { variant: "duel", seats: 2 }), game("B", 1, 50), game("C", 3, 30)];
  expect(summaries(all).map(({ variant, games, wins }) => [variant, games, wins])).toEqual([
    ["classic", 2, 1],
    ["duel", 1, 1],
  ]);
});

test("a line for each game in the file", () => {
  expect(exported([game("A", 2, -3, { at: Date.UTC(2026, 0, 2) })])).toBe(
    "date,game,players,points,place,decisions,lost,luck\n2026-01-02T00:00:00.000Z,classic,3,-3,2,,,\n",
  );
});
