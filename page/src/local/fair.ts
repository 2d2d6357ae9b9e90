/**
 * Whether all chance of a game follows from the seed that was promised: `src/qwixx/fair.py`, step by step.
 * docs/formats.md describes it.
 */
import { isRefusal, type Kernel, type LocalGame } from "../kernel/index.ts";
import { sha256 } from "./sha256.ts";

const FIRST = 0;
const PADS = 1;
const THROWS = 2;
const COLORS = "rygb";
const KINDS = `${COLORS}j`;
const REMARK = /^# fair: (promise|seed|words|lucky) (\S.*)$/;
const CHANCE = /^(roll|deal|shuffle) (.+)$/;

/** What became of a promise: kept, with so many throws; broken; or there is nothing to check. */
export type Verdict = { is: "kept"; throws: number } | { is: "broken" } | { is: "unknown" };

interface Fair {
  seed: string;
  words: string[];
}

/** The hash of a seed, shown before the game. */
export function promiseOf(seed: string): string {
  return sha256(`qwixx promise ${seed}`).toString(16).padStart(64, "0");
}

/** The digits of a draw's number from its end, each to its own base. */
export function digitsOf({ seed, words }: Fair, draw: number, bases: readonly number[]): number[] {
  const half = (name: string) => sha256(`${seed} ${draw} ${name} ${JSON.stringify(words)}`);
  let rest = (half("a") << 256n) | half("b");
  return bases.map((base) => {
    const digit = Number(rest % BigInt(base));
    rest /= BigInt(base);
    return digit;
  });
}

function shuffled<T>(fair: Fair, draw: number, things: readonly T[]): T[] {
  const order = [...things];
  const places = order.map((_, place) => place).slice(1).reverse();
  const digits = digitsOf(fair, draw, places.map((place) => place + 1));
  places.forEach((place, at) => {
    const other = digits[at]!;
    [order[place], order[other]] = [order[other]!, order[place]!];
  });
  return order;
}

/** A card's place in a deck: color by color, then by number. */
function placeOf(card: string): number {
  return KINDS.indexOf(card[0]!) * 100 + Number(card.slice(1));
}

/** What chance has to do where a game stands; `said` is what it did, whose cards are those of the deck. */
function throwOf(fair: Fair, game: LocalGame, before: number, sides: number, said: string): string {
  const draw = THROWS + before;
  if (game.phase === "deal") return shuffled(fair, draw, said.split(",").sort((a, b) => placeOf(a) - placeOf(b))).join(",");
  const view = game.reveal();
  if (game.phase === "shuffle") return shuffled(fair, draw, view.discards).join(",");
  const faces = digitsOf(fair, draw, Array<number>(2 + COLORS.length).fill(sides)).map((digit) => digit + 1);
  const colors = [...COLORS].map((color, at) => (view.gone.includes(color) ? "-" : faces[2 + at]));
  return `${faces[0]}${faces[1]}/${colors.join("")}`;
}

/** Check a record against a promise that was seen before the game, or against its own. */
export function verdictOn(kernel: Kernel, record: string, promise: string): Verdict {
  const lines = record.split("\n").filter(Boolean);
  const said = Object.fromEntries(lines.flatMap((line) => [REMARK.exec(line)?.slice(1) ?? []]).filter((pair) => pair.length));
  const game = kernel.replay(record);
  if (!said.seed || isRefusal(game)) return { is: "unknown" };
  const fair = { seed: said.seed, words: JSON.parse(said.words ?? "[]") as string[] };
  const entry = kernel.catalogue.games.find(({ id }) => id === game.variant)!;
  const first = lines.findIndex((line) => CHANCE.test(line));
  const fact = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const pads = shuffled(fair, PADS, entry.luckyPads).slice(0, game.seats).join(" ");
  const isOpened =
    promiseOf(fair.seed) === (promise || said.promise) &&
    fact("first") === String(digitsOf(fair, FIRST, [game.seats])[0]) &&
    (!pads || said.lucky === "chosen" || fact("lucky") === pads);
  let throws = 0;
  for (let at = first; isOpened && at >= 0 && at < lines.length; at++) {
    const [, word, text] = CHANCE.exec(lines[at]!) ?? [];
    if (!word || !text) continue;
    const before = lines.slice(0, at);
    const there = kernel.replay(`${before.join("\n")}\n`);
    if (isRefusal(there)) return { is: "unknown" };
    // A record sorts hands, since the order in which cards came says nothing: so both are compared as it writes them.
    const due = kernel.replay(`${[...before, `${word} ${throwOf(fair, there, throws, entry.sides, text)}`].join("\n")}\n`);
    if (isRefusal(due) || due.lastStep !== `${word} ${text}`) return { is: "broken" };
    throws += 1;
  }
  return isOpened ? { is: "kept", throws } : { is: "broken" };
}
