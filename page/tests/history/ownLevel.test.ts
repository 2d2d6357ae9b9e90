/** The level of a person: placed on a scale of bots by what decisions lost, with an interval; nothing before enough games. */
import { beforeEach, expect, test, vi } from "vitest";
import type { House } from "../../src/house.ts";
import type { Analysis } from "../../src/protocol.ts";
import { MATCHING, matchedLevel } from "../../src/history/matchedLevel.ts";
import {
  curveOf,
  deleteRatings,
  keepRating,
  leaveOut,
  levelOf,
  nearest,
  type Rating,
  ratings,
} from "../../src/history/ownLevel.ts";
import { rateGame } from "../../src/history/rateGame.ts";
import { exported } from "../../src/history/ownResults.ts";

// A decision of each level loses one percent less than one of the level below.
const STEPS = vi.hoisted(() => ({
  easy: { mean: 0.03 },
  normal: { mean: 0.02 },
  strong: { mean: 0.01 },
  master: { mean: 0 },
}));
vi.mock("../../src/history/botLosses.json", () => ({
  default: { losses: { classic: { 2: STEPS }, "cards/classic": { 3: STEPS } } },
}));
const worker = vi.hoisted(() => ({ analysis: null as unknown }));
vi.mock("../../src/local/localHouse.ts", () => ({ localHouse: { analyse: async () => worker.analysis } }));

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
  removeItem: (key: string) => void kept.delete(key),
});
beforeEach(() => kept.clear());

/** Games of thirty decisions. */
function games(
  count: number,
  lost: (at: number) => number,
  more: (at: number) => Partial<Rating> = () => ({}),
): Rating[] {
  return Array.from({ length: count }, (_, at) => {
    const facts = { table: `T${at}`, at, game: "classic", seats: 2, decisions: 30, won: 0.5, luck: 0 };
    return { ...facts, lost: lost(at), ...more(at) };
  });
}

test("fewer than eight games say nothing, nor do games without a scale or decisions", () => {
  expect(levelOf(games(7, () => 0.45))).toBeNull();
  expect(
    levelOf(
      games(
        12,
        () => 0.45,
        () => ({ game: "my-sheet" }),
      ),
    ),
  ).toBeNull();
  expect(
    levelOf(
      games(
        12,
        () => 0,
        () => ({ decisions: 0 }),
      ),
    ),
  ).toBeNull();
  expect(levelOf(games(8, () => 0.45))).not.toBeNull();
});

test.each([
  // Eight games of thirty decisions: easy loses 7.2 in all, normal 4.8, strong 2.4, master nothing.
  [0.4, 1 + 2 / 3, "strong"], // 3.2 is 1.6 less than normal, of 2.4 to strong
  [0.9, 0, "easy"],
  [0.6, 1, "normal"],
  [0.15, 2.5, "master"],
  [0, 3, "master"],
  [1.2, -1, "easy"], // 2.4 more than easy: one step below
  [5, -1, "easy"],
] as const)("a loss of %f a game is place %f", (lost, place, name) => {
  const found = levelOf(games(8, () => lost))!;
  expect(found.place.value).toBeCloseTo(place, 6);
  expect(found.place.low).toBeCloseTo(place, 6);
  expect(found.place.high).toBeCloseTo(place, 6);
  expect(nearest(found)).toBe(name);
});

test("games that differ make the interval wide: Student with seven degrees of freedom", () => {
  // Deviations of 0.15 in eight games: 2.36 * sqrt(8 / 7 * 8 * 0.15^2) = 1.0704 to either side of 3.6.
  const { place } = levelOf(games(8, (at) => (at % 2 ? 0.3 : 0.6)))!;
  expect(place.low).toBeCloseTo(1 + (4.8 - 4.6704) / 2.4, 3);
  expect(place.high).toBeCloseTo(1 + (4.8 - 2.5296) / 2.4, 3);
  // Deviations of 0.45: 3.2112 to either side. From below easy's 6.81 to 0.39, more than two levels.
  expect(levelOf(games(8, (at) => (at % 2 ? 0 : 0.9)))).toBeNull();
});

test("results are adjusted by the luck of each game", () => {
  const { won, adjusted, fair } = levelOf(
    games(
      8,
      () => 0.45,
      (at) => (at % 2 ? { won: 0, luck: -0.3 } : { won: 1, luck: 0.3 }),
    ),
  )!;
  expect([won, adjusted.value, fair]).toEqual([0.5, 0.5, 0.5]);
  // 0.7 and 0.3 by turns: 2.36 * sqrt(8 * 0.2^2 / 7 / 8) = 0.1784
  expect(adjusted.high - adjusted.value).toBeCloseTo(0.1784, 4);
});

test("the last thirty games count, and the curve has a point after each from the eighth on", () => {
  const all = games(40, (at) => (at < 10 ? 0.9 : 0.3));
  expect(levelOf(all)!.place.value).toBeCloseTo(2, 6);
  expect(levelOf(all)!.games).toBe(40);
  const curve = curveOf(all);
  expect(curve).toHaveLength(33);
  expect([curve[0], curve.at(-1)].map((place) => place!.toFixed(2))).toEqual(["0.00", "2.00"]);
});

test("a game is kept once, left out where it began inside another, and all is deleted together", () => {
  leaveOut("X");
  for (const rating of games(8, () => 0.6)) keepRating(rating);
  keepRating({ ...games(1, () => 5)[0]! });
  keepRating({ ...games(1, () => 5)[0]!, table: "X" });
  expect([ratings().length, matchedLevel(), MATCHING]).toEqual([9, "normal", "match"]);
  expect(exported([{ table: "T0", variant: "classic", at: 0, score: 70, seats: 2, place: 1 }], ratings())).toContain(
    "classic,2,70,1,30,0.6000,0.0000",
  );
  deleteRatings();
  expect([ratings(), matchedLevel()]).toEqual([[], null]);
  kept.set("qwixx.ratings", '[{"table": 3}, null]');
  expect(ratings()).toEqual([]);
});

test("a finished game is rated by the own decisions with a choice; a hint of one's own makes it count for nothing", async () => {
  const choices = (count: number): object[] => Array.from({ length: count }, () => ({}));
  const decisions = [
    { seat: 0, loss: 0.25, choices: choices(2) },
    { seat: 0, loss: 0.5, choices: choices(3) },
    { seat: 0, loss: 0, choices: choices(1) },
    { seat: 1, loss: 0.75, choices: choices(2) },
  ];
  const accounts = [
    { final: 1, luck: 0.125 },
    { final: 0, luck: -0.125 },
  ];
  worker.analysis = { seats: 2, decisions, accounts } as unknown as Analysis;
  const house = (record: string): House => ({ record: async () => record }) as unknown as House;
  const game = { variant: "classic", sheet: "classic" };
  await rateGame(house("0 r7\n# hint: 0\n"), "A", game, 2, 0);
  await rateGame(house("0 r7\n"), "B", { variant: "longo", sheet: "longo" }, 2, 0); // it has no scale here
  expect(ratings()).toEqual([]);
  await rateGame(house("0 r7\n# hint: 1\n"), "A", game, 2, 0);
  expect(ratings()).toMatchObject([
    { table: "A", game: "classic", seats: 2, decisions: 2, lost: 0.75, won: 1, luck: 0.125 },
  ]);
});
