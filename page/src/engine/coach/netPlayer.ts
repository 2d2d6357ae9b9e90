/**
 * The player that has learned: its own module, and weights for each game and number of seats.
 *
 * Both are fetched when somebody first plays against it. Each net has an instance of the module with its tables inside.
 */
import type { Outcome } from "../lib/protocol.ts";
import type { Grading } from "./grades.ts";
import { part, type Module, type Words } from "./module.ts";

/** What the module says about weights, as `qwixx.browser.tables` writes it. */
interface Tables {
  heading: Record<string, unknown>;
  hidden: number;
  bytes: { inputs: number; layers: number; bench: number; room: number; choice: number };
  /** The words at which the fields of a room to weigh in, and of a choice that was weighed, begin. */
  places: Record<"room" | "choice", Record<string, number>>;
  mostChoices: number;
  grading: Grading;
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

type OfNet = [layout: number, inputs: number, tables: number, rows: number, layers: number, bench: number];

interface Exports {
  memory: WebAssembly.Memory;
  free: WebAssembly.Global;
  answer(...given: [...OfNet, state: number, seats: number, lucks: number, actions: number]): void;
  weigh(...given: [...OfNet, room: number, state: number, choices: number]): number;
  worth(...given: [...OfNet, room: number, state: number]): void;
}

/** What a position is worth to each seat: the chance of winning, alone points; and the points at the end. */
export interface Worth {
  values: number[];
  points: number[];
}

/** One legal action by its number, and what it leaves to each seat. */
export interface Choice extends Worth {
  seat: number;
  action: number;
}

/** A position in which somebody decides, with all choices of all who do. */
export interface Weighed extends Worth {
  choices: Choice[];
}

const WORD = 4;
const PAGE = 65536;
const NEWLINE = 10;
/** Seats that a net knows at least; alone the one for two stands in. */
const FEWEST = 2;

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
    return String(Math.max(seats, FEWEST)) in this.#rules.tables.games[game]!.nets;
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
    const name = this.#rules.tables.games[game]!.nets[String(Math.max(seats, FEWEST))];
    if (name === undefined) throw new Error("There are no weights for this game.");
    this.#compiled ??= this.#library.module().then(async (answer) => WebAssembly.compile(await whole(answer)));
    this.#compiled.catch(() => (this.#compiled = undefined));
    const [compiled, weights] = await Promise.all([this.#compiled, this.#library.weights(name).then(whole)]);
    return new Net(compiled, this.#rules, game, seats, await unpacked(new Uint8Array(weights)));
  }

  /** Choose, from a state that was redacted for the seat, misjudging by so much; null if nobody has got ready. */
  choose(game: number, state: Words, seat: number, seats: number, noise: number, luck: bigint): number | null {
    return this.net(game, seats)?.choose(state, seat, noise, luck) ?? null;
  }

  /** What was got ready for a game with so many seats. */
  net(game: number, seats: number): Net | undefined {
    return this.#ready.get(`${game} ${seats}`);
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

type Place =
  "layout" | "inputs" | "layers" | "bench" | "state" | "seats" | "lucks" | "actions" | "tables" | "room" | "choices";

/** Weights in memory, with the module that reads them. */
export class Net {
  readonly #exports: Exports;
  readonly #places: Record<Place, number>;
  readonly #rows: number;
  readonly #seats: number;
  readonly #tables: Tables;

  constructor(compiled: WebAssembly.Module, rules: Module, game: number, seats: number, weights: Weights) {
    const tables = JSON.parse(new TextDecoder().decode(part(compiled, "tables"))) as Tables;
    const { bytes, hidden } = tables;
    this.#rows = tables.rows[game]!;
    this.#seats = seats;
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
      bench: take(bytes.bench),
      state: take(rules.tables.state.words * WORD),
      seats: take(WORD),
      lucks: take(2 * WORD),
      actions: take(WORD),
      tables: take(this.#rows * hidden * WORD),
      room: take(bytes.room),
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
    const place = Math.max(seats, FEWEST) - FEWEST;
    all.set(rest.subarray(place * bytes.layers, (place + 1) * bytes.layers), this.#places.layers);
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

  /** How losses are called, and how far values may be off. */
  get grading(): Grading {
    return this.#tables.grading;
  }

  choose(state: Words, seat: number, noise: number, luck: bigint): number {
    const { state: place, seats, lucks, actions } = this.#places;
    const words = this.#lay(state, noise);
    new BigUint64Array(words.buffer, lucks, 1)[0] = luck;
    words[seats / WORD] = seat;
    this.#exports.answer(...this.#net(), place, seats, lucks, actions);
    return words[actions / WORD]!;
  }

  /** Say what a position is worth where chance is next. */
  worth(state: Words): Worth {
    this.#lay(state, 0);
    this.#exports.worth(...this.#net(), this.#places.room, this.#places.state);
    return this.#read(this.#places.room, this.#tables.places.room);
  }

  /** Say what everything is worth that seats may decide; each is judged by what its seat may know. */
  weigh(state: Words): Weighed {
    const { room, state: place, choices } = this.#places;
    const words = this.#lay(state, 0);
    const count = this.#exports.weigh(...this.#net(), room, place, choices);
    const { bytes, places } = this.#tables;
    const found = Array.from({ length: count }, (_, index) => {
      const at = choices + index * bytes.choice;
      const [seat, action] = [words[at / WORD + places.choice.seat!]!, words[at / WORD + places.choice.action!]!];
      return { seat, action, ...this.#read(at, places.choice) };
    });
    return { ...this.#read(room, places.room), choices: found };
  }

  #net(): OfNet {
    const { layout, inputs, tables, layers, bench } = this.#places;
    return [layout, inputs, tables, this.#rows, layers, bench];
  }

  /** Put a state down, for somebody who misjudges by so much; gives the memory. */
  #lay(state: Words, noise: number): Words {
    const { buffer } = this.#exports.memory;
    const { at, seats } = this.#tables.noise;
    new Float32Array(buffer, this.#places.bench + at * WORD, seats).fill(noise);
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

/** What a game that is over is worth: equal totals share the win (C12); alone points count. */
export function finalWorth({ scores, winners }: Outcome): Worth {
  if (scores.length === 1) return { values: scores, points: scores };
  return { values: scores.map((_, seat) => (winners.includes(seat) ? 1 / winners.length : 0)), points: scores };
}
