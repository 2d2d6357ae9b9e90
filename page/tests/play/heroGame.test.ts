/** The sheet on the start page plays by the rules. */
import { beforeAll, expect, test } from "vitest";
import { HERO_BEGIN, HERO_ROWS, HERO_TURNS } from "../../src/components/start/heroGame.ts";
import { isRefusal, type Kernel } from "../../src/engine/index.ts";
import { builtRules } from "../support/builtEngine.ts";

let kernel: Kernel;
beforeAll(async () => {
  kernel = await builtRules();
});

/** The position line of a white window with these crosses. */
function line(crosses: readonly string[], [first, second]: readonly [number, number]): string {
  const rows = ["r", "y", "g", "b"].map((key) => {
    const values = crosses.filter((cell) => cell.startsWith(key)).map((cell) => cell.slice(1));
    return `${key}=${values.join(",")}`;
  });
  return `classic active=0 phase=white roll=${first}${second}/1111 | ${rows.join(" ")}`;
}

test("the lit cells are what the white sum can cross, and one of them is crossed", () => {
  const crosses = [...HERO_BEGIN];
  for (const { dice, lit, cross } of HERO_TURNS) {
    const game = kernel.stand(line(crosses, dice));
    if (isRefusal(game)) throw new Error(line(crosses, dice));
    expect(game.legal(0).filter((action) => action !== "pass")).toEqual([...lit]);
    expect(lit).toContain(cross);
    crosses.push(cross);
  }
});

test("the rows are those of the sheet", () => {
  const rows = kernel.catalogue.games.find(({ id }) => id === "classic")!.layouts.classic!.rows;
  const drawn = HERO_ROWS.map(({ key, seen, last }) => ({ key, seen, last }));
  expect(drawn).toEqual(
    rows.map(({ key, cells }) => ({
      key,
      seen: cells.slice(0, drawn[0]!.seen.length).map(({ value }) => value),
      last: cells.at(-1)!.value,
    })),
  );
});
