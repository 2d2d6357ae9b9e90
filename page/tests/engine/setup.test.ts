/** Positions set up by hand: what a line says and how it is written again, and the rules that forbid a position. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { seenBy } from "../../build/puzzles.ts";
import { isRefusal, type Kernel } from "../../src/engine/index.ts";
import type { Problem } from "../../src/engine/setup.ts";
import { boardPosition, boardValue, gameFrom } from "../../src/local/analysisBoard.ts";
import { builtRules } from "../support/builtEngine.ts";

let kernel: Kernel;
beforeAll(async () => {
  kernel = await builtRules();
});

const whys = (problems: Problem[]): string[] =>
  problems.map((each) =>
    each.kind === "rule" ? `${each.name} ${each.rule}` : `${each.kind} ${each.cell} ${each.why.rule}`,
  );

test.each([
  ["classic active=0 phase=color roll=34/2615 crossed=yes | r=2,5,7 g=12,11 misses=1 | y=3,4"],
  ["classic active=1 phase=white turn=9 roll=11/-111 choices=-,pass | r=2,3,4,5,6,12,L | misses=2"],
  ["gemixxt-a active=0 phase=roll | A=2,5,8 D=12,4"],
  ["bonus-a active=0 phase=roll | r=3 used=1 | -"],
  ["longo active=0 phase=roll | r=2 lucky=6/11 | lucky=5/10"],
  ["duel active=0 phase=color roll=16/2345 crossed=yes first=r7 | r=3,5x2,7 misses=1 | y=2"],
  [
    "cards active=0 phase=play sheet=gemixxt-a display=y2,y3,y4,y5 pile=b2,* discards=r9 | hand=r2,r3,r4,g5,g6 | hand=b8,b9",
  ],
])("%s is read, and written again", (line) => {
  const found = boardPosition(kernel, line);
  expect(found.problems).toEqual([]);
  // The pile is written card by card.
  const written = found.line.replace(/pile=b2,\S+/, "pile=b2,*");
  expect(written).toBe(line);
  // In parts it is the same position, with the locks that follow from the cells.
  const sheets = found.setup.sheets.map((sheet) => ({ ...sheet, locks: null }));
  expect(boardPosition(kernel, { ...found.setup, sheets }).line).toBe(found.line);
});

test.each([
  ["classic active=0 phase=roll | r=2,3,12,L", ["cross r12 C7"]],
  ["classic active=0 phase=roll | r=7,5", ["cross r5 C1"]],
  ["classic active=0 phase=roll | r=2,3,4,5,6,12", ["lock C7"]],
  ["classic active=0 phase=roll | r=2,L", ["lock C7"]],
  ["classic active=0 phase=roll | misses=4 | -", ["ended C11"]],
  ["classic active=0 phase=over | - | -", ["running C11"]],
  ["classic active=0 phase=white | -", ["no-dice C2"]],
  ["classic active=0 phase=white roll=11/1118 | -", ["dice C8"]],
  ["classic active=0 phase=white roll=11/1111 | r=2,3,4,5,6,12,L | -", ["dice C8"]],
  ["classic active=0 phase=white roll=34/1111 choices=r8,- | - | -", ["choice r8 C3"]],
  ["bonus-a active=0 phase=roll | r=3 | -", ["bar BA2"]],
  ["duel active=0 phase=roll | r=5 | r=5", ["shared D2"]],
  ["duel active=0 phase=roll | r=5x23 | -", ["pawns D1"]],
  ["duel active=0 phase=roll | misses=3 | misses=2", ["misses D8", "ended C11"]],
  ["cards active=0 phase=draw display=y2,y3,y4,y5 pile=* | hand=r2 | hand=r4,r5", ["hand K3"]],
  ["cards active=0 phase=draw display=y2,y3,y4,r4 pile=* | hand=r2,r3 | hand=r4,r5", ["deck K1"]],
  ["cards active=0 phase=draw display=y2,y3,y4 pile=* | hand=r2,r3 | hand=r4,r5", ["display K3"]],
])("%s is impossible: %s", (line, expected) => {
  expect(whys(boardPosition(kernel, line).problems)).toEqual(expected);
  expect(isRefusal(kernel.stand(line))).toBe(true);
});

test.each([
  [""],
  ["chess | -"],
  ["classic"],
  ["classic | - | - | - | - | - | -"],
  ["classic active=2 | - | -"],
  ["classic phase=draw | -"],
  ["classic roll=11/1111 | -"],
  ["classic | r=13"],
  ["classic | r=5x2"],
  ["classic | r=5,5"],
  ["classic | coins=3"],
  ["longo | lucky=11/6"],
  ["cards phase=draw display=y2,y3,y4,y5,y6 pile=* | hand=r2,r3 | hand=r4,r5"],
  ["classic phase=white roll=34/1111 choices=r7,y7 | - | -"],
  [`classic | -${" ".repeat(9_000)}`],
])("%s means nothing", (line) => {
  expect(kernel.setUp(line)).toBeNull();
  expect(() => boardPosition(kernel, line)).toThrow("unreadable");
});

test.each(["classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo", "cards", "cards-joker", "duel"])(
  "every puzzle of %s is read and written as Python writes it, and its seat has the same choices without hidden cards",
  (game) => {
    const { puzzles } = JSON.parse(readFileSync(`../src/qwixx/puzzles/positions/${game}.json`, "utf8")) as {
      puzzles: { position: string; seat: number }[];
    };
    expect(puzzles.length).toBeGreaterThan(50);
    for (const { position, seat } of puzzles) {
      const full = kernel.setUp(position)!;
      expect([full.problems, full.game.position()]).toEqual([[], position]);
      const seen = kernel.stand(seenBy(position, seat));
      expect(isRefusal(seen) || seen.legal(seat)).toEqual(full.game.legal(seat));
    }
  },
);

test("a game that starts at a position is played to its end, stored, and replayed", () => {
  const line = "classic active=1 phase=roll turn=12 | r=2,3,4,5 misses=3 | y=2,3,4,5,6,12,L misses=3";
  const game = gameFrom(kernel, line);
  expect(game.record()).toBe(`qwixx record 1\nstart ${line}\n`);
  while (!game.isOver) {
    if (game.awaitsChance) game.roll();
    for (const seat of game.deciders()) game.decide(seat, "pass");
  }
  expect(game.scores()).toEqual([10 - 15, 28 - 20]); // C12: the active seat took its fourth miss
  const again = kernel.replay(game.record());
  expect(isRefusal(again) || again.scores()).toEqual([-5, 8]);
  const restored = kernel.restore(game.save());
  expect(isRefusal(restored) || restored.record()).toBe(game.record());
});

test("impossible positions are not judged and not played", async () => {
  const line = "classic active=0 phase=roll | misses=4 | -";
  await expect(boardValue(kernel, line, 0)).rejects.toThrow("unreadable");
  expect(() => gameFrom(kernel, line)).toThrow("unreadable");
  expect(() => gameFrom(kernel, "classic active=0 phase=over | misses=4 | -")).toThrow("not-now");
});
