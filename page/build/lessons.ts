/**
 * Turn the lessons into modules: `import lessons from "lessons:de"` returns the steps of every game, in German.
 *
 * They are the files of the Python package, so that they are written once. They use only headings and single lines of
 * `key = value` of TOML, so this reader supports no more. The section `holds`, which is for Python tests, is left out.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { languageLoaders, LOADERS, virtual } from "./virtual.ts";

const PREFIX = "lessons:";
const ENDING = ".toml";
const TABLE = /^\[step\.(\w+)\]$/;
const VALUE = /^(\w+) = (.+)$/;

type Step = Record<string, unknown>;

/** Read a script in one language. Throws for TOML that is not supported. */
export function readLesson(text: string, language: string): Step[] {
  const steps: Step[] = [];
  let table = "";
  for (const line of text.split("\n")) {
    if (!line || line.startsWith("#")) continue;
    const [, heading] = TABLE.exec(line) ?? [];
    if (line === "[[step]]") {
      steps.push({});
      table = "";
    } else if (heading) table = heading;
    else if (table !== "holds") readValue(steps.at(-1)!, table, line, language);
  }
  return steps;
}

function readValue(step: Step, table: string, line: string, language: string): void {
  const [, key, value] = VALUE.exec(line) ?? [];
  if (!key || !value) throw new Error(`No line of a lesson: ${line}`);
  if (!table) step[key] = JSON.parse(value) as unknown;
  else if (key === language) step[table] = JSON.parse(value) as unknown;
}

/** Read all lessons in one language. */
export function readLessons(folder: string, language: string): Record<string, Step[]> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(ENDING))
    .sort();
  return Object.fromEntries(
    files.map((name) => [
      name.slice(0, -ENDING.length),
      readLesson(readFileSync(join(folder, name), "utf8"), language),
    ]),
  );
}

/** The Vite plugin. */
export function lessons(folder: string): Plugin {
  return virtual(PREFIX, folder, (root, language) => {
    if (language === LOADERS) return languageLoaders(PREFIX);
    return { content: readLessons(root, language), files: readdirSync(root).map((file) => join(root, file)) };
  });
}
