/**
 * Position lines (docs/formats.md), read and written.
 *
 * `setup.ts` fills in what a line says, and the kernel checks it. Cards may have the form that one seat sees: `hand=?3,?7` of others,
 * `display=?7,...`, `pile=?4x31`.
 */
import { bits } from "../bits.ts";
import type { Words } from "../module.ts";
import type { Rules } from "../rules.ts";
import type { Setup, SetupSheet } from "../setup.ts";
import type { GameTable } from "../tables.ts";
import { wordsOf } from "./chance.ts";
import { luckyText, Unreadable } from "./notation.ts";

type Facts = Map<string, string>;

/** No line is longer. */
export const MAX_LINE_CHARS = 8192;
const MOST_TURNS = 100_000;

interface Section {
  variant: string;
  table: Facts;
  seats: Facts[];
}

/** Split a line into its parts. Throws Unreadable. */
export function readSections(line: string): Section {
  if (line.length > MAX_LINE_CHARS) throw new Unreadable("That is too long for a position.");
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

/** Read what a line says. Throws Unreadable. */
export function readSetup({ game }: Rules, { variant, table, seats }: Section): Setup {
  const crossed = take(table, "crossed") ?? "";
  const setup: Setup = {
    variant,
    sheet: take(table, "sheet") ?? "",
    active: readNumber(take(table, "active") ?? "0", seats.length - 1),
    turn: readNumber(take(table, "turn") ?? "1", MOST_TURNS),
    phase: take(table, "phase") ?? "",
    roll: take(table, "roll") ?? "",
    crossed: crossed === "yes",
    first: take(table, "first") ?? "",
    choices: listed(take(table, "choices")),
    sheets: seats.map((facts) => readSheet(game, facts)),
    display: game.isCards ? listed(take(table, "display")) : [],
    pile: game.isCards ? listed(take(table, "pile")) : [],
    discards: game.isCards ? listed(take(table, "discards")) : [],
  };
  if (table.size || (crossed && crossed !== "yes") || seats.some((facts) => facts.size))
    throw new Unreadable("Something of the position cannot be set up here.");
  return setup;
}

function readSheet(game: GameTable, facts: Facts): SetupSheet {
  const sheet = {
    cells: {} as Record<string, number>,
    misses: readNumber(take(facts, "misses") ?? "0", 9),
    used: listed(take(facts, "used")).map((place) => readNumber(place, 31)),
    lucky: game.lucky.length ? (take(facts, "lucky") ?? "") : "",
    hand: game.isCards ? listed(take(facts, "hand")) : [],
    locks: [] as string[],
  };
  take(facts, "struck"); // follows from the locks
  for (const { key } of game.rows) {
    const words = listed(take(facts, key));
    if (words.at(-1) === "L") sheet.locks.push(key);
    for (const word of words.at(-1) === "L" ? words.slice(0, -1) : words) {
      const [, value = "", height = "1"] = /^([0-9]{1,2})(?:x([0-9]{1,2}))?$/.exec(word) ?? [];
      const name = `${key}${Number(value)}`;
      if (!value || name in sheet.cells || (!game.isDuel && height !== "1") || !Number(height))
        throw new Unreadable(`That is no cross: ${key}${word}`);
      sheet.cells[name] = Number(height);
    }
  }
  // In the duel a row may be closed by a player's last pawn, with none for the lock.
  const bare = game.isDuel ? game.rows.flatMap(({ key }) => (sheet.locks.includes(key) ? [] : [key])) : [];
  return { ...sheet, bare };
}

/** Write a position as its line. */
export function writePosition(rules: Rules, state: Words): string {
  const { module, game, texts, views } = rules;
  const { phases, diceLie, over, sizes } = module.tables;
  const word = (name: string): number => wordsOf(rules, state, name, 1)[0]!;
  const [phase, seats] = [word("phase"), word("seats")];
  const dice = wordsOf(rules, state, "dice", sizes.COLORS + 2);
  const choices = Array.from({ length: seats }, (_, seat) => views.choice(state, seat) ?? "-");
  const deck = (cards: number[]): string => texts.deck(cards);
  const [size, discarded] = [word("pile_size"), word("discarded")];
  const isDealt = game.isCards && size + discarded > 0;
  const table: [string, string | false][] = [
    ["active", String(word("active"))],
    ["phase", phases[phase]!],
    ["turn", word("turn") !== 1 && String(word("turn"))],
    ["sheet", game.isCards && game.sheet !== "classic" && game.sheet],
    ["roll", (diceLie.includes(phase) || (phase === over && dice[0]! > 0)) && !game.isCards && texts.roll(dice)],
    ["crossed", word("crossed") !== 0 && "yes"],
    ["first", game.isDuel && word("first_cell") >= 0 && texts.cell(word("first_cell"))],
    ["choices", choices.some((choice) => choice !== "-") && choices.join()],
    ["display", isDealt && deck(wordsOf(rules, state, "display", sizes.DISPLAY))],
    ["pile", isDealt && deck(wordsOf(rules, state, "pile", size).reverse())],
    ["discards", isDealt && deck(wordsOf(rules, state, "discards", discarded).sort((one, other) => one - other))],
  ];
  const sections = Array.from({ length: seats }, (_, seat) => written(writeSheet(rules, state, seat)) || "-");
  return [`${game.id} ${written(table)}`, ...sections].join(" | ");
}

function writeSheet({ module, game, views, texts }: Rules, state: Words, seat: number): [string, string | false][] {
  const { sheet, state: fields } = module.tables;
  const at = fields.places.sheets! + seat * sheet.words;
  const view = views.view(state, null).sheets[seat]!;
  const mask = (name: string): string =>
    bits(state[at + (sheet.places[name] ?? -1)] ?? 0)
      .map((place) => place + 1)
      .join();
  const rows = view.rows.map(({ key, crosses, heights, locked }): [string, string] => {
    const marks = crosses.map((value, place) => `${value}${heights[place]! > 1 ? `x${heights[place]}` : ""}`);
    return [key, [...marks, ...(locked ? ["L"] : [])].join()];
  });
  const lucky = game.lucky.length ? sheet.places.lucky! : -1;
  return [
    ...rows,
    ["misses", view.misses > 0 && String(view.misses)],
    ["used", mask("used")],
    ["struck", mask("struck")],
    ["lucky", lucky >= 0 && luckyText(state[at + lucky]!, state[at + lucky + 1]!)],
    ["hand", game.isCards && texts.deck(views.held(state, seat))],
  ];
}

function written(facts: [string, string | false][]): string {
  return facts.flatMap(([key, text]) => (text ? [`${key}=${text}`] : [])).join(" ");
}

function listed(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(",");
}

/** Read and remove a fact; facts that remain at the end are unknown. */
function take(facts: Facts, key: string): string | undefined {
  const found = facts.get(key);
  facts.delete(key);
  return found;
}

function readNumber(text: string, most: number): number {
  const number = Number(text);
  if (!/^[0-9]{1,6}$/.test(text) || number > most) throw new Unreadable(`No number of a position: ${text}`);
  return number;
}
