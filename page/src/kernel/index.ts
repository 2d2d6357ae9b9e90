/**
 * The rules in the page: the kernel of the Python package, compiled to WebAssembly, and games over it.
 *
 * There is no rule in these files. What is legal, what happens and what it is worth is asked of the module; how it is
 * said (views, events, texts of actions, refusals) is read from tables that are written from Python's declarations and
 * travel inside the module. So the JSON that comes out here is the server's.
 */
import type { AnyEvent, Catalogue, Frame, Mine, Outcome, View } from "../lib/protocol";

/** Why something is refused; nothing has changed then. */
export interface Refusal {
  /** What a server answers with: an action that the rules refuse, a moment that is not the seat's, a text that is none. */
  error: "illegal" | "not-your-turn" | "not-now" | "unreadable";
  /** The reason as a word, the same as in the server's `why`: `left-of-cross`; empty for a text that is none. */
  code: string;
  rule: string;
  details: Record<string, number | string>;
}

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
  /** The players of the house that can play a game with so many seats. */
  players(variant: string, seats: number): string[];
  begin(options: BeginOptions): LocalGame | Refusal;
  /** Go on with a game that was saved, by this version of the page or an older one. */
  restore(saved: Uint8Array): LocalGame | Refusal;
  /** Replay a record to its end. A refusal has the line where it stops making sense among its details. */
  replay(record: string): LocalGame | Refusal;
  /** Replay a record step by step, with nothing hidden. */
  frames(record: string): Frame[] | Refusal;
}

export function isRefusal(found: unknown): found is Refusal {
  return typeof found === "object" && found !== null && "error" in found;
}

/** Load the module: `loadKernel(fetch(url))`, where the url comes from `import url from "./kernel.wasm?url"`. */
export async function loadKernel(_source: BufferSource | Response | Promise<Response>): Promise<Kernel> {
  throw new Error("not built yet");
}
