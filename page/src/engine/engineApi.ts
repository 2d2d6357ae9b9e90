/** The interface of the engine: games, the catalogue, and questions about what a seat sees of a game at a server. */
import type { Analysis, AnyEvent, Catalogue, Frame, Hint, Outcome, Reason, SeatState, View } from "../protocol.ts";
import type { Moment } from "./coach/analyse.ts";
import type { Losses } from "./coach/hints.ts";
import type { Counted, Paper } from "./paperScore.ts";
import type { Problem, Setup } from "./setup.ts";
import type { Refusal } from "./text/refusals.ts";

/** Options of a new game. */
export interface BeginOptions {
  variant: string;
  seats: number;
  /** The card games' sheet; default: the usual one. */
  sheet?: string;
  /** The seat that starts; default: random. */
  first?: number;
  /** Longo: lucky numbers for each seat, such as "6/11"; default: random. */
  lucky?: string[] | null;
  /** The random seed; default: the browser's entropy. A record names a given seed. */
  seed?: bigint;
}

/** A game. */
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
  /** Return the seats that must decide now. */
  deciders(): number[];
  /** Return the game as a seat sees it; null for a spectator. */
  view(seat: number | null): View;
  /** Return the view with hidden cards, for replays. */
  reveal(): View;
  /** Return the legal actions of a seat as texts; empty if it does not decide now. */
  legal(seat: number): string[];
  /** Return what the server sends to a seat: legal actions, its choice, what a pass costs, its own view. */
  mine(seat: number): SeatState;
  /** Return why a seat may not choose this action now; null if it may. */
  whyNot(seat: number, action: string): Refusal | null;
  /** Return the reasons for and against each legal action of a seat; they use only what the seat may see. */
  reasons(seat: number): Map<string, Reason[]>;
  /** Return the choices of a seat, best first, with values and reasons; null until `learn` has loaded the net. */
  hint(seat: number): Omit<Hint, "t" | "phase"> | null;
  /** Return what each choice of a seat loses; null until `learn` has loaded the net. */
  losses(seat: number): Losses | null;
  decide(seat: number, action: string): AnyEvent[] | Refusal;
  /** Roll, deal or shuffle from the random stream of the game. */
  roll(): AnyEvent[] | Refusal;
  /** The sides of every die, in the order of a roll, including dice that have left the game. */
  readonly dice: readonly number[];
  /** Write the faces of all dice as a roll, without dice that have left the game. */
  rollOf(faces: readonly number[]): string;
  /** Return the cards that are to be dealt or shuffled now, in the order of the deck. */
  cards(): string[];
  /** Real dice such as `34/2615`, or a deck of cards. */
  setRoll(text: string): AnyEvent[] | Refusal;
  scores(): number[];
  /** Return how the game ended; null while it is running. */
  outcome(): Outcome | null;
  /** Return the record of the game; Python can replay it. */
  record(): string;
  /** Return the choice of a built-in player, who knows only what the seat may see. Throws if the player cannot play this game. */
  choose(player: string, seat: number): string;
  /** Whether a seat has decided in a window in which others still must. */
  readonly hasChoices: boolean;
  /**
   * Return the value of the game to each seat, and of every choice of every seat that decides, even if it has decided already.
   * Choices are rated only by what their seat may see. Null until `learn` has loaded the net.
   */
  judged(): Moment | null;
  /** Write the position as a line, with everything that is hidden. */
  position(): string;
  /** Serialize the game in a few kilobytes; `restore` returns the same game, to the byte. */
  save(): Uint8Array;
  /** Return an independent copy, to try something. */
  copy(): LocalGame;
}

/** A position that was set up. */
export interface Standing {
  /** Its parts, as they were read. */
  setup: Setup;
  /** Why it is impossible; empty if it is possible. */
  problems: Problem[];
  /** The game at this position, without the crosses that are impossible. */
  game: LocalGame;
}

/** The rules, ready to play. */
export interface Kernel {
  /** All games, as the server's catalogue has them. */
  readonly catalogue: Catalogue;
  /** Return the built-in players for a game with so many seats; without a sheet, on the usual one. */
  players(variant: string, seats: number, sheet?: string): string[];
  /**
   * Prepare a player before its first `choose`. Net players load their weights, once for each game and number of seats.
   * Throws if that fails; until they are loaded, a heuristic decides.
   */
  prepare(player: string, variant: string, seats: number, sheet?: string): Promise<void>;
  /**
   * Load the net that rates a game, for `judged` and `analyse`. Return false if there is none, as on sheets without weights;
   * throws if the weights cannot be fetched.
   */
  learn(variant: string, seats: number, sheet?: string): Promise<boolean>;
  /** Analyse a game: the value of every decision, and the luck. Null until `learn` has loaded the net. */
  analyse(record: string): Analysis | Refusal | null;
  begin(options: BeginOptions): LocalGame | Refusal;
  /** Continue a saved game, of this or an older version of the page. */
  restore(saved: Uint8Array): LocalGame | Refusal;
  /** Start a game at a position line; its record begins with that line. */
  stand(position: string): LocalGame | Refusal;
  /** Set up a position, given as a line or in parts, and check it. Null for texts that mean nothing. */
  setUp(position: string | Setup): Standing | null;
  /** Replay a record to its end. The details of a refusal name the line that cannot be replayed. */
  replay(record: string): LocalGame | Refusal;
  /** Replay a record step by step, with nothing hidden. */
  frames(record: string): Frame[] | Refusal;
  /** Rebuild a game from the view of a seat, to ask about it; null if the view is not enough. */
  seen(view: View, sheet: string, seat: number): GameFromView | null;
  /** Score paper sheets; null if the game is unknown. */
  count(paper: Paper): Counted | null;
}

/** Answers about a game at a server, from the view of a seat. Decisions are made by the server. */
export interface GameFromView {
  legal(): string[];
  whyNot(action: string): Refusal | null;
  /** Return the cells that a decision would cross on the seat's own sheet, if no other seat closes a row; empty if it is refused. */
  preview(action: string): string[];
  /** Return what each choice loses, by what the seat sees; null until `learn` has loaded the net. */
  losses(): Losses | null;
  /** Return the final score of the seat if a player plays on for all, with dice of this seed. */
  finalScore(player: string, seed: bigint): number;
}
