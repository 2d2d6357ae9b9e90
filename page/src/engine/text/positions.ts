/**
 * Read a position line (docs/formats.md): a game that starts in the middle.
 *
 * The kernel makes the crosses and refuses impossible ones. Positions with choices in an open window are not supported: use
 * steps for them. Cards may have the form that one seat sees: `hand=?3,?7` of others, `display=?7,...`, `pile=?4x31`.
 */
import type { Words } from "../module.ts";
import type { Rules } from "../rules.ts";
import { Unreadable } from "./notation.ts";

type Facts = Map<string, string>;

/** The hand of another seat, of which only the backs are visible. */
const BACKS = /^\?[0-9]{1,2}(,\?[0-9]{1,2}){0,4}$/;
/** A pile of which only the number on top and the number of cards are visible. */
const SEEN_PILE = /^\?([0-9]{1,2})x([0-9]{1,2})$/;

interface Section {
  variant: string;
  table: Facts;
  seats: Facts[];
}

/** Split a line into its parts. Throws Unreadable. */
export function readSections(line: string): Section {
  const [table = "", ...seats] = line.split("|").map((section) => section.trim());
  const [variant = "", ...words] = table.split(/\s+/);
  return {
    variant,
    table: readFacts(words),
    seats: seats.map((section) => readFacts(section === "-" ? [] : section.split(/\s+/))),
  };
}

function readFacts(words: string[]): Facts {
  const facts: Facts = new Map();
  for (const word of words) {
    const [, key, value] = /^([A-Za-z]+)=(.+)$/.exec(word) ?? [];
    if (!key || !value || facts.has(key)) throw new Unreadable(`No fact of a position: ${word}`);
    facts.set(key, value);
  }
  return facts;
}

/** Return the state of a position. Throws Unreadable. */
export function readPosition(rules: Rules, { table, seats }: Section): Words {
  const { module, at, game, texts } = rules;
  const { state: fields, phases } = module.tables;
  const [least, most] = game.seats;
  if (seats.length < least || seats.length > most) throw new Unreadable("There are so many seats in no such game.");
  const state = module.begin(at, 0n, seats.length, readNumber(take(table, "active") ?? "0", seats.length - 1));
  const put = (name: string, ...numbers: number[]): void => state.set(numbers, fields.places[name]!);
  const phase = take(table, "phase");
  if (phase) put("phase", phases.indexOf(phase));
  put("turn", readNumber(take(table, "turn") ?? "1", 9_999));
  take(table, "sheet"); // the rules already use this sheet
  for (const [seat, facts] of seats.entries()) readSeat(rules, state, seat, facts);
  if (game.isCards) readCards(rules, state, table);
  if (module.settle(at, state)) throw new Unreadable("This game is over.");
  const roll = take(table, "roll");
  if (roll && !module.tables.diceLie.includes(state[fields.places.phase!]!))
    throw new Unreadable("No dice lie on the table in this phase.");
  if (roll) put("dice", ...texts.readRoll(roll));
  if (take(table, "crossed") === "yes") put("crossed", 1);
  const first = take(table, "first");
  if (first) put("first_cell", texts.readCell(first));
  if (table.size || seats.some((facts) => facts.size))
    throw new Unreadable("Something of the position cannot be set up here.");
  put("waiting", module.asked(at, state));
  return state;
}

function readSeat(rules: Rules, state: Words, seat: number, facts: Facts): void {
  const { module, game, texts } = rules;
  const { sheet, state: fields } = module.tables;
  const begin = fields.places.sheets! + seat * sheet.words;
  readRows(rules, state, seat, facts);
  const misses = take(facts, "misses");
  if (misses) state[begin + sheet.places.misses!] = readNumber(misses, 9);
  const used = take(facts, "used");
  if (used)
    state[begin + sheet.places.used!] = used
      .split(",")
      .reduce((mask, place) => mask | (1 << (readNumber(place, 31) - 1)), 0);
  take(facts, "struck"); // follows from the locks
  const lucky = take(facts, "lucky");
  if (lucky) state.set(texts.readLucky(lucky), begin + sheet.places.lucky!);
  const hand = take(facts, "hand");
  if (hand && game.isCards) {
    const read = BACKS.test(hand) ? hand.split(",").map((word) => readBack(rules, word)) : texts.readDeck(hand, []);
    const cards = read.sort((one, other) => one - other);
    state[fields.places.held! + seat] = cards.length;
    state.set(cards, fields.places.hands! + seat * module.tables.sizes.HAND);
  }
}

