/**
 * Turn the puzzles into modules: `puzzles:loaders` says which games have some and how each is fetched,
 * `puzzles:classic` gives those of a game.
 *
 * They are the package's own files, one for each game that has been trained for. Positions of card games hold all cards:
 * only what the seat that decides may see gets into the page.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { Puzzle } from "../src/puzzles/puzzleFiles.ts";
import { loaders, LOADERS, virtual } from "./virtual.ts";

const PREFIX = "puzzles:";
const ENDING = ".json";

/**
 * Write a position as its seat sees it: of other hands their size, of the display its numbers, of the pile its size and the
 * number on top. A position without cards stays as it is.
 */
export function seenBy(position: string, seat: number): string {
  const [table = "", ...seats] = position.split(" | ");
  if (!/ pile=/.test(table)) return position;
  const seen = table
    .replace(/ display=(\S+)/, (_, cards: string) => ` display=${cards.split(",").map(backOf).join(",")}`)
    .replace(/ pile=(\S+)/, (_, cards: string) => ` pile=${backOf(cards.split(",")[0]!)}x${cards.split(",").length}`);
  const hands = seats.map((section, place) =>
    place === seat ? section : section.replace(/\bhand=(\S+)/, (_, cards: string) => `hand=${cards.split(",").length}`),
  );
  return [seen, ...hands].join(" | ");
}

/** A card from behind: its number. */
function backOf(card: string): string {
  return card.replace(/^[a-z]/, "?");
}

/** Read the positions of a game as the page gets them. */
export function readPuzzles(folder: string, game: string): Puzzle[] {
  const { puzzles } = JSON.parse(readFileSync(join(folder, game + ENDING), "utf8")) as { puzzles: Puzzle[] };
  return puzzles.map((puzzle) => ({ ...puzzle, position: seenBy(puzzle.position, puzzle.seat) }));
}

/** The Vite plugin. */
export function puzzles(folder: string): Plugin {
  return virtual(PREFIX, folder, (root, wanted) => {
    const files = existsSync(root)
      ? readdirSync(root)
          .filter((name) => name.endsWith(ENDING))
          .sort()
      : [];
    const watched = files.map((name) => join(root, name));
    if (wanted !== LOADERS) return { content: readPuzzles(root, wanted), files: watched };
    const games = files.map((name) => name.slice(0, -ENDING.length));
    return loaders(PREFIX, games, watched);
  });
}
