/**
 * The net player: its own wasm module, and weights for each game and number of seats.
 *
 * Both are fetched before its first decision. Each net has its own instance of the module.
 */
import type { Outcome } from "../../protocol.ts";
import type { Grading } from "./grades.ts";
import { part, type Module, type Words } from "../module.ts";

/** The metadata of the module about weights, as `qwixx.wasm.page_tables` writes it. */
interface Tables {
  heading: Record<string, unknown>;
  hidden: number;
  bytes: { inputs: number; layers: number; scratch: number; workspace: number; choice: number };
  /** The words at which the fields of a workspace, and of an evaluated choice, begin. */
  places: Record<"workspace" | "choice", Record<string, number>>;
  mostChoices: number;
  grading: Omit<Grading, "error">;
  /** By game and number of seats: the error of the difference of two values. */
  errors: Record<number, number>[];
  /** The word of the scratch at which the deviations of its seats begin. */
  noise: { at: number; seats: number };
  rows: number[];
  sheets: string[];
}

/** Where the module and the weights come from. */
export interface Library {
  module(): Promise<Response>;
  weights(name: string): Promise<Response>;
}

type OfNet = [layout: number, inputs: number, tables: number, rows: number, layers: number, scratch: number];

interface Exports {
  memory: WebAssembly.Memory;
  free: WebAssembly.Global;
  answer(...given: [...OfNet, state: number, seats: number, lucks: number, actions: number]): void;
  action_values(...given: [...OfNet, workspace: number, state: number, choices: number]): number;
  state_value(...given: [...OfNet, workspace: number, state: number]): void;
}

/** The value of a position to each seat: win probability, or points in solitaire; and the expected points. */
export interface Worth {
  values: number[];
  points: number[];
}

/** A legal action by its number, and the values of all seats after it. */
export interface RatedAction extends Worth {
  seat: number;
  action: number;
}

/** A position with all choices of all seats that decide. */
export interface Weighed extends Worth {
  choices: RatedAction[];
}

const WORD = 4;
const PAGE = 65536;
const NEWLINE = 10;
/** A net has layers for each number of seats from two on; a net for one seat has its only ones in the first place. */
const FIRST_LAYERS = 2;

export class NetPlayer {
  readonly #rules: Module;
  readonly #library: Library;
  readonly #nets = new Map<string, Promise<Net>>();
  readonly #ready = new Map<string, Net>();
  #compiled: Promise<WebAssembly.Module> | undefined;

  constructor(rules: Module, library: Library) {
    this.#rules = rules;
    this.#library = library;
  }

  /** Return whether there are weights for a game with so many seats. */
  plays(game: number, seats: number): boolean {
    return String(seats) in this.#rules.tables.games[game]!.nets;
  }

