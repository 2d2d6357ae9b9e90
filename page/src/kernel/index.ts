/**
 * The rules in the page: the kernel of the Python package, compiled to WebAssembly, and games over it.
 *
 * There is no rule in these files. What is legal, what happens and what it is worth is asked of the module; how it is
 * said (views, events, texts of actions, refusals) is read from tables that are written from Python's declarations and
 * travel inside the module. So the JSON that comes out here is the server's.
 */
import type { AnyEvent, Catalogue, Frame, Mine, Outcome, View } from "../lib/protocol.ts";
import { CHANCE, PageGame } from "./game.ts";
import { Master, type Library } from "./master.ts";
import { Module, type Words } from "./module.ts";
import { BadRecord, readRecord, type GameRecord } from "./records.ts";
import { opening, Rules } from "./rules.ts";
import { alone, seenState } from "./seen.ts";
import { Unreadable } from "./texts.ts";
import { unreadable, type Refusal } from "./why.ts";

export type { Library, Refusal };

/** What somebody wants to play. */
export interface BeginOptions {
  variant: string;
  seats: number;
  /** The card games' sheet; the usual one if none is named. */
  sheet?: string;
  /** The seat that begins; drawn by lot if none is named. */
  first?: number;
  /** Longo: lucky numbers for each seat, such as "6/11"; dealt by lot if none are named. */
  lucky?: string[] | null;
  /** Where chance comes from; the browser's own entropy if none is named. A record tells a seed that was named. */
  seed?: bigint;
}

/** One playing of one variant. */
export interface LocalGame {
  readonly variant: string;
  /** The sheet the server would name: the card games' sheet, else the variant. */
  readonly sheet: string;
  readonly seats: number;
  readonly active: number;
  readonly turn: number;
  readonly phase: string;
  readonly isOver: boolean;
  readonly awaitsChance: boolean;
  /** The last roll or decision as the record writes it, empty at the start: "roll 34/2615", "0 r7". */
  readonly lastStep: string;
  /** The seats that owe a decision now. */
  deciders(): number[];
  /** The game as a seat sees it; null: a spectator. */
  view(seat: number | null): View;
  /** Everything, hidden cards too: for replays. */
  reveal(): View;
  /** The texts of what a seat may decide now; empty if it is not asked. */
  legal(seat: number): string[];
  /** What the server tells a seat: what it may do, what it has chosen, what crossing nothing costs, its own view. */
  mine(seat: number): Mine;
  /** Why a seat may not decide this now; null if it may. */
  whyNot(seat: number, action: string): Refusal | null;
  decide(seat: number, action: string): AnyEvent[] | Refusal;
  /** Let chance have its turn, from the game's own stream. */
  roll(): AnyEvent[] | Refusal;
  /** Real dice such as `34/2615`, or a deck of cards. */
  setRoll(text: string): AnyEvent[] | Refusal;
  scores(): number[];
  /** How the game ended; null while it goes on. */
  outcome(): Outcome | null;
  /** The game as text; Python replays it. */
  record(): string;
  /** What a player of the house decides here, knowing what the seat knows. Throws for a name that does not play this game. */
  choose(player: string, seat: number): string;
  /** Everything about the game in a few kilobytes; `restore` gives the same game, to the byte. */
  save(): Uint8Array;
  /** A game that goes on from here on its own: to try something. */
  copy(): LocalGame;
}

