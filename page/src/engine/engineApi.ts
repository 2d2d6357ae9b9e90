/** What the rules in the page can be asked for: a game, all games, and what a seat sees of a game elsewhere. */
import type { AnyEvent, Catalogue, Frame, Hint, Mine, Outcome, Reason, View } from "../lib/protocol.ts";
import type { Analysis } from "./analysis.ts";
import type { Moment } from "./analysing.ts";
import type { Counted, Paper } from "./counting.ts";
import type { Refusal } from "./why.ts";

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
  /** What speaks for and against each legal action of a seat; nothing of it follows from what the seat may not see. */
  reasons(seat: number): Map<string, Reason[]>;
  /** The choices of a seat that is asked, best first, with values and reasons; null until `learn` has got what that takes. */
  hint(seat: number): Omit<Hint, "t" | "phase"> | null;
  decide(seat: number, action: string): AnyEvent[] | Refusal;
  /** Let chance have its turn, from the game's own stream. */
  roll(): AnyEvent[] | Refusal;
  /** The sides of every die, in the order in which a roll names them; those that have left too. */
  readonly dice: readonly number[];
  /** Write the faces of all dice as a roll; those that have left stay away. */
  rollOf(faces: readonly number[]): string;
  /** The cards that are to be dealt or shuffled now, in the order of the deck. */
  cards(): string[];
  /** Real dice such as `34/2615`, or a deck of cards. */
  setRoll(text: string): AnyEvent[] | Refusal;
  scores(): number[];
  /** How the game ended; null while it goes on. */
  outcome(): Outcome | null;
  /** The game as text; Python replays it. */
  record(): string;
  /** What a player of the house decides here, knowing what the seat knows. Throws for a name that does not play this game. */
  choose(player: string, seat: number): string;
  /** Whether somebody has decided in a window in which others still have to. */
  readonly hasChoices: boolean;
  /**
   * What the game is worth to each seat, and every choice of every seat that is asked, whether or not it has decided; nothing that
   * a seat may not know is used for its choices. Null until `learn` has got what that takes.
   */
  judged(): Moment | null;
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
  /**
   * Get what it takes to say what a game is worth: `judged` and `analyse` then do. False where nobody has learned it, as on
   * sheets without weights; throws where the weights cannot be fetched.
   */
  learn(variant: string, seats: number, sheet?: string): Promise<boolean>;
  /** Say of a game what every decision was worth and what luck did. Null where `learn` has not got what that takes. */
  analyse(record: string): Analysis | Refusal | null;
  begin(options: BeginOptions): LocalGame | Refusal;
  /** Go on with a game that was saved, by this version of the page or an older one. */
  restore(saved: Uint8Array): LocalGame | Refusal;
  /** A game that begins at a position line; it has no record that could be kept. */
  stand(position: string): LocalGame | Refusal;
  /** Replay a record to its end. A refusal has the line where it stops making sense among its details. */
  replay(record: string): LocalGame | Refusal;
  /** Replay a record step by step, with nothing hidden. */
  frames(record: string): Frame[] | Refusal;
  /** A game as a seat sees it elsewhere, to ask about it; null where its view does not tell enough. */
  seen(view: View, sheet: string, seat: number): Seen | null;
  /** Count sheets that were filled in on paper; null if they are not of a game that is known here. */
  count(paper: Paper): Counted | null;
}

/** What a seat can be told of a game that is played elsewhere; there, and not here, it is decided. */
export interface Seen {
  legal(): string[];
  whyNot(action: string): Refusal | null;
  /** The cells that a decision would cross on the seat's own sheet, if nobody else closes a row meanwhile; empty if it is refused. */
  preview(action: string): string[];
}
