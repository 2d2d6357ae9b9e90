/** The view of a game on a server is enough for the engine of the page to compute legal actions and reasons. */
import { beforeAll, expect, test } from "vitest";
import { isRefusal, type Kernel, type LocalGame } from "../../src/engine/index.ts";
import { builtRules } from "../support/builtEngine.ts";

let kernel: Kernel;
beforeAll(async () => {
  kernel = await builtRules();
});

const TABLES: [variant: string, sheet: string, seats: number][] = [
  ["classic", "classic", 2],
  ["gemixxt-a", "gemixxt-a", 3],
  ["gemixxt-b", "gemixxt-b", 1],
  ["bonus-a", "bonus-a", 2],
  ["bonus-b", "bonus-b", 2],
  ["longo", "longo", 2],
  ["cards", "gemixxt-b", 2],
  ["cards-joker", "classic", 3],
];
/** In every turn some of these are refused, for many reasons. */
const POOL = [
  "r2",
  "r12",
  "y7",
  "g2",
  "b12",
  "A5",
  "C9",
  "pass",
  "take:1",
  "play:r4=r4",
  "play:j7=b7",
  "r7>y",
  "nonsense",
];

function begun(variant: string, seats: number, seed: number, sheet?: string): LocalGame {
  const game = kernel.begin({ variant, seats, seed: BigInt(seed), first: 0, sheet });
  if (isRefusal(game)) throw new Error(variant);
  return game;
}

/** Play with a simple random generator, and check every decision. */
function play(game: LocalGame, seed: number, look: (seat: number, action: string) => void): void {
  let luck = seed;
  while (!game.isOver) {
    if (game.awaitsChance) game.roll();
    for (const seat of game.deciders()) {
      luck = (luck * 16807) % 2147483647;
      const legal = game.legal(seat);
      const action = legal[luck % legal.length]!;
      look(seat, action);
      game.decide(seat, action);
    }
  }
}

test.each(TABLES)("%s on %s for %i", (variant, sheet, seats) => {
  const game = begun(variant, seats, 5, sheet === variant ? undefined : sheet);
  let positions = 0;
  play(game, 11, (own) => {
    for (let seat = 0; seat < seats; seat++) {
      // A server sends the same view of a dice game to all, that of a spectator.
      const view = game.mine(seat).view ?? game.view(null);
      const seen = kernel.seen(view, game.sheet, seat)!;
      if (seat === own) expect(seen.legal()).toEqual(game.legal(seat));
      for (const action of POOL) expect(seen.whyNot(action)).toEqual(game.whyNot(seat, action));
      positions++;
    }
  });
  expect(positions).toBeGreaterThan(20);
});

test.each(["classic", "bonus-a", "bonus-b"])(
  "a preview in %s equals the result, if no other player closes a row",
  (variant) => {
    let longest = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const game = begun(variant, 1, seed);
      play(game, seed, (seat, action) => {
        const foreseen = kernel.seen(game.view(null), game.sheet, seat)!.preview(action);
        const events = game.copy().decide(seat, action);
        const crossed = isRefusal(events) ? [] : events.flatMap((event) => (event.e === "crossed" ? [event.cell] : []));
        expect(foreseen).toEqual(crossed);
        longest = Math.max(longest, crossed.length);
      });
    }
    expect(longest > 1).toBe(variant !== "classic");
  },
);

test("a preview does not depend on choices of others, and a refused action has none", () => {
  const game = begun("classic", 3, 2);
  game.roll();
  const seen = kernel.seen(game.view(null), game.sheet, 1)!;
  const cell = game.legal(1).find((action) => action !== "pass")!;
  expect(seen.preview(cell)).toEqual([cell]);
  expect(seen.preview("pass")).toEqual([]);
  expect(seen.preview("r12")).toEqual([]);
});

test("the view of the duel does not contain enough", () => {
  const game = begun("duel", 2, 1);
  expect(kernel.seen(game.view(null), game.sheet, 0)).toBeNull();
});
