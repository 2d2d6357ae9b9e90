/** Help about everything on the table: a sentence in all languages, and a rule of the game. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isRefusal, type Kernel } from "../../src/engine/index.ts";
import { helpFor, ruleNow, type Scene } from "../../src/play/helpTexts.ts";
import { type Language, LANGUAGES, speak } from "../../src/words/i18n.svelte.ts";
import type { View } from "../../src/protocol.ts";
import { builtRules } from "../support/builtEngine.ts";

/** The ids of the rules of each game, from the rule book. */
function rulesOf(game: string): Set<string> {
  const book = readFileSync("../src/qwixx/rulebook/rules.toml", "utf8");
  const found = [...book.matchAll(/^\[(?:rules\.)?(\w+)\]([^[]*?games = \[[^\]]*\])/gms)];
  return new Set(found.filter(([, , text]) => text!.includes(`"${game}"`)).map(([, id]) => id!));
}

let kernel: Kernel;
beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  kernel = await builtRules();
});
afterAll(() => vi.unstubAllGlobals());

/** A game that has just started, as its first seat sees it. */
function sceneOf(id: string, sheet?: string): Scene {
  const game = kernel.catalogue.games.find((each) => each.id === id)!;
  const begun = kernel.begin({ variant: id, seats: game.seats[1] > 1 ? 2 : 1, seed: 3n, first: 0, sheet });
  if (isRefusal(begun)) throw new Error(id);
  const layout = game.layouts[sheet ?? ""] ?? Object.values(game.layouts)[0]!;
  return { game, layout, view: begun.view(0) as View, seat: 0 };
}

/** Everything that has a topic on such a table. */
function topicsOf({ game, layout }: Scene): string[] {
  const cells = layout.rows.flatMap((row) => row.cells.map((cell) => `cell:${row.key}${cell.value}`));
  const rows = layout.rows.flatMap((row) => [`lock:${row.key}`, `row:${row.key}`]);
  const topics = [...cells, ...rows, "misses", "total", ...layout.bar.map((_, i) => `bar:${i + 1}`)];
  topics.push(...Object.values(layout.marks).map((mark) => `pair:${mark.word}`));
  if (game.luckyPads.length) topics.push("lucky");
  if (game.duel) topics.push("pawns");
  if (game.flow === "cards")
    return [...topics, "display", "pile", "card:r4", ...(game.id === "cards-joker" ? ["card:j4"] : [])];
  return [...topics, "die:0", "die:1", "die:2", "die:5"];
}

const GAMES = ["classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo", "cards", "cards-joker", "duel"];

test.each([...GAMES.map((id) => [id, undefined]), ["cards", "gemixxt-a"]] as [string, string | undefined][])(
  "%s %s",
  async (id, sheet) => {
    const scene = sceneOf(id, sheet);
    const rules = rulesOf(id);
    expect(rules.size).toBeGreaterThan(10);
    for (const language of Object.keys(LANGUAGES) as Language[]) {
      await speak(language);
      for (const topic of topicsOf(scene)) {
        const help = helpFor(topic, scene);
        expect(help, topic).not.toBeNull();
        expect(help!.text, topic).toMatch(/^[\p{Lu}\d].*\.$/u);
        expect(help!.text, topic).not.toMatch(/[{}]|help\.|undefined|NaN/);
        expect(rules, topic).toContain(help!.rule);
      }
    }
    for (const phase of ["roll", "white", "color", "draw", "number", "play", "over"]) {
      const belongs =
        scene.game.flow === "cards"
          ? !["roll", "white", "color"].includes(phase)
          : !["draw", "number", "play"].includes(phase);
      if (belongs) expect(rules, phase).toContain(ruleNow(scene.game, scene.layout, { ...scene.view, phase }));
    }
  },
);

test("sentences contain the numbers of this sheet", async () => {
  await speak("en");
  const said = (topic: string, scene: Scene): string => helpFor(topic, scene)!.text;
  const classic = sceneOf("classic");
  // Closing needs five crosses (C7), six in Longo (L2); a miss costs 5, the fourth ends the game (C11, C12).
  expect(said("cell:r12", classic)).toContain("at least 5 crosses");
  expect(said("cell:r15", sceneOf("longo"))).toContain("at least 6 crosses");
  expect(said("misses", classic)).toMatch(/costs 5 points.*number 4 ends/);
  const crossed = structuredClone(classic.view);
  Object.assign(crossed.sheets[0]!.rows[0]!, { crosses: [2, 3, 4], heights: [1, 1, 1], count: 3, points: 6 });
  expect(said("row:r", { ...classic, view: crossed })).toBe("Red row: 3 crosses = 6 points; with the next, 10 points.");
  expect(said("lock:r", { ...classic, view: { ...crossed, closed: ["r"] } })).toBe(
    "This row is closed for all, and a die has been removed: red.",
  );
  expect(said("die:2", { ...classic, view: { ...crossed, gone: ["r"] } })).toBe(
    "This die has been removed because a row is closed.",
  );
  const bar = sceneOf("bonus-a");
  // The bar starts with red, yellow, green (BA1).
  expect(said("bar:3", bar)).toContain("the green row");
  Object.assign(bar.view.sheets[0]!, { used: [1], struck: [2] });
  expect([said("bar:1", bar), said("bar:2", bar)]).toEqual([
    expect.stringContaining("used up"),
    expect.stringContaining("struck"),
  ]);
  const duel = sceneOf("duel");
  Object.assign(duel.view.sheets[1]!.rows[0]!, { crosses: [3, 5], heights: [1, 2] });
  expect([helpFor("cell:r3", duel)!.rule, helpFor("cell:r5", duel)!.rule, helpFor("cell:r7", duel)!.rule]).toEqual([
    "D3",
    "D4",
    "D2",
  ]);
});
