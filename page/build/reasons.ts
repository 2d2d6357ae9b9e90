/**
 * Turn the sentences for reasons into modules: `import words from "reasons:de"` returns those of
 * `src/qwixx/coach/reasons/sentences.toml` in German.
 *
 * The file belongs to the Python package, so that the terminal and the page share the sentences. It uses only headings
 * and single lines of `key = value` of TOML, so this reader supports no more.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { languageLoaders, LOADERS, virtual } from "./virtual.ts";

const PREFIX = "reasons:";
const FILE = "sentences.toml";
const EFFECTS = "../../text/effects.toml";
const HEADING = /^\[(\w+)\]$/;
const VALUE = /^([\w-]+) = (.+)$/;

/** A text, or its singular and plural. */
export type Words = Record<string, string | [string, string]>;

/** Read the words of a language. Throws for TOML that is not supported. */
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
    const effects = join(root, EFFECTS);
    const content = { ...readWords(readFileSync(file, "utf8"), language), ...effectTexts(effects, language) };
    return { content, files: [file, effects] };
  });
}

/** Read the texts of effects in a language: `effect.` and the name of an effect, and its text. */
export function effectTexts(file: string, language: string): Words {
  const words = Object.entries(readWords(readFileSync(file, "utf8"), language));
  return Object.fromEntries(words.map(([name, text]) => [`effect.${name}`, text]));
}