/** Make the crosses, or pawns: of each player on a separate board, because pawns of the other may have come later. */
function readRows({ module, at, game, texts }: Rules, state: Words, seat: number, facts: Facts): void {
  const { sheet, sizes, state: fields } = module.tables;
  const target = game.isDuel ? module.begin(at, 0n, 2, 0) : state;
  for (const [row, { key }] of game.rows.entries()) {
    const words = (take(facts, key) ?? "").split(",").filter(Boolean);
    const isLocked = words.at(-1) === "L";
    for (const word of isLocked ? words.slice(0, -1) : words) {
      const [, value, height = "1"] = /^([0-9]{1,2})(?:x([0-9]{1,2}))?$/.exec(word) ?? [];
      const cell = texts.readCell(`${key}${value}`);
      for (let n = 0; n < Number(height); n++) {
        if (module.lay(at, target, seat, cell)) throw new Unreadable(`This cross cannot be: ${key}${word}`);
      }
    }
    const hasLock = (target[fields.places.sheets! + seat * sheet.words + sheet.places.locks!]! >> row) & 1;
    // In the duel a row may be closed by a player's last pawn, with none for the lock.
    if (hasLock && !isLocked && game.isDuel) module.takeLockBack(target, seat, row);
    else if (Boolean(hasLock) !== isLocked) throw new Unreadable(`The lock goes with the closing cell: ${key}`);
  }
  if (target === state) return;
  const copy = (from: number, length: number): void => state.set(target.subarray(from, from + length), from);
  copy(fields.places.sheets! + seat * sheet.words, sheet.words);
  const cells = sizes.ROWS * sizes.POSITIONS;
  copy(fields.places.board! + seat * cells, cells);
}

/** Read a card seen from behind, such as `?7`. */
function readBack({ module }: Rules, word: string): number {
  const { sizes, cards } = module.tables;
  return cards.indexOf("?") * sizes.TOTALS + readNumber(word.replace(/^\?/, ""), sizes.TOTALS - 1);
}

/** Set the cards as a seat sees them: backs on the table, and the size of the pile. */
function readBacks(rules: Rules, state: Words, display: string, pile: string, discards: number[]): void {
  const { sizes, state: fields } = rules.module.tables;
  const { places } = fields;
  const back = (word: string): number => readBack(rules, word);
  const [, top = "", size = ""] = SEEN_PILE.exec(pile) ?? [];
  const shown = display.split(",").map((word) => (word === "-" ? sizes.NO_CARD : back(word)));
  const count = readNumber(size, sizes.DECK);
  if (shown.length !== sizes.DISPLAY || !count) throw new Unreadable("That is no table as a seat sees it.");
  state.set(shown, places.display!);
  state[places.pile_size!] = count;
  state[places.pile! + count - 1] = back(top);
  state.set(discards, places.discards!);
  state[places.discarded!] = discards.length;
}

/** Set the cards; `*` at the end of the pile means all other cards. */
function readCards(rules: Rules, state: Words, table: Facts): void {
  const { module, at, texts } = rules;
  const { sizes, state: fields } = module.tables;
  const { places } = fields;
  const [shown, stacked] = [take(table, "display") ?? "", take(table, "pile") ?? ""];
  const discards = texts.readDeck(take(table, "discards") ?? "", []);
  if (SEEN_PILE.test(stacked)) return readBacks(rules, state, shown, stacked, discards);
  const display = texts.readDeck(shown, []);
  const seats = state[places.seats!]!;
  const held = Array.from({ length: seats }, (_, seat) => {
    const begin = places.hands! + seat * sizes.HAND;
    return [...state.subarray(begin, begin + state[places.held! + seat]!)];
  }).flat();
  const lying = new Set([...held, ...display, ...discards]);
  const size = module.layoutWords(at, "deck_size", 1)[0]!;
  const whole = [...module.layoutWords(at, "deck", size)].filter((card) => !lying.has(card));
  const pile = texts.readDeck(stacked, whole);
  const all = [...held, ...display, ...discards, ...pile];
  if (display.length !== sizes.DISPLAY || all.length !== size || new Set(all).size !== size)
    throw new Unreadable("Every card of the deck lies somewhere, once.");
  state.set(display, places.display!);
  state.set([...pile].reverse(), places.pile!);
  state[places.pile_size!] = pile.length;
  state.set(discards, places.discards!);
  state[places.discarded!] = discards.length;
}

/** Read and remove a fact; facts that remain at the end are unknown. */
function take(facts: Facts, key: string): string | undefined {
  const found = facts.get(key);
  facts.delete(key);
  return found;
}

function readNumber(text: string, most: number): number {
  const number = Number(text);
  if (!/^[0-9]{1,4}$/.test(text) || number > most) throw new Unreadable(`No number of a position: ${text}`);
  return number;
}
