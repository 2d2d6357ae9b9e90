/** How a game ended, in words: rows keep their gender where a language has one. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { endingText } from "../../src/history/resultText.ts";
import type { Layout, SheetView, View } from "../../src/protocol.ts";
import { speak } from "../../src/words/i18n.svelte.ts";

beforeAll(() => vi.stubGlobal("document", { documentElement: {} }));
afterAll(() => vi.unstubAllGlobals());

/** Two sheets; Ada (0) has the lock of the first row, Bo (1) that of the second. */
function ended(keys: readonly string[]): View {
  const sheet = (seat: number): SheetView =>
    ({ seat, rows: keys.map((key, r) => ({ key, locked: r === seat })) }) as unknown as SheetView;
  return { ending: "rows", closed: keys, sheets: [sheet(0), sheet(1)] } as unknown as View;
}

test.each([
  ["en", "r", "g", "Closed: the red row (Ada) and the green row (Bo)."],
  ["de", "r", "g", "Abgeschlossen: die rote Reihe (Ada) und die grüne Reihe (Bo)."],
  ["fr", "r", "g", "Clôturées\u202f: la rangée rouge (Ada) et la rangée verte (Bo)."],
  ["it", "r", "y", "Chiuse: la riga rossa (Ada) e la riga gialla (Bo)."],
  ["it", "A", "D", "Chiuse: la riga 1 (Ada) e la riga 4 (Bo)."],
] as const)("%s names the rows that %s and %s closed", async (language, first, second, text) => {
  await speak(language);
  expect(endingText({} as Layout, ended([first, second]), [], null, (seat) => ["Ada", "Bo"][seat]!)).toBe(text);
});
