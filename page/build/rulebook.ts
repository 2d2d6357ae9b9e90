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

/** Read what Python has drawn: `python -m qwixx.rulebook.page_data` writes it. */
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
