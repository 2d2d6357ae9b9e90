/** The compiled rules: an instance of the wasm module, and its functions over game states in JavaScript memory. */
import type { Exports } from "./exports.ts";
import type { Tables } from "./tables.ts";

/** A whole game in memory, as numbers of 32 bits. */
export type Words = Int32Array;

/** Addresses in the module's memory. A state is copied in for each call, so one place is enough. */
interface Room {
  layouts: number;
  state: number;
  copy: number;
  trail: number;
  list: number;
  seating: number;
  luck: number;
  facts: number;
  told: number;
  lists: number[];
}

const WORD = 4;
const PAGE = 65536;
const LISTS = 3;

export class Module {
  readonly tables: Tables;
  readonly #compiled: WebAssembly.Module;
  readonly #layouts: Uint8Array;
  #call!: Exports;
  #room!: Room;
  #words!: Int32Array;

  constructor(compiled: WebAssembly.Module) {
    this.#compiled = compiled;
    this.tables = JSON.parse(new TextDecoder().decode(part(compiled, "tables"))) as Tables;
    this.#layouts = new Uint8Array(part(compiled, "layouts"));
    this.#start();
  }

  /** Create an instance. */
  #start(): void {
    this.#call = new WebAssembly.Instance(this.#compiled).exports as unknown as Exports;
    const { sizes, state, trail, menu, seating, telling } = this.tables;
    let at = this.#call.free.value as number;
    const take = (size: number): number => {
      const begin = at;
      at += Math.ceil(size / 16) * 16;
      return begin;
    };
    const longest = Math.max(sizes.DECK, sizes.SEATS) * WORD;
    this.#room = {
      layouts: take(this.#layouts.length),
      state: take(state.words * WORD),
      copy: take(state.words * WORD),
      trail: take(trail.length * WORD),
      list: take(menu),
      seating: take(seating),
      luck: take(2 * WORD),
      facts: take(telling.facts),
      told: take(telling.length * WORD),
      lists: Array.from({ length: LISTS }, () => take(longest)),
    };
    const { memory } = this.#call;
    const missing = at - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
    new Uint8Array(memory.buffer).set(this.#layouts, this.#room.layouts);
    this.#words = new Int32Array(memory.buffer);
  }

  /** Call the rules. After an error the instance may be in any state, so the next call gets a new one. */
  #ask<T>(call: (exports: Exports, room: Room) => T): T {
    try {
      return call(this.#call, this.#room);
    } catch (error) {
      this.#start();
      throw error;
    }
  }

