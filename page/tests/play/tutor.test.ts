/** The tutor asks by the loss, the chosen limit and the error of the values; where hints are off it neither looks nor asks. */
import { beforeEach, expect, test, vi } from "vitest";
import type { Table } from "../../src/connection/table.svelte.ts";
import { settings } from "../../src/device/settings.svelte.ts";
import type { Losses } from "../../src/engine/coach/hints.ts";
import { Tutor } from "../../src/play/tutor.svelte.ts";

const worker = vi.hoisted(() => ({ asked: 0, answer: null as unknown }));
vi.mock("../../src/local/localHouse.ts", () => ({
  canPlayLocally: () => true,
  localHouse: {
    losses: async () => {
      worker.asked += 1;
      return worker.answer;
    },
  },
}));

/** The thresholds of `coach/grades.py`. */
const LIMITS = { win: { slip: 0.02, mistake: 0.04, blunder: 0.08 }, points: { slip: 0.5, mistake: 1.5, blunder: 4 } };

function judged(measure: Losses["measure"], error: number, losses: Record<string, number>): Losses {
  const grades = ["best", "good", "slip", "mistake", "blunder"] as const;
  const nothing = { win: 0.0005, points: 0.005 };
  return { measure, losses, grading: { error, grades: [...grades], thresholds: LIMITS, nothing, half: "mistake" } };
}

const sent: unknown[] = [];

/** A table at which seat 0 has to choose. */
function table(facts: object = {}): Table {
  const mine = { legal: ["r2", "r7", "pass"], choice: null, view: {} };
  return {
    room: { code: "abc", sheet: "", hints: true },
    state: { phase: 3, view: {}, mine: { 0: mine } },
    house: { place: "server" },
    isConnected: true,
    hint: null,
    send: (message: unknown) => sent.push(message),
    ...facts,
  } as unknown as Table;
}

async function prepared(found: Losses | null, facts: object = {}): Promise<Tutor> {
  worker.answer = found;
  const tutor = new Tutor(table(facts));
  tutor.prepare(0);
  await Promise.resolve();
  await Promise.resolve();
  return tutor;
}

beforeEach(() => {
  worker.asked = 0;
  sent.length = 0;
  settings.tutor = "slip";
});

test("a loss from the chosen limit on is worth a question", async () => {
  const found = judged("win", 0.011, { r2: 0, r7: 0.06, pass: 0.019 });
  const tutor = await prepared(found);
  expect(tutor.watches(0)).toBe(true);
  expect(["r2", "r7", "pass"].map((action) => tutor.warning(0, action))).toEqual([
    null,
    { loss: 0.06, measure: "win" },
    null,
  ]);
  settings.tutor = "mistake";
  expect(tutor.warning(0, "r7")).not.toBeNull();
  settings.tutor = "blunder";
  expect(tutor.warning(0, "r7")).toBeNull();
});

test("a loss below the error of the values is no question, also of points", async () => {
  const cards = await prepared(judged("win", 0.094, { r7: 0.09, pass: 0.1 }));
  expect([cards.warning(0, "r7"), cards.warning(0, "pass")?.loss]).toEqual([null, 0.1]);
  const alone = await prepared(judged("points", 0.34, { r7: 0.49, pass: 0.5 }));
  expect([alone.warning(0, "r7"), alone.warning(0, "pass")]).toEqual([null, { loss: 0.5, measure: "points" }]);
});

test.each([
  ["it is off", {}, "off"],
  ["hints are off", { room: { hints: false } }, "slip"],
  ["the table cannot note it", { isConnected: false }, "slip"],
] as const)("it does not even look while %s", async (_, facts, limit) => {
  settings.tutor = limit;
  const tutor = await prepared(judged("win", 0.011, { r7: 0.5 }), facts);
  expect([worker.asked, tutor.watches(0), tutor.warning(0, "r7")]).toEqual([0, false, null]);
});

test("it looks once in a window, and asks nothing that the hint has answered or nobody can judge", async () => {
  const tutor = await prepared(judged("win", 0.011, { r7: 0.5 }), { hint: { seat: 0 } });
  tutor.prepare(0);
  expect([worker.asked, tutor.warning(0, "r7")]).toEqual([1, null]);
  expect((await prepared(null)).watches(0)).toBe(false);
});

test("a question is noted as a hint, without an answer", async () => {
  (await prepared(judged("win", 0.011, { r7: 0.5 }))).note(0);
  expect(sent).toEqual([{ t: "hint", seat: 0, phase: 3, quiet: true }]);
});
