/**
 * Turn the puzzles into modules: `puzzles:loaders` has a loader for each game with puzzles, `puzzles:classic` has the
 * puzzles of a game.
 *
 * They are the files of the Python package, one for each game with puzzles. Positions of card games contain all cards;
 * the page gets only what the deciding seat may see.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import type { Puzzle } from "../src/protocol.ts";
import { loaders, LOADERS, virtual } from "./virtual.ts";

const PREFIX = "puzzles:";
const ENDING = ".json";

/**
 * Write a position as its seat sees it: the numbers of other hands and of the display, the size of the pile and the number
 * of its top card. A position without cards does not change.
 */
export function seenBy(position: string, seat: number): string {
  const [table = "", ...seats] = position.split(" | ");
  if (!/ pile=/.test(table)) return position;
  const seen = table
    .replace(/ display=(\S+)/, (_, cards: string) => ` display=${cards.split(",").map(backOf).join(",")}`)
    .replace(/ pile=(\S+)/, (_, cards: string) => ` pile=${backOf(cards.split(",")[0]!)}x${cards.split(",").length}`);
  const hands = seats.map((section, place) =>
    place === seat ? section : section.replace(/\bhand=(\S+)/, (_, cards: string) => `hand=${backsOf(cards)}`),
  );
  return [seen, ...hands].join(" | ");
}

/** The back of a card, which shows its number. */
function backOf(card: string): string {
  return card.replace(/^[a-z]/, "?");
}

/** The backs of a hand, sorted by number, so that their order says nothing about the colors. */
function backsOf(cards: string): string {
  const number = (card: string): number => Number(card.slice(1));
  return cards
    .split(",")
    .sort((one, other) => number(one) - number(other))
    .map(backOf)
    .join();
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
