/** Modules that stand in no file: made from a folder of other files while the page is built. */
import { resolve } from "node:path";
import type { Plugin } from "vite";

/** What a module is made from: its content, or code that gives it, and the files it has to be made anew for. */
export interface Made {
  content?: unknown;
  code?: string;
  files: string[];
}

/** A Vite plugin for all modules whose names begin with a prefix; `make` gets the folder and the rest of the name. */
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
