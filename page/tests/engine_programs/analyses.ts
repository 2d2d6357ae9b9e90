/** `node analyses.ts kernel.wasm master.wasm records.json`: analyse records in Node; writes the results and times as JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRefusal, loadKernel } from "../../src/engine/index.ts";

const [, , module, master, records] = process.argv;
const nets = join(import.meta.dirname, "../../../src/qwixx/nets/trained");
const kernel = await loadKernel(readFileSync(module!), {
  module: async () => new Response(readFileSync(master!)),
  weights: async (name) => new Response(readFileSync(join(nets, name))),
});
const found = [];
for (const record of JSON.parse(readFileSync(records!, "utf8")) as string[]) {
  const game = kernel.replay(record);
  if (isRefusal(game)) {
    found.push(game);
    continue;
  }
  const before = kernel.analyse(record);
  if (before) throw new Error("nothing was learned yet");
  const { variant, sheet, seats } = game;
  if (!(await kernel.learn(variant, seats, sheet === variant ? undefined : sheet)))
    throw new Error(`nobody knows ${variant}`);
  found.push(kernel.analyse(record));
}
console.log(JSON.stringify(found));
