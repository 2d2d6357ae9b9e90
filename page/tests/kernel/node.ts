/** `node node.ts kernel.wasm script.json`: compare in Node; writes what was found as JSON. */
import { readFileSync } from "node:fs";
import { loadKernel } from "../../src/kernel/index.ts";
import { compare, type ScriptGame } from "./compare.ts";

const [, , module, script] = process.argv;
const kernel = await loadKernel(readFileSync(module!));
const games = JSON.parse(readFileSync(script!, "utf8")) as ScriptGame[];
console.log(JSON.stringify(compare(kernel, games)));