/** The rules, ready to play. */
export interface Kernel {
  /** All games, as the server's catalogue has them. */
  readonly catalogue: Catalogue;
  /** The players of the house that can play a game with so many seats; without a sheet, on the usual one. */
  players(variant: string, seats: number, sheet?: string): string[];
  /**
   * Get a player ready for a game before it is first asked to `choose`. Those that have learned the game fetch its weights
   * then, once for each game and number of seats. Throws where they cannot be had; until then rules of thumb stand in.
   */
  prepare(player: string, variant: string, seats: number, sheet?: string): Promise<void>;
  begin(options: BeginOptions): LocalGame | Refusal;
  /** Go on with a game that was saved, by this version of the page or an older one. */
  restore(saved: Uint8Array): LocalGame | Refusal;
  /** Replay a record to its end. A refusal has the line where it stops making sense among its details. */
  replay(record: string): LocalGame | Refusal;
  /** Replay a record step by step, with nothing hidden. */
  frames(record: string): Frame[] | Refusal;
  /** A game as a seat sees it elsewhere, to ask about it; null where its view does not tell enough. */
  seen(view: View, sheet: string, seat: number): Seen | null;
}

/** What a seat can be told of a game that is played elsewhere; there, and not here, it is decided. */
export interface Seen {
  legal(): string[];
  whyNot(action: string): Refusal | null;
  /** The cells that a decision would cross on the seat's own sheet, if nobody else closes a row meanwhile; empty if it is refused. */
  preview(action: string): string[];
}

export function isRefusal(found: unknown): found is Refusal {
  return typeof found === "object" && found !== null && "error" in found;
}

/**
 * Load the module: `loadKernel(fetch(url))`, where the url comes from `import url from "./kernel.wasm?url"`.
 *
 * Without a library rules of thumb stand in for all who have learned a game.
 */
export async function loadKernel(
  source: BufferSource | Response | Promise<Response>,
  library: Library | null = null,
): Promise<Kernel> {
  const given = await source;
  // Not compiled while it streams: that would ask a static host for the right media type.
  const bytes = given instanceof Response ? await read(given) : given;
  return new PageKernel(new Module(await WebAssembly.compile(bytes)), library);
}

async function read(answer: Response): Promise<ArrayBuffer> {
  if (!answer.ok) throw new Error(`The rules cannot be fetched: ${answer.status}.`);
  return answer.arrayBuffer();
}

class PageKernel implements Kernel {
  readonly #module: Module;
  readonly #master: Master | null;
  readonly #rules: Rules[];

  constructor(module: Module, library: Library | null) {
    this.#module = module;
    this.#master = library && new Master(module, library);
    this.#rules = module.tables.games.map((_, at) => new Rules(module, at, this.#master));
  }

  get catalogue(): Catalogue {
    return this.#module.tables.catalogue;
  }

  players(variant: string, seats: number, sheet?: string): string[] {
    const rules = this.#find(variant, sheet);
    if (!rules) return [];
    const { players } = rules.game;
    return Object.keys(players).filter((name) => players[name]!.includes(seats));
  }

  async prepare(player: string, variant: string, seats: number, sheet?: string): Promise<void> {
    const rules = this.#find(variant, sheet);
    if (!rules || !this.players(variant, seats, sheet).includes(player)) throw new Error(`${player} does not play this.`);
    if (String(seats) in (rules.game.noises[player] ?? {})) await this.#master?.learn(rules.at, seats);
  }

