/** The data that all games of one variant and sheet share: the layout, and readers and writers of texts. */
import { Events } from "./text/events.ts";
import type { NetPlayer } from "./coach/netPlayer.ts";
import type { Module, Words } from "./module.ts";
import type { GameTable } from "./tables.ts";
import { luckyText, Texts } from "./text/notation.ts";
import { Views } from "./text/views.ts";
import { Refusals } from "./text/refusals.ts";

/** A variant on its sheet, with its readers and writers of texts. */
export class Rules {
  readonly module: Module;
  readonly master: NetPlayer | null;
  /** Its number among the games of the tables. */
  readonly at: number;
  readonly game: GameTable;
  readonly texts: Texts;
  readonly views: Views;
  readonly events: Events;
  readonly whys: Refusals;

  constructor(module: Module, at: number, master: NetPlayer | null) {
    this.module = module;
    this.master = master;
    this.at = at;
    this.game = module.tables.games[at]!;
    this.texts = new Texts(module.tables, this.game);
    this.views = new Views(module, at, this.texts);
    this.events = new Events(module.tables, this.game, this.texts);
    this.whys = new Refusals(module, at, this.texts);
  }

  /**
   * Return for how many seats a player decides; null if it cannot play the game. In solitaire a net that was trained in
   * multiplayer maximizes the points that it expects with one opponent, as in Python.
   */
  companyOf(player: string, seats: number): number | null {
    const known = this.game.players[player] ?? [];
    if (known.includes(seats)) return seats;
    return seats === 1 && known.includes(2) ? 2 : null;
  }
}

/** Write what was set up. */
export function opening(rules: Rules, state: Words, seed: bigint | undefined): Record<string, string> {
  const { tables } = rules.module;
  const { sheet, state: fields } = tables;
  const facts: Record<string, string> = {
    variant: rules.game.id,
    seats: String(state[fields.places.seats!]),
    first: String(state[fields.places.active!]),
  };
  if (rules.game.isCards && rules.game.sheet !== "classic") facts.sheet = rules.game.sheet;
  if (rules.game.lucky.length) {
    const pads = Array.from({ length: state[fields.places.seats!]! }, (_, seat) => {
      const at = fields.places.sheets! + seat * sheet.words + sheet.places.lucky!;
      return luckyText(state[at]!, state[at + 1]!);
    });
    facts.lucky = pads.join(" ");
  }
  if (seed !== undefined) facts.seed = String(seed);
  return facts;
}
