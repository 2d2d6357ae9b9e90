/** Targets of solitaire: the best score or one's own, their exact chance in a new game, and that of simulated games. */
import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { isRefusal, type Kernel } from "../../src/engine/index.ts";
import { keepResult } from "../../src/history/ownResults.ts";
import { bestAlone, chanceOf, deleteTargets, exactChance, setTarget, targetOf } from "../../src/history/targets.ts";
import { finalScores, GAMES } from "../../src/local/rollouts.ts";
import { builtRules } from "../support/builtEngine.ts";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
  removeItem: (key: string) => void kept.delete(key),
});
beforeEach(() => kept.clear());

function played(table: string, score: number, seats = 1, variant = "classic"): void {
  keepResult({ table, variant, at: 0, score, seats, place: 1 });
}

test("the target is one point more than the best solitaire of the game, until one sets another", () => {
  expect(targetOf("classic")).toBeNull();
  played("A", 131);
  played("B", 99);
  played("C", 140, 2); // with others the points are not comparable
  played("D", 150, 1, "longo");
  expect([bestAlone("classic"), targetOf("classic")]).toEqual([131, { points: 132, beats: 131 }]);
  setTarget("classic", 120);
  expect([targetOf("classic"), targetOf("longo")?.points]).toEqual([{ points: 120, beats: null }, 151]);
  setTarget("classic", null);
  expect(targetOf("classic")?.beats).toBe(131);
  setTarget("classic", 120);
  deleteTargets();
  expect(targetOf("classic")?.beats).toBe(131);
});

test("a stored target that is none is ignored", () => {
  for (const text of ['{"classic": 0}', '{"classic": "many"}', '{"classic": 4000}', "[", "null"]) {
    kept.set("qwixx.targets", text);
    expect(targetOf("classic")).toBeNull();
  }
});

test("the chance of a new game is the one of docs/solving.md", () => {
  const shares = [100, 131, 150].map((points) => exactChance("classic", points));
  expect(shares).toEqual([0.723044, 0.293917, 0.104971]);
  expect([exactChance("classic", -20), exactChance("classic", 400), exactChance("bonus-a", 100)]).toEqual([1, 0, null]);
});

test("the interval of simulated games is that of Wilson, also where nothing was seen", () => {
  const scores = Array.from({ length: 400 }, (_, at) => (at < 48 ? 131 : 130));
  // 0.12 * 0.88 / 400 + 1.96^2 / (4 * 400^2) = 0.000270; its root times 1.96, divided by 1 + 1.96^2 / 400
  expect(chanceOf(scores, 131).share).toBe(0.12);
  expect(chanceOf(scores, 131).half).toBeCloseTo(0.0319, 4);
  expect(chanceOf(scores, 132).share).toBe(0);
  expect(chanceOf(scores, 132).half).toBeCloseTo(0.0048, 4);
});

let kernel: Kernel;
beforeAll(async () => {
  kernel = await builtRules();
});

test("simulated games start at the view, are the same again, and stop when nobody waits", async () => {
  // Ten crosses in red are 55 points; three misses are -15, and a fourth one is all that can be lost.
  const game = kernel.stand("classic active=0 phase=roll | r=2,3,4,5,6,7,8,9,10,11 misses=3");
  if (isRefusal(game)) throw new Error("refused");
  const sight = { view: game.view(0), sheet: "classic", seat: 0 };
  const scores = (await finalScores(kernel, sight, () => true))!;
  expect(scores).toHaveLength(GAMES);
  expect(Math.min(...scores)).toBeGreaterThanOrEqual(55 - 20);
  expect(new Set(scores).size).toBeGreaterThan(5);
  expect(await finalScores(kernel, sight, () => true)).toEqual(scores);
  expect(await finalScores(kernel, { ...sight, view: { ...sight.view, seats: 2 } }, () => true)).toBeNull();
  expect(await finalScores(kernel, sight, () => false)).toBeNull();
});

test("a roll that nobody has seen yet changes nothing", async () => {
  const begun = kernel.begin({ variant: "classic", seats: 1, first: 0, seed: 3n });
  if (isRefusal(begun)) throw new Error("refused");
  const before = await finalScores(kernel, { view: begun.view(0), sheet: "classic", seat: 0 }, () => true);
  begun.roll();
  const hidden = { ...begun.view(0), phase: "roll" as const, dice: null, deciders: [] };
  expect(await finalScores(kernel, { view: hidden, sheet: "classic", seat: 0 }, () => true)).toEqual(before);
});
