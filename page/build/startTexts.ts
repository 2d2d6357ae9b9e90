/**
 * Which texts the start page needs. They are a file of their own: a first visitor does not wait for the texts of all other screens.
 *
 * Nobody keeps a list: these are the texts that the files of the start page name, `"recent.title"`, or can name, `game.${id}`.
 */
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

const IMPORT = /^\s*(?:import|export)\s+(?!type\s)(?:[^;"]*?\sfrom\s+)?"(\.[^"]+\.(?:ts|svelte))"/gm;
const NAMED = /["']([a-z][\w.-]*)["']/g;
const COMPOSED = /`([a-z][\w.-]*\.)\$\{/g;
/** A text about a player has a second form for the reader. */
const TO_YOU = ".you";

/** List the files that a file of the page imports, and what these import, and so on; not what is imported on demand. */
export function filesOf(root: string): Set<string> {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file) || !existsSync(file)) return;
    found.add(file);
    for (const [, path] of readFileSync(file, "utf8").matchAll(IMPORT)) visit(resolve(dirname(file), path!));
  };
  visit(root);
  return found;
}

/** Return those of the ids that these files name. */
export function textsOf(files: Iterable<string>, ids: readonly string[]): Set<string> {
  const known = new Set(ids);
  const found = new Set<string>();
  for (const file of files) {
    const code = readFileSync(file, "utf8");
    for (const [, id] of code.matchAll(NAMED)) if (known.has(id!)) found.add(id!);
    for (const [, begin] of code.matchAll(COMPOSED)) for (const id of ids) if (id.startsWith(begin!)) found.add(id);
  }
  for (const id of [...found]) if (known.has(id + TO_YOU)) found.add(id + TO_YOU);
  return found;
}
