/** `node positions.ts kernel.wasm scripts.json`: play games from position lines; writes the view and legal actions of a seat. */
import { readFileSync } from "node:fs";
import { isRefusal, loadKernel } from "../../src/engine/index.ts";

interface Script {
  start: string;
  steps: string[];
}

const [, , module, file] = process.argv;
const kernel = await loadKernel(readFileSync(module!));
const results = (JSON.parse(readFileSync(file!, "utf8")) as Script[]).map(({ start, steps }) => {
  const game = kernel.stand(start);
  if (isRefusal(game)) return { start, refused: game };
  for (const step of steps) {
    const [word = "", ...rest] = step.split(" ");
    const found = /^\d$/.test(word) ? game.decide(Number(word), rest.join(" ")) : game.setRoll(rest.join(" "));
    if (isRefusal(found)) return { start, step, refused: found };
  }
  return { view: game.view(0), legal: game.legal(0), score: game.scores() };
});
console.log(JSON.stringify(results));
