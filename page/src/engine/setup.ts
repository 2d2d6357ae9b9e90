/**
 * Positions set up by hand: the kernel crosses the cells, refuses impossible crosses, and checks the whole position.
 *
 * An impossible cross is left out and reported, so that the rest can still be shown and scored.
 */
import type { Words } from "./module.ts";
import type { Rules } from "./rules.ts";
import { Unreadable } from "./text/notation.ts";
import type { Refusal } from "./text/refusals.ts";

/** A sheet as its owner crossed it. */
export interface PaperSheet {
  /** Crossed cells, such as `r7`, with the number of crosses: more than one is a stack of pawns. */
  cells: Record<string, number>;
  misses: number;
  /** Bonus bar: the used places, counted from 1. */
  used: number[];
  /** Duel: rows closed with the last pawn, so that there is no pawn on the lock. */
  bare: string[];
}

/** A sheet with everything else that a position has of its seat. */
export interface SetupSheet extends PaperSheet {
  /** Longo: the lucky numbers, such as `6/11`; empty for the first pad. */
  lucky: string;
  /** Cards in hand, such as `r4` or a back `?4`. */
  hand: string[];
  /** The rows whose locks are crossed; null if they follow from the cells. */
  locks: string[] | null;
}

/** A position as text and numbers, before the rules have seen it; cards and dice are in the words of a position line. */
export interface Setup {
  variant: string;
  sheet: string;
  active: number;
  turn: number;
  phase: string;
  roll: string;
  crossed: boolean;
  /** Duel: the cell of action 1. */
  first: string;
  /** The decisions in the open window; empty if there are none. */
  choices: string[];
  sheets: SetupSheet[];
  display: string[];
  /** The pile from its top; a last `*` means all other cards. */
  pile: string[];
  discards: string[];
}

/** Why a position is impossible: a cross or a choice that a rule refuses, or something else by its name, with the seat or row it is about. */
export type Problem =
  | { kind: "cross" | "choice"; seat: number; cell: string; why: Refusal }
  | { kind: "rule"; name: string; rule: string; about: number; least: number; most: number };

/**
 * Cross the cells of one sheet from left to right, or in their own order; in the duel on a separate board, since the other player's
 * pawns may have come later.
 */
export function layOut(rules: Rules, state: Words, seat: number, sheet: PaperSheet, isInOrder = false): Problem[] {
  const { module, at, game, texts, whys } = rules;
  const { sheet: places, state: fields } = module.tables;
  const own = game.isDuel ? module.begin(at, 0n, game.seats[0], 0) : state;
  const problems: Problem[] = [];
  const cells = Object.keys(sheet.cells).map((name) => texts.readCell(name));
  if (!isInOrder) cells.sort((one, other) => one - other);
  for (const cell of cells) {
    for (let pawn = 0; pawn < sheet.cells[texts.cell(cell)]!; pawn++) {
      const reason = module.lay(at, own, seat, cell);
      if (!reason) continue;
      problems.push({ kind: "cross", seat, cell: texts.cell(cell), why: whys.action(own, seat, cell, [], reason) });
      break;
    }
  }
  if (game.isDuel) {
    for (const [row, { key }] of game.rows.entries()) if (sheet.bare.includes(key)) takeLockBack(rules, own, seat, row);
    copySeat(rules, own, state, seat);
  }
  const begin = fields.places.sheets! + seat * places.words;
  state[begin + places.places.misses!] = sheet.misses;
  if (places.places.used !== undefined)
    state[begin + places.places.used] = sheet.used.reduce((mask, place) => mask | (1 << (place - 1)), 0);
  return problems;
}

/** Return the rows whose lock is written without its cell, or the other way round. */
function wrongLocks({ module, game }: Rules, state: Words, seat: number, { locks }: SetupSheet): Problem[] {
  const { sheet, state: fields } = module.tables;
  const crossed = state[fields.places.sheets! + seat * sheet.words + sheet.places.locks!]!;
  return game.rows.flatMap(({ key }, row) =>
    locks === null || Boolean((crossed >> row) & 1) === locks.includes(key)
      ? []
      : [{ kind: "rule", name: "lock", rule: "C7", about: seat, least: row, most: row }],
  );
}

