/**
 * `node node.ts kernel.wasm master.wasm script.json [other.wasm name]`: compare in Node; writes the results as JSON.
 *
 * With another module, its function of that name computes the scores: a mutated rule must be detected.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadKernel } from "../../src/engine/index.ts";
import { Module, type Words } from "../../src/engine/module.ts";
import { compare, type Script } from "./compare.ts";

const [, , module, master, script, other, name] = process.argv;
const bytes = readFileSync(module!);
const compiled = new WebAssembly.Module(bytes);
if (other) countBy(other, name!);
const nets = join(import.meta.dirname, "../../../src/qwixx/nets/trained");
const kernel = await loadKernel(bytes, {
  module: async () => new Response(readFileSync(master!)),
  weights: async (name) => new Response(readFileSync(join(nets, name))),
});
const found = await compare(kernel, JSON.parse(readFileSync(script!, "utf8")) as Script);
const imports = [compiled, new WebAssembly.Module(readFileSync(master!))].flatMap((each) =>
  WebAssembly.Module.imports(each),
);
console.log(JSON.stringify({ ...found, imports }));

/** Compute scores with another module. */
function countBy(file: string, name: string): void {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)));
  (exports.memory as WebAssembly.Memory).grow(1);
  const memory = (exports.memory as WebAssembly.Memory).buffer;
  const count = exports[name] as (layout: number, state: number, seat: number) => number;
  const [layouts] = WebAssembly.Module.customSections(compiled, "layouts");
  const free = (exports.free as WebAssembly.Global).value as number;
  Module.prototype.score = function (this: Module, game: number, state: Words, seat: number): number {
    const { bytes } = this.tables.layout;
    new Uint8Array(memory).set(new Uint8Array(layouts!, game * bytes, bytes), free);
    const at = free + Math.ceil(bytes / 16) * 16;
    new Int32Array(memory).set(state, at / 4);
    return count(free, at, seat);
  };
}