  /** Find a game on its sheet; without one, on the sheet it is usually played on. */
  #find(variant: string, sheet?: string): Rules | undefined {
    return this.#rules.find(({ game }) => game.id === variant && (!sheet || (game.isCards && game.sheet === sheet)));
  }

  begin(options: BeginOptions): PageGame | Refusal {
    const { variant, seats, sheet, first, lucky, seed } = options;
    const rules = this.#find(variant, sheet);
    if (!rules || !isWhole(seats, ...rules.game.seats)) return unreadable();
    if (first !== undefined && !isWhole(first, 0, seats - 1)) return unreadable();
    if (seed !== undefined && BigInt.asUintN(64, seed) !== seed) return unreadable();
    const chance = seed ?? crypto.getRandomValues(new BigUint64Array(1))[0]!;
    const state = this.#module.begin(rules.at, chance, seats, first ?? -1);
    try {
      if (lucky) setLucky(rules, state, lucky);
    } catch (error) {
      if (error instanceof Unreadable) return unreadable();
      throw error;
    }
    const facts = opening(rules, state, seed);
    return new PageGame(rules, state, { facts, steps: [], luck: this.#module.luckOf(chance) });
  }

  restore(saved: Uint8Array): LocalGame | Refusal {
    const text = new TextDecoder().decode(saved);
    const [, chance, luck] = new RegExp(`^${CHANCE} ([0-9]{1,20}) ([0-9]{1,20})$`, "m").exec(text) ?? [];
    if (chance === undefined || luck === undefined) return unreadable();
    const game = this.replay(text);
    if (game instanceof PageGame) game.resume(BigInt(chance), BigInt(luck));
    return game;
  }

  replay(record: string): LocalGame | Refusal {
    return this.#replay(record, () => undefined);
  }

  frames(record: string): Frame[] | Refusal {
    const frames: Frame[] = [];
    const game = this.#replay(record, (game, events) =>
      frames.push({ step: game.lastStep, events, view: game.reveal() }),
    );
    return isRefusal(game) ? game : frames;
  }

  seen(view: View, sheet: string, seat: number): Seen | null {
    const rules = this.#find(view.variant, sheet === view.variant ? undefined : sheet);
    const state = rules && view.sheets[seat] ? seenState(rules, view, seat) : null;
    if (!rules || !state) return null;
    const past = { facts: {}, steps: [], luck: 0n };
    const game = new PageGame(rules, state, past);
    return {
      legal: () => game.legal(seat),
      whyNot: (action) => game.whyNot(seat, action),
      preview: (action) => {
        const words = state.slice();
        alone(rules, words, seat);
        const events = new PageGame(rules, words, { ...past, steps: [] }).decide(seat, action);
        if (isRefusal(events)) return [];
        return events.flatMap((event) => (event.e === "crossed" && event.seat === seat ? [event.cell] : []));
      },
    };
  }

  /** Play a record again; `seen` is called after the opening and after every step. */
  #replay(text: string, seen: (game: PageGame, events: AnyEvent[]) => void): PageGame | Refusal {
    try {
      const record = readRecord(this.#module.tables, text);
      const game = this.#open(record);
      seen(game, []);
      for (const step of record.steps) {
        if (step.seat === null && game.awaitsChance && step.word !== this.#module.tables.chance[game.phase]) {
          throw new BadRecord(step.line);
        }
        if (step.seat !== null && step.seat >= game.seats) throw new BadRecord(step.line);
        const events = step.seat === null ? game.setRoll(step.text) : game.decide(step.seat, step.text);
        if (isRefusal(events)) return { ...events, details: { ...events.details, line: step.line } };
        seen(game, events);
      }
      if (record.scores && (!game.isOver || String(record.scores) !== String(game.scores()))) {
        throw new BadRecord(record.scoresLine);
      }
      return game;
    } catch (error) {
      if (error instanceof BadRecord) return unreadable({ line: error.line });
      throw error;
    }
  }

  #open({ facts }: GameRecord): PageGame {
    const { variant, seats, first, sheet, lucky } = facts;
    const pads = lucky === undefined ? null : lucky.split(" ").filter(Boolean);
    const game = this.begin({ variant: variant!, seats: Number(seats), first: Number(first), sheet, lucky: pads });
    if (isRefusal(game) || facts.layout) throw new BadRecord(1);
    return game.named(facts);
  }
}

function isWhole(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most;
}

/** Give every seat its lucky numbers. Throws Unreadable. */
function setLucky(rules: Rules, state: Words, lucky: string[]): void {
  const { sheet, state: fields } = rules.module.tables;
  if (lucky.length !== state[fields.places.seats!]) throw new Unreadable("Lucky numbers are a pair for each seat.");
  for (const [seat, text] of lucky.entries()) {
    state.set(rules.texts.readLucky(text), fields.places.sheets! + seat * sheet.words + sheet.places.lucky!);
  }
}
