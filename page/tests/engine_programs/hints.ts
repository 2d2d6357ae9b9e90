/** `node hints.ts folder records.json`: games in progress; writes the hints for all deciding seats, and what their views say. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRefusal, loadKernel } from "../../src/engine/index.ts";

const [, , kernelFile, masterFile, nets, file] = process.argv;
const answer = async (path: string): Promise<Response> => new Response(readFileSync(path));
const kernel = await loadKernel(readFileSync(kernelFile!), {
  module: () => answer(masterFile!),
  weights: (name) => answer(join(nets!, name)),
});
const results = [];
for (const record of JSON.parse(readFileSync(file!, "utf8")) as string[]) {
  const game = kernel.replay(record);
  if (isRefusal(game)) throw new Error(JSON.stringify(game));
  const isLearned = await kernel.learn(game.variant, game.seats);
  const losses = (seat: number) => kernel.seen(game.view(seat), game.sheet, seat)?.losses()?.losses ?? null;
  const told = (seat: number) => ({ ...game.hint(seat), fromView: losses(seat) });
  results.push(isLearned ? game.deciders().map(told) : null);
}
console.log(JSON.stringify(results));
