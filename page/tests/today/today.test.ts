/** The daily game: the published recipe, the calendar of the player, and a shared text that reveals nothing. */
import { beforeEach, expect, test, vi } from "vitest";
import { isRefusal, type LocalGame } from "../../src/engine/index.ts";
import { facesOf, hexOf } from "../../src/fair/hashDigits.ts";
import { luckyOf, numberOf, rollOf } from "../../src/fair/dailyDice.ts";
import {
  dateOf,
  dayGames,
  type DayGame,
  daysAfter,
  daySummaries,
  deviceToken,
  findDay,
  keepDay,
  rowOfDays,
  secondsLeft,
  weeksUntil,
} from "../../src/today/calendar.ts";
import { decisionsOf, shareText } from "../../src/today/dayDecisions.ts";
import { speak } from "../../src/words/i18n.svelte.ts";
import type { Choice, DayChoices, Decision } from "../../src/protocol.ts";
import { squaresOf } from "../../src/today/shareText.ts";
import { builtRules } from "../support/builtEngine.ts";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
  removeItem: (key: string) => void kept.delete(key),
});
beforeEach(() => kept.clear());

test("digests equal those of the standard, and of sha256sum", () => {
  expect(hexOf("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(hexOf("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // Two blocks: the length no longer fits into the first.
  expect(hexOf("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).toBe(
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  );
  expect(hexOf("qwixx today 2026-11-16 classic 1")).toBe(
    "034687a146c6988bec6827acb5fa6d547073f1667952c98dd729ddfabd9c3e8d",
  );
});

test("the recipe gives the dice that Python gives", async () => {
  expect(facesOf(numberOf("2026-11-16", "classic", 1), [6, 6, 6, 6, 6, 6])).toEqual([6, 5, 5, 1, 3, 5]);
  const kernel = await builtRules();
  const stands = (position: string): LocalGame => {
    const game = kernel.stand(position);
    if (isRefusal(game)) throw new Error(position);
    return game;
  };
  expect(rollOf("2026-11-16", stands("classic active=0 phase=roll | -"))).toBe("65/5135");
  expect(rollOf("2026-11-16", stands("classic active=0 phase=roll | b=12,11,10,9,8,2,L"))).toBe("65/513-");
  expect(luckyOf("2026-11-16", "longo", ["5/10", "6/11", "7/12", "8/13", "4/9"])).toEqual(["8/13"]);
  expect(luckyOf("2026-11-16", "classic", [])).toBeNull();
});

function game(date: string, variant: string, score: number | null, more: Partial<DayGame> = {}): DayGame {
  return { date, variant, place: "server", code: "A", score, squares: [], ...more };
}

test("a game is stored once, from its start to its score", () => {
  keepDay(game("2026-11-16", "classic", null));
  keepDay(game("2026-11-15", "classic", 30));
  keepDay(game("2026-11-16", "classic", 80));
  keepDay(game("2026-11-16", "classic", null, { place: "here" }));
  expect(dayGames().map((each) => [each.date, each.place, each.score])).toEqual([
    ["2026-11-15", "server", 30],
    ["2026-11-16", "server", 80],
    ["2026-11-16", "here", null],
  ]);
  expect(findDay("2026-11-16", "classic", "server")?.score).toBe(80);
  expect(findDay("2026-11-16", "longo", "server")).toBeUndefined();
  kept.set("qwixx.days", '[{"date": 3}, null]');
  expect(dayGames()).toEqual([]);
});

test("a device draws its token once", () => {
  const token = deviceToken();
  expect(token).toMatch(/^[0-9a-f]{48}$/);
  expect(deviceToken()).toBe(token);
  kept.set("qwixx.device", "too short");
  expect(deviceToken()).not.toBe(token);
});

test("days are those of UTC, also over the end of a month and of a year", () => {
  expect(dateOf(Date.parse("2026-11-16T23:59:59.999Z"))).toBe("2026-11-16");
  expect(secondsLeft(Date.parse("2026-11-16T23:59:00Z"))).toBe(60);
  expect([daysAfter("2026-12-31", 1), daysAfter("2028-03-01", -1)]).toEqual(["2027-01-01", "2028-02-29"]);
  // 16 November 2026 is a Monday.
  expect(weeksUntil("2026-11-16", 2)).toEqual([
    ["2026-11-09", "2026-11-10", "2026-11-11", "2026-11-12", "2026-11-13", "2026-11-14", "2026-11-15"],
    ["2026-11-16", "2026-11-17", "2026-11-18", "2026-11-19", "2026-11-20", "2026-11-21", "2026-11-22"],
  ]);
  expect(weeksUntil("2026-11-22", 1)[0]!.at(-1)).toBe("2026-11-22");
});

test("a streak may end yesterday, and an unfinished game does not count", () => {
  const all = [
    game("2026-11-10", "classic", 1),
    game("2026-11-11", "longo", 2),
    game("2026-11-12", "classic", 3),
    game("2026-11-14", "classic", 4),
    game("2026-11-15", "classic", 5),
    game("2026-11-16", "classic", null),
  ];
  expect(rowOfDays(all, "2026-11-16")).toEqual({ now: 2, most: 3 });
  expect(rowOfDays([...all, game("2026-11-16", "longo", 0)], "2026-11-16")).toEqual({ now: 3, most: 3 });
  expect(rowOfDays(all, "2026-11-17")).toEqual({ now: 0, most: 3 });
  expect(rowOfDays([], "2026-11-16")).toEqual({ now: 0, most: 0 });
});

test("each game has a summary", () => {
  const all = [
    game("2026-11-10", "longo", 100),
    game("2026-11-11", "classic", -20),
    game("2026-11-12", "classic", 70),
    game("2026-11-13", "classic", null),
  ];
  expect(daySummaries(all, ["classic", "bonus-a", "longo"])).toEqual([
    { variant: "classic", days: 2, best: 70, average: 25 },
    { variant: "longo", days: 1, best: 100, average: 100 },
  ]);
});

test("squares show the lengths of rows, the longest first, but no color or number", () => {
  const row = (count: number, locked = false) => ({ crosses: Array.from({ length: count }, (_, i) => i + 2), locked });
  const expected = ["🟩🟩🟩🟩🟩🟩🔒", "🟩🟩🟩", "🟩", "🟥🟥"];
  expect(squaresOf({ rows: [row(1), row(6, true), row(0), row(3)], misses: 2 } as never)).toEqual(expected);
  expect(squaresOf({ rows: [row(3), row(0), row(6, true), row(1)], misses: 2 } as never)).toEqual(expected);
  expect(squaresOf({ rows: [row(0)], misses: 0 } as never)).toEqual([]);
});

// ---- the conversation

function decision(step: number, chosen: string, losses: Record<string, number>): Decision {
  const choices = Object.entries(losses).map(([action, loss]): Choice => ({ action, value: 0, points: 0, loss }));
  const best = choices[0]!.action;
  const loss = losses[chosen]!;
  return {
    step,
    turn: 1,
    seat: 0,
    phase: "white",
    chosen,
    best,
    loss,
    grade: "slip",
    close: false,
    source: "exact",
    choices,
  };
}

test("each decision has what others chose, the best choice and the own one", () => {
  const decisions = [
    decision(1, "r7", { y7: 0, b7: 0.5, g7: 0.75, pass: 1, r7: 2 }),
    decision(2, "pass", { pass: 0 }),
    decision(4, "pass", { g9: 0, y6: 0.2, pass: 3 }),
    decision(6, "pass", { g5: 0, pass: 1 }),
  ];
  const counts = [
    { action: "pass", players: 3 },
    { action: "y7", players: 1 },
  ];
  const elsewhere = [
    { action: "r2", players: 9 },
    { action: "y6", players: 3 },
  ];
  const others: DayChoices = {
    decisions: [
      { step: 1, sameSheet: true, players: 4, choices: counts },
      { step: 4, sameSheet: false, players: 12, choices: elsewhere },
    ],
    players: 4,
    lost: 1,
    luck: 2,
  };
  const found = decisionsOf({ decisions }, others);
  // The second one had only one choice. Others first, as many as made it; who chose nothing of it is left out.
  expect(found.map((each) => [each.decision.step, each.players, each.sameSheet])).toEqual([
    [1, 4, true],
    [4, 12, false],
    [6, 0, false],
  ]);
  expect(found[0]!.choices).toEqual([
    { action: "pass", loss: 1, players: 3 },
    { action: "y7", loss: 0, players: 1 },
    { action: "r7", loss: 2, players: 0 },
  ]);
  expect(found[1]!.choices).toEqual([
    { action: "r2", loss: null, players: 9 },
    { action: "y6", loss: 0.2, players: 3 },
    { action: "g9", loss: 0, players: 0 },
    { action: "pass", loss: 3, players: 0 },
  ]);
  // Without a server there are the costs alone.
  const alone = decisionsOf({ decisions }, null)[0]!;
  expect(alone.choices.map(({ action, players }) => [action, players])).toEqual([
    ["y7", null],
    ["b7", null],
    ["g7", null],
    ["pass", null],
    ["r7", null],
  ]);
});

test("few others are counted, and many become a percentage", async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await speak("en");
  expect(shareText(3, 4)).toBe("3 of 4");
  expect(shareText(6, 10)).toBe("60%");
});
