/** Events in the reader's language: every detail that a sentence speaks of is filled in. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { speak } from "../src/lib/i18n.svelte.ts";
import type { AnyEvent } from "../src/lib/protocol.ts";
import { eventText } from "../src/lib/words.ts";

const name = (seat: number): string => ["Anna", "Ben"][seat]!;

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  await speak("en");
});
afterAll(() => vi.unstubAllGlobals());

test.each<[AnyEvent, string]>([
  [{ e: "crossed", seat: 1, cell: "r7" }, "Ben crosses red 7."],
  [{ e: "bonus", seat: 0, barCell: 3 }, "Anna: bonus, cell 3 of the bar."],
  [{ e: "played", seat: 0, cards: ["r4", "j5"] }, "Anna plays red 4 and joker 5."],
  [{ e: "took", seat: 1, numbers: [3, 12] }, "Ben takes 3 and 12 from the display."],
  [{ e: "shuffled", cards: 33 }, "The discards become the new pile."],
  [{ e: "late", seat: 1 }, "Time is up: the table decides for Ben."],
  [{ e: "die-left", color: "b" }, "The die leaves the game: blue."],
])("%o", (event, text) => {
  expect(eventText({ event, by: null }, name)).toBe(text);
});

test("who sees the dice is told their sum, who does not is told them all", () => {
  const rolled: AnyEvent = { e: "rolled", roll: "34/26-5" };
  expect(eventText({ event: rolled, by: 1 }, name)).toBe("Ben rolls: white 3 + 4 = 7.");
  expect(eventText({ event: rolled, by: 1 }, name, true)).toMatch(/3 \+ 4.*7.*red 2, yellow 6, blue 5/);
});

test("what shows on the screen in other ways is not told", () => {
  expect(eventText({ event: { e: "decided", seat: 0 }, by: 0 }, name)).toBeNull();
  expect(eventText({ event: { e: "phase", phase: "white" }, by: 0 }, name)).toBeNull();
});
