/**
 * Write the list of files into the service worker after the build.
 *
 * The files of the page have relative addresses, so that it works below any path. Only the document uses absolute paths,
 * because a server sends it for `/t/K7QXA3MR` too; `qwixx site` makes its addresses relative again.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Plugin } from "vite";

const WORKER = "sw.js";

/** The Vite plugin; `fetched` are files that are cached only after their first use. */
export function offline(fetched: RegExp): Plugin {
  let folder = "";
  return {
    name: "qwixx-offline",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    closeBundle() {
      const html = join(folder, "index.html");
      writeFileSync(html, readFileSync(html, "utf8").replaceAll('"./', '"/'));
      const files = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
        .filter((name) => name !== WORKER && !fetched.test(name))
        .sort();
      const hash = createHash("sha256");
      for (const name of files) hash.update(name).update(readFileSync(join(folder, name)));
      const path = join(folder, WORKER);
      const text = readFileSync(path, "utf8");
      writeFileSync(
        path,
        text.replace('"VERSION"', `"${hash.digest("hex").slice(0, 12)}"`).replace('["FILES"]', JSON.stringify(files)),
      );
    },
  };
}
