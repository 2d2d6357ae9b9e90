/** The analysis board: what is tapped in becomes a position, and answers for earlier positions do not count. */
import { beforeAll, expect, test } from "vitest";
import type { Kernel } from "../../src/engine/index.ts";
import type { Setup } from "../../src/engine/setup.ts";
import { boardPosition, type BoardValue } from "../../src/local/analysisBoard.ts";
import { LocalError } from "../../src/local/localHouse.ts";
import { BoardSession, type BoardRules } from "../../src/board/boardSession.svelte.ts";
import { builtRules } from "../support/builtEngine.ts";

let kernel: Kernel;
beforeAll(async () => {
  kernel = await builtRules();
});

const WORTH: BoardValue = {
  measure: "win",
  source: "learned",
  values: [0.5, 0.5],
  points: [0, 0],
  choices: [],
  sums: [],
};
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

function board(
  game: string,
  valueOf: BoardRules["valueOf"] = async () => WORTH,
): { session: BoardSession; lines: string[] } {
  const lines: string[] = [];
  const setUp = async (position: string | Setup): ReturnType<BoardRules["setUp"]> => {
    try {
      return boardPosition(kernel, position);
    } catch {
      throw new LocalError("unreadable");
    }
  };
  const session = new BoardSession(kernel.catalogue.games, game, { setUp, valueOf }, (line) => lines.push(line));
  return { session, lines };
}

test("crosses, misses, the turn and the dice become a line", async () => {
  const { session, lines } = board("classic");
  await session.begin(null);
  for (const cell of ["r2", "r5", "g12"]) session.tap(0, cell, false);
  session.tap(0, "r5", false); // taken back
  session.tapMiss(1, 2);
  session.setActive(1);
  session.setMoment("color");
  await settled();
  expect(session.position?.problems).toMatchObject([{ name: "no-dice", rule: "C2" }]);
  session.setRoll("34/2615");
  session.setCrossed(true);
  await settled();
  expect(lines.at(-1)).toBe("classic active=1 phase=color roll=34/2615 crossed=yes | r=2 g=12 | misses=2");
  expect(session.decides).toBe(true);
  session.setMoment("roll"); // the dice are lifted
  await settled();
  expect(lines.at(-1)).toBe("classic active=1 phase=roll | r=2 g=12 | misses=2");
});

test("an impossible position has its rule and no value", async () => {
  const { session, lines } = board("classic");
  await session.begin(null);
  lines.length = 0;
  session.tap(0, "r12", false);
  await settled();
  expect(session.position?.problems).toMatchObject([{ kind: "cross", cell: "r12", why: { rule: "C7" } }]);
  expect([session.value, lines]).toEqual([null, []]);
});

test("the bonus bar follows the boxed cells (BA2)", async () => {
  const { session, lines } = board("bonus-a");
  await session.begin(null);
  session.tap(0, "r3", false);
  session.tap(0, "r6", false);
  await settled();
  expect(lines.at(-1)).toBe("bonus-a active=0 phase=roll | r=3,6 used=1,2 | -");
  session.tap(0, "r6", false);
  await settled();
  expect(lines.at(-1)).toBe("bonus-a active=0 phase=roll | r=3 used=1 | -");
});

test("cards are put at their places, and the rest is dealt as the rules ask (K3)", async () => {
  const { session, lines } = board("cards");
  await session.begin(null);
  session.putCard("r4", { kind: "hand", seat: 0 });
  session.putCard("r4", { kind: "display" }); // a card lies in one place
  session.putCard("b12", { kind: "top" });
  session.setMoment("number");
  await settled();
  expect(session.position?.problems.length).toBeGreaterThan(0);
  session.deal();
  await settled();
  expect(session.position?.problems).toEqual([]);
  expect(session.people.map(({ hand }) => hand.length)).toEqual([5, 4]);
  expect(session.setup.display).toContain("r4");
  expect(lines.at(-1)).toContain(" pile=b12,");
});

test("a position line is read, a broken one leaves the board as it is", async () => {
  const { session, lines } = board("classic");
  const line = "longo active=1 phase=white roll=34/2615 | r=2 lucky=6/11 | lucky=5/10";
  await session.begin(line);
  expect([session.game.id, session.setup.phase, session.seat]).toEqual(["longo", "white", 1]);
  expect(await session.read("longo nonsense")).toBe(false);
  expect([session.isUnread, session.game.id, lines]).toEqual([true, "longo", [line]]);
  session.rollSum(16);
  await settled();
  expect(session.setup.roll.slice(0, 3)).toBe("88/"); // the only white roll of Longo with this sum
});

test("a link that is no position shows a sentence, and an empty board", async () => {
  const { session } = board("duel");
  await session.begin("nonsense");
  expect([session.isUnread, session.position?.line]).toEqual([true, "duel active=0 phase=roll | - | -"]);
});

test("late values do not count, and a refusal is kept by its code", async () => {
  const waiting: ((value: BoardValue) => void)[] = [];
  const { session } = board("classic", () => new Promise((resolve) => waiting.push(resolve)));
  void session.begin(null);
  await settled();
  session.look(1);
  await settled();
  waiting[0]!({ ...WORTH, values: [1, 0] });
  await settled();
  expect(session.value).toBeNull();
  waiting[1]!(WORTH);
  await settled();
  expect(session.value).toBe(WORTH);
  const { session: other } = board("classic", () => Promise.reject(new LocalError("no-weights")));
  await other.begin(null);
  expect(other.trouble).toBe("no-weights");
});
