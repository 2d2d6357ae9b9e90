/**
 * `node speed.ts kernel.wasm games.wasm parts sizes`: measure the speed of the rules in Node; writes numbers as JSON.
 *
 * `games.wasm` plays whole games inside the module, as `bench/browser.py` compiles it; `parts` is a file with a layout
 * and a seating, one after the other, and `sizes` has their sizes and the number of games.
 */
import { readFileSync } from "node:fs";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { isRefusal, loadKernel, type Kernel, type LocalGame } from "../../src/engine/index.ts";

const [, , rules, games, parts, sizes] = process.argv;
const bytes = readFileSync(rules!);

/** The shortest of several runs, in milliseconds of CPU. */
function best(tries: number, task: () => void): number {
  let shortest = Infinity;
  for (let each = 0; each < tries; each++) {
    const begun = process.cpuUsage();
    task();
    const { user, system } = process.cpuUsage(begun);
    shortest = Math.min(shortest, (user + system) / 1000);
  }
  return shortest;
}

let kernel!: Kernel;
let start = Infinity;
for (let each = 0; each < 5; each++) {
  const begun = performance.now();
  kernel = await loadKernel(bytes);
  start = Math.min(start, performance.now() - begun);
}

/** Play a game of two through the interface of the page; return the number of decisions. */
function play(seed: bigint): number {
  const game = kernel.begin({ variant: "classic", seats: 2, seed }) as LocalGame;
  if (isRefusal(game)) throw new Error("refused");
  let decisions = 0;
  while (!game.isOver) {
    if (game.awaitsChance) game.roll();
    for (const seat of game.deciders()) {
      game.decide(seat, game.choose("gap", seat));
      decisions++;
    }
  }
  return decisions;
}

let decisions = 0;
const played = best(5, () => {
  decisions = 0;
  for (let seed = 0n; seed < 20n; seed++) decisions += play(seed);
});

/** Play games inside the module. */
function block(): number {
  const { count, layout, state, seating, result, menu } = JSON.parse(sizes!) as Record<string, number>;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(games!)));
  const memory = exports.memory as WebAssembly.Memory;
  memory.grow(16 + Math.ceil((count! * result!) / 65536));
  let at = (exports.free as WebAssembly.Global).value as number;
  const [layouts, states, tables, results, menus] = [layout!, state!, seating!, count! * result!, menu!].map((size) => {
    const begin = at;
    at += Math.ceil(size / 16) * 16;
    return begin;
  });
  const given = readFileSync(parts!);
  new Uint8Array(memory.buffer).set(given.subarray(0, layout), layouts);
  new Uint8Array(memory.buffer).set(given.subarray(layout), tables);
  const run = exports.play_block as (...places: (number | bigint)[]) => void;
  return best(5, () => run(layouts!, states!, 2, tables!, 1n, 0, results!, count!, menus!, states!, 0));
}

console.log(
  JSON.stringify({
    size: { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length },
    start,
    decision: (1000 * played) / decisions,
    block: block(),
  }),
);
