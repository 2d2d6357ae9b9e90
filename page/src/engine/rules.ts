/** What all games of one kind share: a layout of the module, and those who put its answers into words. */
import { Events } from "./events.ts";
import type { Master } from "./master.ts";
import type { Module, Words } from "./module.ts";
import type { GameTable } from "./tables.ts";
import { luckyText, Texts } from "./texts.ts";
import { Views } from "./views.ts";
import { Whys } from "./why.ts";

/** A game on its sheet, with all who put it into words; games of the same kind share it. */
export class Rules {
  readonly module: Module;
  readonly master: Master | null;
  /** Its number among the games of the tables. */
  readonly at: number;
  readonly game: GameTable;
  readonly texts: Texts;
  readonly views: Views;
  readonly events: Events;
  readonly whys: Whys;

  constructor(module: Module, at: number, master: Master | null) {
    this.module = module;
    this.master = master;
    this.at = at;
    this.game = module.tables.games[at]!;
    this.texts = new Texts(module.tables, this.game);
    this.views = new Views(module, at, this.texts);
    this.events = new Events(module.tables, this.game, this.texts);
    this.whys = new Whys(module, at, this.texts);
  }

  /**
   * With how many seats in mind a player decides; null if it does not play the game. Alone, who has learned it in company
   * goes for the points that it would expect with one other, as in Python.
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
