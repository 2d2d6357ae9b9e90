/**
 * Turn the words for reasons into modules: `import words from "reasons:de"` gives those of `src/qwixx/coach/reasons/sentences.toml` in German.
 *
 * They are the package's own file, so that a reason is put into words once for the terminal and the page. Of TOML it uses headings
 * and single lines of `key = value`, and that is what is read here.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { languageLoaders, LOADERS, virtual } from "./virtual.ts";

const PREFIX = "reasons:";
const FILE = "sentences.toml";
const HEADING = /^\[(\w+)\]$/;
const VALUE = /^([\w-]+) = (.+)$/;

/** A text, or its forms for one and for many. */
export type Words = Record<string, string | [string, string]>;

/** Read the words of a language. Throws where they are not as plain as they should be. */
export function readWords(text: string, language: string): Words {
  const words: Words = {};
  let current = "";
  for (const line of text.split("\n")) {
    if (!line || line.startsWith("#")) continue;
    const [, heading] = HEADING.exec(line) ?? [];
    if (heading) {
      current = heading;
      continue;
    }
    const [, key, value] = VALUE.exec(line) ?? [];
    if (!key || !value) throw new Error(`No line of words: ${line}`);
    if (current === language) words[key] = JSON.parse(value) as string | [string, string];
  }
  return words;
}

/** The Vite plugin. */
export function reasons(folder: string): Plugin {
  return virtual(PREFIX, folder, (root, language) => {
    if (language === LOADERS) return languageLoaders(PREFIX);
    const file = join(root, FILE);
    return { content: readWords(readFileSync(file, "utf8"), language), files: [file] };
  });
}
