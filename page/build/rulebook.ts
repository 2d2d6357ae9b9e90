/**
 * Turn the rule pages into modules: `import pages from "rulebook:de"` gives every game's page in German.
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

/** The Vite plugin. */
export function rulebook(folder: string): Plugin {
  return virtual(PREFIX, folder, (root, language) => ({
    content: readRulebook(root, language),
    files: readdirSync(root).map((file) => join(root, file)),
  }));
}
