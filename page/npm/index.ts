/** The npm package `qwixx`: the rules in the page, and their module beside them. */
import { loadKernel, type Kernel } from "../src/engine/index.ts";

export * from "../src/engine/index.ts";
export type * from "../src/protocol.ts";

/** Load the rules from this package: from disk in Node, by `fetch` in a browser. */
export async function loadRules(): Promise<Kernel> {
  const url = new URL("../kernel.wasm", import.meta.url);
  if (url.protocol !== "file:") return loadKernel(fetch(url));
  const { readFile } = await import("node:fs/promises");
  return loadKernel(new Uint8Array(await readFile(url)));
}
