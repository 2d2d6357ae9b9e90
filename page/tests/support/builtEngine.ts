/** The built engine: next to the sources, or in the built page if there is nothing else. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { loadKernel, type Kernel } from "../../src/engine/index.ts";

export async function builtRules(): Promise<Kernel> {
  for (const folder of ["src/engine", "../src/qwixx/web/assets"]) {
    const found = readdirSync(folder).find((name) => name.startsWith("kernel") && name.endsWith(".wasm"));
    if (found) return loadKernel(readFileSync(join(folder, found)));
  }
  throw new Error("The rules have not been built: run make.");
}
