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
