/** Virtual modules: generated from a folder of other files during the build. */
import { resolve } from "node:path";
import type { Plugin } from "vite";
import languages from "../../src/qwixx/base/languages.json" with { type: "json" };

/** A generated module: its content, or code for it, and the files that trigger a rebuild. */
export interface Made {
  content?: unknown;
  code?: string;
  files: string[];
}

export const LANGUAGES: readonly string[] = Object.keys(languages);

/** The module `PREFIX + LOADERS` exports a function for each name that imports the module of that name. */
export const LOADERS = "loaders";

/** Write the module of loaders, so that a reader loads one of the modules and not all. */
export function loaders(prefix: string, names: readonly string[], files: string[]): Made {
  return { code: `{${names.map((name) => `"${name}": () => import("${prefix}${name}")`).join(", ")}}`, files };
}

/** Write the loaders of a module per language. */
export function languageLoaders(prefix: string): Made {
  return loaders(prefix, LANGUAGES, []);
}

/** A Vite plugin for all modules whose names start with a prefix; `make` gets the folder and the rest of the name. */
export function virtual(prefix: string, folder: string, make: (root: string, rest: string) => Made): Plugin {
  let root = folder;
  return {
    name: `qwixx-${prefix}`,
    configResolved(config) {
      root = resolve(config.root, folder);
    },
    resolveId(id) {
      return id.startsWith(prefix) ? `\0${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(`\0${prefix}`)) return undefined;
      const { content, code, files } = make(root, id.slice(prefix.length + 1));
      for (const file of files) this.addWatchFile(file);
      return `export default ${code ?? JSON.stringify(content)};`;
    },
  };
}
