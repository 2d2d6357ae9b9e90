/**
 * The player that has learned: its own module, and weights for each game and number of seats.
 *
 * Both are fetched when somebody first plays against it. Each net has an instance of the module with its tables inside.
 */
import { part, type Module, type Words } from "./module.ts";

/** What the module says about weights, as `qwixx.browser.tables` writes it. */
interface Tables {
  heading: Record<string, unknown>;
  hidden: number;
  bytes: { inputs: number; layers: number; bench: number };
  /** The word of the bench at which the deviations of its seats begin. */
  noise: { at: number; seats: number };
  rows: number[];
  sheets: string[];
}

/** Where the module and the weights come from. */
export interface Library {
  module(): Promise<Response>;
  weights(name: string): Promise<Response>;
}

interface Exports {
  memory: WebAssembly.Memory;
  free: WebAssembly.Global;
  answer(
    layout: number,
    inputs: number,
    tables: number,
    rows: number,
    layers: number,
    bench: number,
    state: number,
    seats: number,
    lucks: number,
    actions: number,
  ): void;
}

const WORD = 4;
const PAGE = 65536;
const NEWLINE = 10;

export class Master {
  readonly #rules: Module;
  readonly #library: Library;
  readonly #nets = new Map<string, Promise<Net>>();
  readonly #ready = new Map<string, Net>();
  #compiled: Promise<WebAssembly.Module> | undefined;

  constructor(rules: Module, library: Library) {
    this.#rules = rules;
    this.#library = library;
  }

  /** Whether there are weights for a game with so many seats. */
  plays(game: number, seats: number): boolean {
    return String(seats) in this.#rules.tables.games[game]!.nets;
  }

  /** Get ready for a game; what could not be fetched is fetched again when it is next asked for. */
  async learn(game: number, seats: number): Promise<void> {
    const key = `${game} ${seats}`;
    const found = this.#nets.get(key) ?? this.#fetch(game, seats);
    this.#nets.set(key, found);
    found.catch(() => this.#nets.delete(key));
    this.#ready.set(key, await found);
  }

  async #fetch(game: number, seats: number): Promise<Net> {
    const name = this.#rules.tables.games[game]!.nets[String(seats)];
    if (name === undefined) throw new Error("There are no weights for this game.");
    this.#compiled ??= this.#library.module().then(async (answer) => WebAssembly.compile(await whole(answer)));
    this.#compiled.catch(() => (this.#compiled = undefined));
    const [compiled, weights] = await Promise.all([this.#compiled, this.#library.weights(name).then(whole)]);
    return new Net(compiled, this.#rules, game, seats, await unpacked(new Uint8Array(weights)));
  }

  /** Choose, from a state that was redacted for the seat, misjudging by so much; null if nobody has got ready. */
  choose(game: number, state: Words, seat: number, seats: number, noise: number, luck: bigint): number | null {
    return this.#ready.get(`${game} ${seats}`)?.choose(state, seat, noise, luck) ?? null;
  }
}

/** Weights as they are kept: what they say about themselves, and the rest. */
interface Weights {
  heading: Record<string, unknown>;
  content: Uint8Array;
}

async function whole(answer: Response): Promise<ArrayBuffer> {
  if (!answer.ok) throw new Error(`The player cannot be fetched: ${answer.status}.`);
  return answer.arrayBuffer();
}

/** Take weights out of their file; what was damaged on the way does not come out of it. */
async function unpacked(file: Uint8Array<ArrayBuffer>): Promise<Weights> {
  const line = file.indexOf(NEWLINE);
  const heading = JSON.parse(new TextDecoder().decode(file.subarray(0, line))) as Record<string, unknown>;
  const stream = new Blob([file.subarray(line + 1)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return { heading, content: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

/** Weights in memory, with the module that reads them. */
class Net {
  readonly #exports: Exports;
  readonly #places: Record<"layout" | "inputs" | "layers" | "bench" | "state" | "seats" | "lucks" | "actions" | "tables", number>;
  readonly #rows: number;
  readonly #noise: Tables["noise"];

  constructor(compiled: WebAssembly.Module, rules: Module, game: number, seats: number, weights: Weights) {
    const tables = JSON.parse(new TextDecoder().decode(part(compiled, "tables"))) as Tables;
    const { bytes, hidden } = tables;
    this.#rows = tables.rows[game]!;
    this.#noise = tables.noise;
    check(weights.heading, { ...tables.heading, layout: tables.sheets[game], rows: this.#rows });
    this.#exports = new WebAssembly.Instance(compiled).exports as unknown as Exports;
    const layout = rules.layoutBytes(game);
    let at = this.#exports.free.value as number;
    const take = (size: number): number => {
      const begin = at;
      at += Math.ceil(size / 16) * 16;
      return begin;
    };
    this.#places = {
      layout: take(layout.length),
      inputs: take(bytes.inputs),
      layers: take(bytes.layers),
      bench: take(bytes.bench),
      state: take(rules.tables.state.words * WORD),
      seats: take(WORD),
      lucks: take(2 * WORD),
      actions: take(WORD),
      tables: take(this.#rows * hidden * WORD),
    };
    const { memory } = this.#exports;
    const missing = at - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    const inputs = new Uint8Array(part(compiled, "inputs"), game * bytes.inputs, bytes.inputs);
    const all = new Uint8Array(memory.buffer);
    all.set(layout, this.#places.layout);
    all.set(inputs, this.#places.inputs);
    const rest = this.#fill(weights.content, hidden);
    // Behind the tables come the layers, once for each number of seats from two on.
    all.set(rest.subarray((seats - 2) * bytes.layers, (seats - 1) * bytes.layers), this.#places.layers);
  }

  /** Fill in the tables: which rows were learned, a scale for each of them, their values in steps; give the rest. */
  #fill(content: Uint8Array, hidden: number): Uint8Array {
    const bits = Math.ceil(this.#rows / 8);
    const isLearned = (row: number): boolean => ((content[row >> 3]! >> (7 - (row & 7))) & 1) === 1;
    let kept = 0;
    for (let row = 0; row < this.#rows; row++) kept += Number(isLearned(row));
    const view = new DataView(content.buffer, content.byteOffset);
    const tables = new Float32Array(this.#exports.memory.buffer, this.#places.tables, this.#rows * hidden);
    let scale = bits;
    let step = bits + kept * WORD;
    for (let row = 0; row < this.#rows; row++) {
      if (!isLearned(row)) continue;
      const size = view.getFloat32(scale, true);
      for (let unit = 0; unit < hidden; unit++) tables[row * hidden + unit] = view.getInt8(step + unit) * size;
      scale += WORD;
      step += hidden;
    }
    return content.subarray(step);
  }

  choose(state: Words, seat: number, noise: number, luck: bigint): number {
    const { layout, inputs, tables, layers, bench, state: place, seats, lucks, actions } = this.#places;
    const { buffer } = this.#exports.memory;
    new Float32Array(buffer, bench + this.#noise.at * WORD, this.#noise.seats).fill(noise);
    new BigUint64Array(buffer, lucks, 1)[0] = luck;
    const words = new Int32Array(buffer);
    words.set(state, place / WORD);
    words[seats / WORD] = seat;
    this.#exports.answer(layout, inputs, tables, this.#rows, layers, bench, place, seats, lucks, actions);
    return words[actions / WORD]!;
  }
}

/** Refuse weights of another sheet or another version. */
function check(heading: Record<string, unknown>, wanted: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(wanted)) {
    if (heading[name] !== value) throw new Error(`These weights are not for this game: ${name} is ${String(heading[name])}.`);
  }
}
