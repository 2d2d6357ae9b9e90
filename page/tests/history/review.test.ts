/** The review of a game, and the continuation of a game from a moment. */
import { expect, test, vi } from "vitest";
import { cut } from "../../src/local/recordFile.ts";
import type { Analysis, Decision, Frame, ValueBreakdown, ValueChange } from "../../src/protocol.ts";
import { causeOf, closeCalls, costliest, headlineOf, luckOf, windowStart } from "../../src/history/reviewText.ts";
import { luckNumber, skillOf } from "../../src/history/reviewNumbers.ts";
import { speak } from "../../src/words/i18n.svelte.ts";

function decision(step: number, loss: number, more: Partial<Decision> = {}): Decision {
  return {
    step,
    turn: 1,
    seat: 0,
    phase: "white",
    chosen: "pass",
    best: "r7",
    loss,
    grade: "slip",
    close: false,
    source: "learned",
    choices: [],
    ...more,
  };
}

function swing(step: number, luck: number, text = "34/2615"): ValueChange {
  return { step, turn: 1, kind: "roll", text, values: [0.5], points: [50], luck: [luck], own: [0], others: [0] };
}

test("the three decisions that lost most, without close calls and those of others", () => {
  const decisions = [
    decision(1, 0.03),
    decision(2, 0.09),
    decision(3, 0.02, { close: true }),
    decision(4, 0.05),
    decision(5, 0.04),
    decision(6, 0.2, { seat: 1 }),
    decision(7, 0, { grade: "best" }),
  ];
  const found = { decisions } as Analysis;
  expect(costliest(found, 0).map(({ step }) => step)).toEqual([2, 4, 5]);
  expect(closeCalls(found, 0)).toBe(1);
});

test("luck is the effect of chance; decisions have none", () => {
  const found = luckOf({ swings: [swing(1, 0.1), swing(2, -0.2), swing(3, 0.9, "")] } as Analysis, 0);
  expect([found?.best.step, found?.worst.step]).toEqual([1, 2]);
  expect(luckOf({ swings: [swing(3, 0.9, "")] } as Analysis, 0)).toBeNull();
});

test("skill or luck: one has to be twice as large as the other", () => {
  const account = (luck: number, own: number, others: number): ValueBreakdown =>
    ({ luck, own, others }) as ValueBreakdown;
  expect(causeOf(account(0.5, -0.1, 0.2))).toBe("luck");
  expect(causeOf(account(0.1, -0.1, 0.5))).toBe("skill");
  expect(causeOf(account(0.3, -0.1, 0.3))).toBe("both");
});

test("a window starts with its phase", () => {
  const phases = ["roll", "white", "white", "white", "color", "roll", "white"];
  const frames = phases.map((phase, at) => ({ view: { phase, turn: at < 5 ? 1 : 2 } }) as Frame);
  expect([1, 2, 3, 4, 6].map((frame) => windowStart(frames, frame))).toEqual([1, 1, 1, 4, 6]);
});

test("a continued game has its steps, but no result, comments or seed", () => {
  const record =
    "qwixx record 1\nvariant classic\nseats 2\nfirst 0\nseed 5\nroll 34/2615\n0 r7\n# taken back: 1 r4\n1 pass\n0 pass\nscores 1 0\n# person 0 Anna\n";
  const head = "qwixx record 1\nvariant classic\nseats 2\nfirst 0\n";
  expect(cut(record, 0)).toBe(head);
  expect(cut(record, 2)).toBe(`${head}roll 34/2615\n0 r7\n`);
  expect(cut(record, 99)).toBe(`${head}roll 34/2615\n0 r7\n1 pass\n0 pass\n`);
});

test("skill is the accuracy, and at most 99", () => {
  expect([0, 49.5, 98.4, 99.6, 100].map((accuracy) => skillOf({ accuracy }))).toEqual([0, 50, 98, 99, 99]);
  expect(skillOf({ accuracy: null })).toBeNull();
});

test("luck is a percentile of the sum of all chances", () => {
  const lucky = (...effects: number[]): number =>
    luckNumber({ swings: effects.map((effect, step) => swing(step, effect)) } as Analysis, 0);
  expect(lucky()).toBe(50);
  expect(lucky(0.1, -0.1)).toBe(50);
  // One standard deviation above the mean is luckier than 84 of 100 games, two than 97; below the mean it is the reverse.
  expect(lucky(0.2)).toBe(84);
  expect(lucky(-0.2)).toBe(15);
  expect(lucky(0.1, 0.1, 0.1, 0.1)).toBe(96);
  expect(lucky(...Array<number>(100).fill(0.01))).toBe(99);
});

test.each([
  ["a winner who decided best is praised", 0, [0], [95, 80], [0.3, -0.3], "You earned it."],
  ["luck won", 0, [0], [80, 95], [0.5, -0.5], "Luck was with you."],
  ["the best decisions did not help", 0, [1], [95, 80], [-0.5, 0.5], "You decided best. Bo rolled best."],
  ["bad luck", 0, [1], [80, 95], [-0.5, 0.5], "Luck was elsewhere."],
  ["better decisions won", 0, [1], [80, 95], [0.5, -0.5], "Room to grow."],
  ["a tie", 0, [0, 1], [80, 95], [0.1, -0.1], "Neck and neck."],
  ["somebody else", 1, [1], [80, 95], [0.1, -0.1], "Bo earned it."],
] as const)("%s", async (_, seat, winners, skills, luck, text) => {
  vi.stubGlobal("document", { documentElement: {} });
  await speak("en");
  const found = {
    seats: 2,
    accounts: skills.map((accuracy, each) => ({ seat: each, accuracy, luck: luck[each], own: -0.1, others: 0.1 })),
    swings: [{ luck: [...luck] }],
  } as unknown as Analysis;
  const subject = { seat, isMe: seat === 0, name: "Bo" };
  expect(headlineOf(found, winners, subject, "dice", () => "Bo")).toBe(text);
});

test("a loser whose decisions cost more than the dice is not told of luck", async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await speak("en");
  // Dice: -7 %, own decisions: -31 %, decisions of others: +5 %. Skill 87 of 88.
  const found = {
    seats: 2,
    accounts: [
      { seat: 0, accuracy: 87, luck: -0.07, own: -0.31, others: 0.05 },
      { seat: 1, accuracy: 88, luck: 0.07, own: -0.05, others: 0.31 },
    ],
    swings: [{ luck: [-0.07, 0.07] }],
  } as unknown as Analysis;
  const headline = headlineOf(found, [1], { seat: 0, isMe: true, name: "You" }, "dice", () => "Bo");
  expect(headline).toBe("Room to grow.");
});
