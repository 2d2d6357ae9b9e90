/** `node puzzles.ts kernel.wasm positions.json`: positions of puzzles; writes the view, legal actions and reasons of their seats. */
import { readFileSync } from "node:fs";
import { seenBy } from "../../build/puzzles.ts";
import { isRefusal, loadKernel } from "../../src/engine/index.ts";

const [, , module, file] = process.argv;
const kernel = await loadKernel(readFileSync(module!));
const results = (JSON.parse(readFileSync(file!, "utf8")) as [string, number][]).map(([position, seat]) => {
  const seen = seenBy(position, seat);
  const game = kernel.stand(seen);
  if (isRefusal(game)) return { seen, refused: game };
  return { seen, view: game.view(seat), reasons: Object.fromEntries(game.reasons(seat)) };
});
console.log(JSON.stringify(results));