function takeLockBack({ module }: Rules, state: Words, seat: number, row: number): void {
  const { sheet, state: fields } = module.tables;
  const locks = state[fields.places.sheets! + seat * sheet.words + sheet.places.locks!]!;
  if ((locks >> row) & 1) module.takeLockBack(state, seat, row);
}

/** Copy the pawns of one player to the shared board. */
function copySeat({ module }: Rules, from: Words, to: Words, seat: number): void {
  const { sheet, sizes, state: fields } = module.tables;
  const pawns = sizes.ROWS * sizes.POSITIONS;
  for (const [begin, count] of [
    [fields.places.sheets! + seat * sheet.words, sheet.words],
    [fields.places.board! + seat * pawns, pawns],
  ] as const) {
    to.set(from.subarray(begin, begin + count), begin);
  }
}

/** Close rows, and return why the whole position is impossible. */
export function checkAll({ module, at }: Rules, state: Words): Extract<Problem, { kind: "rule" }>[] {
  const { names, words } = module.tables.problems;
  const found = module.checkPosition(at, state);
  return Array.from({ length: found.length / words }, (_, place) => {
    const [reason = 0, about = -1, least = 0, most = 0] = found.subarray(place * words, (place + 1) * words);
    const [name, rule] = names[reason]!;
    return { kind: "rule", name, rule, about, least, most };
  });
}

/** Set up a position: its state, and why it is impossible. Throws Unreadable for texts that mean nothing. */
export function fillIn(rules: Rules, setup: Setup): { state: Words; problems: Problem[] } {
  const { module, at, game, texts } = rules;
  const { state: fields, sheet: places, phases } = module.tables;
  const [least, most] = game.seats;
  const { length } = setup.sheets;
  if (length < least || length > most) throw new Unreadable("There are so many seats in no such game.");
  const state = module.begin(at, 0n, length, setup.active);
  const put = (name: string, ...numbers: number[]): void => state.set(numbers, fields.places[name]!);
  const phase = phases.indexOf(setup.phase || module.tables.phases[state[fields.places.phase!]!]!);
  if (!game.phases.includes(phase)) throw new Unreadable("There is no such moment.");
  put("phase", phase);
  put("turn", setup.turn);
  const problems = setup.sheets.flatMap((sheet, seat) => {
    const found = layOut(rules, state, seat, sheet, sheet.locks !== null);
    return [...found, ...(found.length ? [] : wrongLocks(rules, state, seat, sheet))];
  });
  for (const [seat, { lucky, hand }] of setup.sheets.entries()) {
    const begin = fields.places.sheets! + seat * places.words;
    if (lucky) state.set(texts.readLucky(lucky), begin + places.places.lucky!);
    if (hand.length) putHand(rules, state, seat, hand);
  }
  const isSeen = game.isCards && putCards(rules, state, setup);
  if (setup.roll && !module.tables.diceLie.includes(phase)) throw new Unreadable("No dice lie on the table now.");
  if (setup.roll) put("dice", ...texts.readRoll(setup.roll));
  problems.push(...checkAll(rules, state).filter(({ name }) => !isSeen || (name !== "deck" && name !== "display")));
  if (setup.crossed) put("crossed", 1);
  if (setup.first) {
    if (!game.isDuel) throw new Unreadable("Only the duel has a first cell.");
    put("first_cell", texts.readCell(setup.first));
    put("crossed", 1);
  }
  put("waiting", module.asked(at, state));
  if (setup.choices.length && !problems.length) problems.push(...choose(rules, state, setup.choices));
  return { state, problems };
}