  /** Load the net for a game; after a failure the next call tries again. */
  async learn(game: number, seats: number): Promise<void> {
    const key = `${game} ${seats}`;
    const found = this.#nets.get(key) ?? this.#fetch(game, seats);
    this.#nets.set(key, found);
    found.catch(() => this.#nets.delete(key));
    this.#ready.set(key, await found);
  }

  async #fetch(game: number, seats: number): Promise<Net> {
    const name = this.#rules.tables.games[game]!.nets[seats];
    if (name === undefined) throw new Error("There are no weights for this game.");
    this.#compiled ??= this.#library.module().then(async (answer) => WebAssembly.compile(await whole(answer)));
    this.#compiled.catch(() => (this.#compiled = undefined));
    const [compiled, weights] = await Promise.all([this.#compiled, this.#library.weights(name).then(whole)]);
    return new Net(compiled, this.#rules, game, seats, await unpacked(new Uint8Array(weights)));
  }

  /** Choose from a state that was redacted for the seat, with noise; null if the net is not loaded. */
  choose(game: number, state: Words, seat: number, seats: number, noise: number, luck: bigint): number | null {
    return this.net(game, seats)?.choose(state, seat, noise, luck) ?? null;
  }

  /** Return the loaded net for a game with so many seats. */
  net(game: number, seats: number): Net | undefined {
    return this.#ready.get(`${game} ${seats}`);
  }
}

/** A file with weights: its header, and the data. */
interface Weights {
  heading: Record<string, unknown>;
  content: Uint8Array;
}

async function whole(answer: Response): Promise<ArrayBuffer> {
  if (!answer.ok) throw new Error(`The player cannot be fetched: ${answer.status}.`);
  return answer.arrayBuffer();
}

/** Unpack a file with weights; throws if it is damaged. */
async function unpacked(file: Uint8Array<ArrayBuffer>): Promise<Weights> {
  const line = file.indexOf(NEWLINE);
  const heading = JSON.parse(new TextDecoder().decode(file.subarray(0, line))) as Record<string, unknown>;
  const stream = new Blob([file.subarray(line + 1)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return { heading, content: new Uint8Array(await new Response(stream).arrayBuffer()) };
}

type Place =
  | "layout"
  | "inputs"
  | "layers"
  | "scratch"
  | "state"
  | "seats"
  | "lucks"
  | "actions"
  | "tables"
  | "workspace"
  | "choices";

/** Weights in memory, with the module that reads them. */
export class Net {
  readonly #exports: Exports;
  readonly #places: Record<Place, number>;
  readonly #rows: number;
  readonly #seats: number;
  readonly #error: number;
  readonly #tables: Tables;

  constructor(compiled: WebAssembly.Module, rules: Module, game: number, seats: number, weights: Weights) {
    const tables = JSON.parse(new TextDecoder().decode(part(compiled, "tables"))) as Tables;
    const { bytes, hidden } = tables;
    this.#rows = tables.rows[game]!;
    this.#seats = seats;
    this.#error = tables.errors[game]![seats]!;
    this.#tables = tables;
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
      scratch: take(bytes.scratch),
      state: take(rules.tables.state.words * WORD),
      seats: take(WORD),
      lucks: take(2 * WORD),
      actions: take(WORD),
      tables: take(this.#rows * hidden * WORD),
      workspace: take(bytes.workspace),
      choices: take(tables.mostChoices * bytes.choice),
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
    const place = Math.max(seats - FIRST_LAYERS, 0);
    all.set(rest.subarray(place * bytes.layers, (place + 1) * bytes.layers), this.#places.layers);
  }

  /** Fill the tables from quantized rows: which rows there are, a scale for each, their values. Return the rest of the data. */
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

  /** Return how losses are graded, and the error of values. */
  get grading(): Grading {
    return { ...this.#tables.grading, error: this.#error };
  }

  choose(state: Words, seat: number, noise: number, luck: bigint): number {
    const { state: place, seats, lucks, actions } = this.#places;
    const words = this.#lay(state, noise);
    new BigUint64Array(words.buffer, lucks, 1)[0] = luck;
    words[seats / WORD] = seat;
    this.#exports.answer(...this.#net(), place, seats, lucks, actions);
    return words[actions / WORD]!;
  }

  /** Return the value of a position before a roll or deal. */
  worth(state: Words): Worth {
    this.#lay(state, 0);
    this.#exports.state_value(...this.#net(), this.#places.workspace, this.#places.state);
    return this.#read(this.#places.workspace, this.#tables.places.workspace);
  }

  /** Return the values of all choices of all seats; each is rated by what its seat may see. */
  weigh(state: Words): Weighed {
    const { workspace, state: place, choices } = this.#places;
    const words = this.#lay(state, 0);
    const count = this.#exports.action_values(...this.#net(), workspace, place, choices);
    const { bytes, places } = this.#tables;
    const found = Array.from({ length: count }, (_, index) => {
      const at = choices + index * bytes.choice;
      const [seat, action] = [words[at / WORD + places.choice.seat!]!, words[at / WORD + places.choice.action!]!];
      return { seat, action, ...this.#read(at, places.choice) };
    });
    return { ...this.#read(workspace, places.workspace), choices: found };
  }

  #net(): OfNet {
    const { layout, inputs, tables, layers, scratch } = this.#places;
    return [layout, inputs, tables, this.#rows, layers, scratch];
  }

  /** Copy a state into the memory, with the noise of the player; return the memory. */
  #lay(state: Words, noise: number): Words {
    const { buffer } = this.#exports.memory;
    const { at, seats } = this.#tables.noise;
    new Float32Array(buffer, this.#places.scratch + at * WORD, seats).fill(noise);
    const words = new Int32Array(buffer);
    words.set(state, this.#places.state / WORD);
    return words;
  }

  #read(at: number, places: Record<string, number>): Worth {
    const list = (name: string): number[] => [
      ...new Float64Array(this.#exports.memory.buffer, at + places[name]! * WORD, this.#seats),
    ];
    return { values: list("values"), points: list("points") };
  }
}

/** Refuse weights of another sheet or another version. */
function check(heading: Record<string, unknown>, wanted: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(wanted)) {
    if (heading[name] !== value)
      throw new Error(`These weights are not for this game: ${name} is ${String(heading[name])}.`);
  }
}

/** Return the value of a finished game: equal totals share the win (C12); in solitaire points count. */
export function finalWorth({ scores, winners }: Outcome): Worth {
  if (scores.length === 1) return { values: scores, points: scores };
  return { values: scores.map((_, seat) => (winners.includes(seat) ? 1 / winners.length : 0)), points: scores };
}
