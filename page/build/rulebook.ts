/**
 * Turn the rule book into modules: `import book from "rulebook:de"` returns the page of every game in German, its quick
 * reference and the words next to pictures; `rulebook:examples` returns the examples as the engine has played them.
 *
 * They are the files of the Python package, so that they are written once. As modules they are cached with the page and
 * can be read offline.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { languageLoaders, LOADERS, virtual } from "./virtual.ts";

const PREFIX = "rulebook:";
const DATA = "page_data.json";

/** List the rule pages of a language, by game. */
function pageFiles(folder: string, language: string): Record<string, string> {
  const pages = join(folder, "pages", language);
  return Object.fromEntries(
    readdirSync(pages)
      .sort()
      .map((file) => [file.replace(/\.md$/, ""), join(pages, file)]),
  );
}

/** Read the pages of a language, in English where they are not translated. */
export function readRulebook(folder: string, language: string): Record<string, string> {
  const files = { ...pageFiles(folder, "en"), ...pageFiles(folder, language) };
  return Object.fromEntries(Object.entries(files).map(([game, file]) => [game, readFileSync(file, "utf8")]));
}

interface Drawn {
  examples: unknown;
  cards: Record<string, unknown>;
  words: Record<string, unknown>;
}

/** Read the data for drawings, which `python -m qwixx.rulebook.page_data` writes. */
function readDrawn(folder: string): Drawn {
  return JSON.parse(readFileSync(join(folder, DATA), "utf8")) as Drawn;
}

function make(folder: string, wanted: string): unknown {
  const { examples, cards, words } = readDrawn(folder);
  return wanted === "examples"
    ? examples
    : { pages: readRulebook(folder, wanted), cards: cards[wanted], words: words[wanted] };
}

/** The Vite plugin. */
export function rulebook(folder: string): Plugin {
  return virtual(PREFIX, folder, (root, wanted) => {
    if (wanted === LOADERS) return languageLoaders(PREFIX);
    const pages = readdirSync(join(root, "pages")).flatMap((language) => Object.values(pageFiles(root, language)));
    return { content: make(root, wanted), files: [join(root, DATA), ...pages] };
  });
}
