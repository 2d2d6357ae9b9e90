/** Data of puzzles and hints: positions as a seat sees them, sentences for reasons, comments, progress. */
import { readFileSync } from "node:fs";
import { beforeEach, expect, test, vi } from "vitest";
import { readWords } from "../../build/reasons.ts";
import { seenBy } from "../../build/puzzles.ts";
import { reasonsText, reasonText } from "../../src/words/reasonSentences.ts";
import { addRemarkEvents, remarksOf } from "../../src/local/ledgerRemarks.ts";
import { noteAnswer, progressIn } from "../../src/puzzles/progress.ts";

const FILE = readFileSync("../src/qwixx/coach/reasons/sentences.toml", "utf8");

test("a card position shows only what its seat sees", () => {
  const line =
    "cards active=1 phase=play turn=4 display=r4,g5,j7,b9 pile=y3,y4,y5 discards=r2 | r=2 hand=r9,y10,j3,g9 | hand=b2,b3,y8,y9,g12 misses=1";
  expect(seenBy(line, 1)).toBe(
    "cards active=1 phase=play turn=4 display=?4,?5,?7,?9 pile=?3x3 discards=r2 | r=2 hand=?3,?9,?9,?10 | hand=b2,b3,y8,y9,g12 misses=1",
  );
  const dice = "classic active=0 phase=white roll=34/2615 | r=2 | -";
  expect(seenBy(dice, 0)).toBe(dice);
});

test("reasons have the sentences of the terminal", () => {
  const [en, de, fr, it] = (["en", "de", "fr", "it"] as const).map((each) => readWords(FILE, each));
  expect(reasonText(en!, "en", { kind: "skips", n: 3, row: "g" })).toBe("skips 3 cells in green");
  expect(reasonText(de!, "de", { kind: "skips", n: 1, row: "r" })).toBe("lässt in der roten Reihe 1 Feld aus");
  expect(reasonText(fr!, "fr", { kind: "gains", n: 0 })).toMatch(/^0 point /);
  expect(reasonText(en!, "en", { kind: "leaves", row: "B", numbers: [11, 12], k: 3, total: 36 })).toBe(
    "leaves 11 and 12 in row 2, which the white dice show in 3 of 36 rolls",
  );
  const next = (number: number): string =>
    reasonText(it!, "it", { kind: "next-number", row: "g", numbers: [number], k: 5, total: 36 });
  expect([8, 11, 9].map(next).map((text) => text.slice(0, 16))).toEqual([
    "poi viene l’8 ne",
    "poi viene l’11 n",
    "poi viene il 9 n",
  ]);
  expect(reasonsText(en!, "en", [{ kind: "ends" }, { kind: "leads", n: 1 }])).toBe(
    "ends the game; you lead by 1 point",
  );
  expect(reasonText(en!, "en", { kind: "of-a-newer-server" })).toBe("");
});

test("a replay shows the hints of its record", () => {
  const record = "qwixx record 1\nvariant classic\nroll 34/2615\n# hint: 0\n0 r7\n# hint: 1\n1 pass\n";
  const remarks = remarksOf(record);
  expect(remarks).toEqual([
    { after: 1, line: "# hint: 0" },
    { after: 2, line: "# hint: 1" },
  ]);
  const frames = [0, 1, 2].map((step) => ({ step: String(step), events: [], view: {} as never }));
  expect(addRemarkEvents(frames, remarks).map((frame) => frame.events.length)).toEqual([0, 0, 1]);
  expect(addRemarkEvents(frames, remarks)[2]!.events).toEqual([{ e: "hinted", seat: 0 }]);
});

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => kept.set(key, text),
  });
});

test("solved and repeated puzzles are stored", () => {
  noteAnswer("classic", "a", false);
  expect(noteAnswer("classic", "b", true)).toEqual({ solved: ["b"], again: ["a"], streak: 1, longest: 1 });
  expect(noteAnswer("classic", "a", true)).toMatchObject({ solved: ["b", "a"], again: [], streak: 2, longest: 2 });
  expect(noteAnswer("classic", "b", false)).toMatchObject({ solved: ["a"], again: ["b"], streak: 0, longest: 2 });
  localStorage.setItem("qwixx.training", JSON.stringify({ classic: { solved: [1, "a"], streak: "x" } }));
  expect(progressIn("classic")).toEqual({ solved: ["a"], again: [], streak: 0, longest: 0 });
  localStorage.setItem("qwixx.training", "nonsense");
  expect(progressIn("classic").solved).toEqual([]);
});