  #put(at: number, numbers: ArrayLike<number>): number {
    this.#words.set(numbers, at / WORD);
    return at;
  }

  #take(at: number, words: Words): void {
    words.set(this.#words.subarray(at / WORD, at / WORD + words.length));
  }

  /** Return the address of a game's layout. */
  #layout(game: number): number {
    return this.#room.layouts + game * this.tables.layout.bytes;
  }

  /** Return the layout of a game as bytes. */
  layoutBytes(game: number): Uint8Array {
    const { bytes } = this.tables.layout;
    return this.#layouts.subarray(game * bytes, (game + 1) * bytes);
  }

  /** Read numbers of a layout. */
  layoutWords(game: number, name: string, count: number): Int32Array {
    const begin = this.#layout(game) / WORD + this.tables.layout.places[name]!;
    return this.#words.slice(begin, begin + count);
  }

  begin(game: number, seed: bigint, seats: number, first: number): Words {
    return this.#ask((call, room) => {
      call.begin(this.#layout(game), room.state, seed, 0n, seats, first);
      const words = new Int32Array(this.tables.state.words);
      this.#take(room.state, words);
      return words;
    });
  }

  luckOf(seed: bigint): bigint {
    return this.#ask((call) => BigInt.asUintN(64, call.player_stream_seed(seed, 0n)));
  }

  asked(game: number, state: Words): number {
    return this.#ask((call, room) => call.asked(this.#layout(game), this.#put(room.state, state)));
  }

  roll(game: number, state: Words): number {
    return this.#change(state, (call, room) => call.roll(this.#layout(game), room.state, room.trail));
  }

  setDice(game: number, state: Words, faces: number[]): number {
    return this.#change(state, (call, room) =>
      call.set_dice(this.#layout(game), room.state, this.#put(room.lists[0]!, faces), room.trail),
    );
  }

  setDeck(game: number, state: Words, cards: number[]): number {
    return this.#change(state, (call, room) =>
      call.set_deck(this.#layout(game), room.state, this.#put(room.lists[0]!, cards), cards.length, room.trail),
    );
  }

  decide(game: number, state: Words, seat: number, action: number): number {
    return this.#change(state, (call, room) => call.decide(this.#layout(game), room.state, seat, action, room.trail));
  }

  /** Cross a cell while a sheet is set up from left to right; without any effects. */
  lay(game: number, state: Words, seat: number, cell: number): number {
    return this.#change(state, (call, room) => call.cross_in_setup(this.#layout(game), room.state, seat, cell));
  }

  /** Remove a pawn from a lock, while a position is set up. */
  takeLockBack(state: Words, seat: number, row: number): void {
    this.#change(state, (call, room) => (call.take_lock_back(room.state, seat, row), 0));
  }

  /** Close the rows whose locks are crossed in a position that is set up; return why it is impossible, as numbers. */
  checkPosition(game: number, state: Words): Int32Array {
    return this.#ask((call, room) => {
      call.check_position(this.#layout(game), this.#put(room.state, state), room.trail, room.list);
      this.#take(room.state, state);
      const begin = room.list / WORD;
      return this.#words.slice(begin + 1, begin + 1 + this.#words[begin]! * this.tables.problems.words);
    });
  }

  /** Call a function that changes a state. */
  #change(state: Words, call: (exports: Exports, room: Room) => number): number {
    return this.#ask((exports, room) => {
      this.#put(room.state, state);
      const reason = call(exports, room);
      this.#take(room.state, state);
      return reason;
    });
  }

  /** Return the event log of the last change. */
  notes(): Int32Array {
    const begin = this.#room.trail / WORD;
    return this.#words.slice(begin + 1, begin + this.#words[begin]!);
  }

  legal(game: number, state: Words, seat: number): number[] {
    return this.#ask((call, room) => {
      const count = call.legal(this.#layout(game), this.#put(room.state, state), seat, room.list);
      return [...this.#words.subarray(room.list / WORD, room.list / WORD + count)];
    });
  }

  refusal(game: number, state: Words, seat: number, action: number): number {
    return this.#ask((call, room) => call.refusal(this.#layout(game), this.#put(room.state, state), seat, action));
  }

  score(game: number, state: Words, seat: number): number {
    return this.#ask((call, room) => call.score(this.#layout(game), this.#put(room.state, state), seat));
  }

  winners(scores: number[]): number {
    return this.#ask((call, room) => call.winners(this.#put(room.lists[0]!, scores), scores.length));
  }

  /** Return a copy of a state without everything that is hidden from a seat; seat -1 is a spectator. */
  redact(game: number, state: Words, seat: number): Words {
    return this.#ask((call, room) => {
      call.redact(this.#layout(game), this.#put(room.state, state), room.copy, seat);
      const copy = new Int32Array(state.length);
      this.#take(room.copy, copy);
      return copy;
    });
  }

  rowPoints(game: number, crosses: number): number {
    return this.#ask((call) => call.row_points(this.#layout(game), crosses));
  }

  supply(game: number, state: Words, seat: number): number {
    return this.#ask((call, room) => call.supply(this.#layout(game), this.#put(room.state, state), seat));
  }

  /** Return the number that every seat may cross: the white sum, or the top card of the pile. */
  numberForAll(state: Words): number {
    return this.#ask((call, room) => call.number_for_all(this.#put(room.state, state)));
  }

  /** Return the number on top of the pile, 0 if it is empty. */
  topNumber(state: Words): number {
    return this.#ask((call, room) => call.top_number(this.#put(room.state, state)));
  }

  findPlay(game: number, hand: number[], played: number[], crossed: number[]): number {
    return this.#ask((call, room) => {
      const [first, second, third] = [hand, played, crossed].map((list, at) => this.#put(room.lists[at]!, list));
      return call.find_play(
        ...([this.#layout(game), first!, hand.length, second!, played.length, third!, crossed.length] as const),
      );
    });
  }

  /** Return the reasons for and against a legal action, encoded as numbers. */
  reasons(game: number, state: Words, seat: number, action: number): Int32Array {
    return this.#ask((call, room) => {
      const { copy, trail, facts, list, told } = room;
      call.reasons(
        ...([this.#layout(game), this.#put(room.state, state), seat, action, copy, trail, facts, list, told] as const),
      );
      const begin = told / WORD;
      return this.#words.slice(begin + 1, begin + this.#words[begin]!);
    });
  }

  /** Let a heuristic player choose, from a state that was redacted for its seat. */
  choose(game: number, state: Words, seat: number, weights: number[], luck: bigint): number {
    const { SEATS } = this.tables.sizes;
    return this.#ask((call, room) => {
      for (let each = 0; each < SEATS; each++) this.#put(room.seating + each * weights.length * WORD, weights);
      new BigUint64Array(this.#words.buffer, room.luck, 1)[0] = luck;
      const [seats, actions] = [this.#put(room.lists[0]!, [seat]), room.lists[1]!];
      call.choose(
        ...([
          this.#layout(game),
          this.#put(room.state, state),
          seats,
          room.seating,
          room.luck,
          room.list,
          actions,
        ] as const),
      );
      return this.#words[actions / WORD]!;
    });
  }
}

/** Read a custom section. */
export function part(compiled: WebAssembly.Module, name: string): ArrayBuffer {
  const [found] = WebAssembly.Module.customSections(compiled, name);
  if (!found) throw new Error(`The module has no ${name}.`);
  return found;
}