/** Read a card, or a card seen from behind, such as `?7`. */
function readCard({ module, texts }: Rules, word: string): number {
  const { sizes, cards } = module.tables;
  const [, back] = /^\?([0-9]{1,2})$/.exec(word) ?? [];
  if (back === undefined) return texts.readDeck(word, [])[0] ?? sizes.NO_CARD;
  if (Number(back) >= sizes.TOTALS) throw new Unreadable("That is no back of a card.");
  return cards.indexOf("?") * sizes.TOTALS + Number(back);
}

function putHand(rules: Rules, state: Words, seat: number, hand: string[]): void {
  const { sizes, state: fields } = rules.module.tables;
  if (!rules.game.isCards || hand.length > sizes.HAND) throw new Unreadable("That is no hand.");
  const cards = hand.map((word) => readCard(rules, word)).sort((one, other) => one - other);
  state[fields.places.held! + seat] = cards.length;
  state.set(cards, fields.places.hands! + seat * sizes.HAND);
}

/** A pile of which only the number on top and the number of cards are visible. */
const SEEN_PILE = /^(\?[0-9]{1,2})x([0-9]{1,2})$/;

/** Set display, pile and discards; return whether they are only as a seat sees them: backs, and the size of the pile. */
function putCards(rules: Rules, state: Words, { phase, display, pile, discards }: Setup): boolean {
  const { module, at, texts } = rules;
  const { sizes, state: fields, phases, deal } = module.tables;
  const { places } = fields;
  if (!phase || phase === phases[deal]) return false;
  if (display.length > sizes.DISPLAY) throw new Unreadable("The display has fewer places.");
  const shown = display.map((word) => (word === "-" ? sizes.NO_CARD : readCard(rules, word)));
  while (shown.length < sizes.DISPLAY) shown.push(sizes.NO_CARD);
  const gone = texts.readDeck(discards.join(), []);
  state.set(shown, places.display!);
  state.set(gone, places.discards!);
  state[places.discarded!] = gone.length;
  const [, top, size] = SEEN_PILE.exec(pile.join()) ?? [];
  if (top) {
    const count = Number(size);
    if (!count || count > sizes.DECK) throw new Unreadable("That is no pile.");
    state[places.pile_size!] = count;
    state[places.pile! + count - 1] = readCard(rules, top);
    return true;
  }
  const held = Array.from({ length: state[places.seats!]! }, (_, seat) => {
    const begin = places.hands! + seat * sizes.HAND;
    return [...state.subarray(begin, begin + state[places.held! + seat]!)];
  });
  const lying = new Set([...held.flat(), ...shown, ...gone]);
  const deck = [...module.layoutWords(at, "deck", module.layoutWords(at, "deck_size", 1)[0]!)];
  const rest = deck.filter((card) => !lying.has(card));
  const stacked = texts.readDeck(pile.join(), rest);
  state.set([...stacked].reverse(), places.pile!);
  state[places.pile_size!] = stacked.length;
  return false;
}

/** Store the choices of an open window. */
function choose(rules: Rules, state: Words, choices: string[]): Problem[] {
  const { module, at, texts, whys, views } = rules;
  const { state: fields } = module.tables;
  if (choices.length !== state[fields.places.seats!]) throw new Unreadable("There is a choice for each seat.");
  const problems: Problem[] = [];
  for (const [seat, word] of choices.entries()) {
    if (word === "-") continue;
    const action = texts.readAction(word, views.hand(state, seat) ?? [], (...named) => module.findPlay(...named), at);
    if (typeof action !== "number") throw new Unreadable("That is no choice of an open window.");
    const reason = module.refusal(at, state, seat, action);
    if (reason) problems.push({ kind: "choice", seat, cell: word, why: whys.action(state, seat, action, [], reason) });
    else {
      state[fields.places.choices! + seat] = action;
      state[fields.places.waiting!] = state[fields.places.waiting!]! & ~(1 << seat);
    }
  }
  if (!problems.length && !state[fields.places.waiting!]) throw new Unreadable("The window is no longer open.");
  return problems;
}
