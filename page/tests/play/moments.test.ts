/** Big moments: a closed row, a chain of bonuses, a lucky number. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { momentsOf } from "../../src/play/moments.svelte.ts";
import type { AnyEvent, Layout, View } from "../../src/protocol.ts";
import { speak } from "../../src/words/i18n.svelte.ts";

beforeAll(() => vi.stubGlobal("document", { documentElement: {} }));
afterAll(() => vi.unstubAllGlobals());

const LAYOUT = { rows: [{ key: "r", lock: "r" }] } as unknown as Layout;

function titles(events: AnyEvent[], lucky: number[] = [], dice = "34/1111"): string[] {
  const view = { phase: "color", dice, sheets: [{ lucky }, { lucky: [] }] } as unknown as View;
  return momentsOf(events, view, LAYOUT, [0], (seat) => ["Ada", "Bo"][seat]!).map(
    ({ title, text }) => `${title}: ${text}`,
  );
}

test.each([
  ["en", "Red row closed: Ada and Bo"],
  ["fr", "Rangée rouge clôturée: Ada et Bo"],
] as const)("%s: one slab for a row, with all who closed it", async (language, said) => {
  await speak(language);
  const events: AnyEvent[] = [
    { e: "locked", seat: 0, row: "r" },
    { e: "locked", seat: 1, row: "r" },
    { e: "closed", row: "r" },
  ];
  expect(titles(events)).toEqual([said]);
});

test("own chains and lucky numbers have a moment, those of others do not", async () => {
  await speak("en");
  const chain = (seat: number): AnyEvent[] => [
    { e: "crossed", seat, cell: "r7" },
    { e: "bonus", seat, barCell: 1 },
    { e: "crossed", seat, cell: "g12" },
  ];
  expect(titles(chain(0))).toEqual(["Chain: 2 crosses: Ada"]);
  expect(titles(chain(1))).toEqual([]);
  const cross = (seat: number): AnyEvent[] => [
    { e: "crossed", seat, cell: "r9" },
    { e: "phase", phase: "color" },
  ];
  expect(titles(cross(0), [7, 12])).toEqual(["Lucky number!: Ada"]);
  expect(titles(cross(0), [6, 12])).toEqual([]); // white 3 and 4
  expect(titles(cross(1), [7, 12])).toEqual([]);
});
