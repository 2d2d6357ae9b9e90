/**
 * Turn the rule book into modules: `import book from "rulebook:de"` gives every game's page in German, its quick reference and
 * the words beside pictures; `rulebook:examples` gives the examples as the rules have played them.
 *
 * They are the package's own files, so that they are written once; as modules they are kept with the page and can be read
 * without a network.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { virtual } from "./virtual.ts";

const PREFIX = "rulebook:";
const PAGE = /^([a-z-]+)(?:\.([a-z]{2}))?\.md$/;

/** Read the pages of a language, in English where they are not translated. */
export function readRulebook(folder: string, language: string): Record<string, string> {
  const pages: Record<string, string> = {};
  for (const file of readdirSync(folder).sort()) {
    const [, game, spoken = "en"] = PAGE.exec(file) ?? [];
    if (!game || (spoken !== language && (spoken !== "en" || game in pages))) continue;
    pages[game] = readFileSync(join(folder, file), "utf8");
  }
  return pages;
}

/** Read what Python has drawn: `python -m qwixx.rulebook.drawn` writes it. */
function readDrawn(folder: string): {
  examples: unknown;
  cards: Record<string, unknown>;
  words: Record<string, unknown>;
} {
  return JSON.parse(readFileSync(join(folder, "drawn.json"), "utf8"));
}

function make(folder: string, wanted: string): unknown {
  const { examples, cards, words } = readDrawn(folder);
  return wanted === "examples"
    ? examples
    : { pages: readRulebook(folder, wanted), cards: cards[wanted], words: words[wanted] };
}

/** The Vite plugin. */
export function rulebook(folder: string): Plugin {
  return virtual(PREFIX, folder, (root, wanted) => ({
    content: make(root, wanted),
    files: readdirSync(root)
      .filter((file) => /\.(md|json)$/.test(file))
      .map((file) => join(root, file)),
  }));
}
