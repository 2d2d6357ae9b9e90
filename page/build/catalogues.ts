/**
 * Turn gettext catalogues into modules: `import messages from "catalogue:de"` returns the texts of `de.po`, and those of effects.
 *
 * Each language is a separate module, so that a reader loads only one. The page loads it in two parts, `catalogue:de.start` and
 * `catalogue:de.rest`: the start page waits for the first one only. Texts of the terminal are left out.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { effectTexts } from "./reasons.ts";
import { filesOf, textsOf } from "./startTexts.ts";
import { LANGUAGES, LOADERS, type Made, virtual } from "./virtual.ts";

const PREFIX = "catalogue:";
const PARTS = ["start", "rest"];
const EFFECTS = "../effects.toml";
const TERMINAL = "cli.";

/** A text, or its singular and plural. */
export type Message = string | [string, string];

/** Read a catalogue: symbolic ids and their texts, with two forms where a number is counted. */
export function readCatalogue(text: string): Record<string, Message> {
  const messages: Record<string, Message> = {};
  for (const block of text.split(/\n\s*\n/)) {
    const fields = readFields(block);
    const id = fields.get("msgid");
    if (!id || id.startsWith(TERMINAL)) continue; // the header, only comments, or not for the page
    const one = fields.get("msgstr[0]");
    messages[id] = one === undefined ? (fields.get("msgstr") ?? "") : [one, fields.get("msgstr[1]") ?? one];
  }
  return messages;
}

function readFields(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  let current = "";
  for (const line of block.split("\n")) {
    const match = /^(?:(msgid|msgid_plural|msgstr(?:\[[01]\])?)\s+)?(".*")\s*$/.exec(line);
    if (!match) continue;
    current = match[1] ?? current;
    fields.set(current, (fields.get(current) ?? "") + (JSON.parse(match[2]!) as string));
  }
  return fields;
}

/** Return the texts that some files of the page name, or all others. */
export function partOf(
  messages: Record<string, Message>,
  part: string,
  files: Iterable<string>,
): Record<string, Message> {
  const named = textsOf(files, Object.keys(messages));
  return Object.fromEntries(Object.entries(messages).filter(([id]) => named.has(id) === (part === "start")));
}

/** Write the loaders of each language: a function for each of its parts. */
function partLoaders(): Made {
  const importers = (language: string): string =>
    PARTS.map((part) => `() => import("${PREFIX}${language}.${part}")`).join(", ");
  return { code: `{${LANGUAGES.map((language) => `"${language}": [${importers(language)}]`).join(", ")}}`, files: [] };
}

/** The Vite plugin; `start` is the file that imports the start page. */
export function catalogues(folder: string, start: string): Plugin {
  return virtual(PREFIX, folder, (root, wanted) => {
    if (wanted === LOADERS) return partLoaders();
    const [language = "", part = ""] = wanted.split(".");
    const file = join(root, `${language}.po`);
    const effects = join(root, EFFECTS);
    const content = { ...readCatalogue(readFileSync(file, "utf8")), ...effectTexts(effects, language) };
    if (!part) return { content, files: [file, effects] };
    const users = [...filesOf(resolve(start))];
    return { content: partOf(content, part, users), files: [file, effects, ...users] };
  });
}
