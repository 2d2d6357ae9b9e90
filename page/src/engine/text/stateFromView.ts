/**
 * Convert a view of a seat to a state, so that the kernel of the page can answer questions about a game on a server.
 *
 * Data that is not in a view stays empty: the pile below its top card, and choices of others. Backs have no color. The duel is not supported, because its
 * view does not contain the place of the first pawn of a turn.
 */
import type { SheetView, View } from "../../protocol.ts";
import type { Words } from "../module.ts";
import type { Rules } from "../rules.ts";
import type { Shown } from "../tables.ts";
import { NUMBER, PLACES } from "./views.ts";

type Details = Record<string, unknown>;

/** Return the state that a seat sees; null if its view does not contain enough. */
export function stateFromView(rules: Rules, view: View, seat: number): Words | null {
  const { module, at, game, texts } = rules;
  const { sizes, state: fields, phases, endings, colors } = module.tables;
  if (game.isDuel) return null;
  const state = module.begin(at, 0n, view.seats, view.active);
  const put = (name: string, ...numbers: number[]): void => state.set(numbers, fields.places[name]!);
  fill(game.view, view as unknown as Details, state, 0);
  put("phase", phases.indexOf(view.phase));
  put("ending", endings.indexOf(view.ending ?? ""));
  put("waiting", mask(view.deciders));
  put("crossed", Number(view.crossed));
  for (const sheet of view.sheets) layOut(rules, sheet, state);
  if (game.isCards) {
    layCards(rules, view, state);
  } else {
    put("closed", mask(view.closed.map((key) => game.rows.findIndex((row) => row.key === key))));
    put("gone", mask(view.gone.map((color) => colors.indexOf(color))));
    if (view.dice) put("dice", ...texts.readRoll(view.dice));
  }
  if (view.choice !== null) {
    const choice = texts.readAction(
      view.choice,
      rules.views.hand(state, seat) ?? [],
      (...named) => module.findPlay(...named),
      at,
    );
    if (typeof choice === "number") state[fields.places.choices! + seat] = choice;
  }
  return view.sheets.length === view.seats && view.seats <= sizes.SEATS ? state : null;
}

/** Mark all other seats as decided, so that a decision takes effect immediately on the own sheet. */
export function alone({ module }: Rules, state: Words, seat: number): void {
  const { sizes, state: fields } = module.tables;
  const seats = state[fields.places.seats!]!;
  for (let other = 0; other < seats; other++) if (other !== seat) state[fields.places.choices! + other] = sizes.PASS;
  state[fields.places.waiting!] = 1 << seat;
}

/** Make the crosses one by one, as for a position: the kernel updates all other fields. */
function layOut({ module, at, game }: Rules, view: SheetView, state: Words): void {
  const { sizes, sheet, state: fields } = module.tables;
  const begin = fields.places.sheets! + view.seat * sheet.words;
  for (const [index, row] of view.rows.entries()) {
    for (const value of row.crosses) {
      module.lay(at, state, view.seat, index * sizes.POSITIONS + game.rows[index]!.values.indexOf(value));
    }
    state[begin + sheet.places.count! + index] = row.count;
  }
  state[begin + sheet.places.locks!] = mask(view.rows.flatMap((row, index) => (row.locked ? [index] : [])));
  fill(game.sheetView, view as unknown as Details, state, begin);
}

/** Set the visible cards; of backs only the numbers. */
function layCards({ module, texts }: Rules, view: View, state: Words): void {
  const { sizes, state: fields, cards } = module.tables;
  const back = (number: number): number => cards.indexOf("?") * sizes.TOTALS + number;
  const { places } = fields;
  for (const { seat, hand, backs } of view.sheets) {
    state[places.held! + seat] = backs.length;
    state.set(hand ? texts.readDeck(hand.join(), []) : backs.map(back), places.hands! + seat * sizes.HAND);
  }
  state.set(
    view.display.map((number) => (number === null ? sizes.NO_CARD : back(number))),
    places.display!,
  );
  state[places.pile_size!] = view.pileSize;
  if (view.number !== null && view.pileSize) state[places.pile! + view.pileSize - 1] = back(view.number);
  state[places.discarded!] = view.discards.length;
  if (view.discards.length) state.set(texts.readDeck(view.discards.join(), []), places.discards!);
}

/** Write the details that a view shows unchanged. */
function fill(details: Shown[], from: Details, state: Words, at: number): void {
  for (const { name, place, form } of details) {
    if (typeof place !== "number") continue;
    const value = from[name] as number | number[];
    if (form === NUMBER) state[at + place] = value as number;
    else if (form === PLACES) state[at + place] = mask((value as number[]).map((number) => number - 1));
    else state.set(value as number[], at + place);
  }
}

function mask(places: number[]): number {
  return places.reduce((found, place) => found | (1 << place), 0);
}
