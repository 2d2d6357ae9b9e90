/**
 * Whether all chance of a game follows from the seed that was promised: `src/qwixx/fair.py`, step by step.
 * docs/formats.md describes it.
 */
import { isRefusal, type Kernel, type LocalGame } from "../kernel/index.ts";
import { digitsOf, facesOf } from "./digits.ts";
import { sha256 } from "./sha256.ts";

const FIRST = 0;
const PADS = 1;
const THROWS = 2;
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

/** The number of a draw, from which everything in it follows. */
export function numberOf({ seed, words }: Fair, draw: number): bigint {
  const half = (name: string) => sha256(`${seed} ${draw} ${name} ${JSON.stringify(words)}`);
  return (half("a") << 256n) | half("b");
}

function shuffled<T>(fair: Fair, draw: number, things: readonly T[]): T[] {
  const order = [...things];
  const places = order
    .map((_, place) => place)
    .slice(1)
    .reverse();
  const digits = digitsOf(
    numberOf(fair, draw),
    places.map((place) => place + 1),
  );
  places.forEach((place, at) => {
    const other = digits[at]!;
    [order[place], order[other]] = [order[other]!, order[place]!];
  });
  return order;
}

/** What chance has to do where a game stands. */
function throwOf(fair: Fair, game: LocalGame, before: number): string {
  const draw = THROWS + before;
  if (game.phase !== "roll") return shuffled(fair, draw, game.cards()).join(",");
  return game.rollOf(facesOf(numberOf(fair, draw), game.dice));
}

/** Check a record against a promise that was seen before the game, or against its own. */
export function verdictOn(kernel: Kernel, record: string, promise: string): Verdict {
  const lines = record.split("\n").filter(Boolean);
  const said = Object.fromEntries(
    lines.flatMap((line) => [REMARK.exec(line)?.slice(1) ?? []]).filter((pair) => pair.length),
  );
  const game = kernel.replay(record);
  if (!said.seed || isRefusal(game)) return { is: "unknown" };
  const fair = { seed: said.seed, words: JSON.parse(said.words ?? "[]") as string[] };
  const entry = kernel.catalogue.games.find(({ id }) => id === game.variant)!;
  const first = lines.findIndex((line) => CHANCE.test(line));
  const fact = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const pads = shuffled(fair, PADS, entry.luckyPads).slice(0, game.seats).join(" ");
  const isOpened =
    promiseOf(fair.seed) === (promise || said.promise) &&
    fact("first") === String(digitsOf(numberOf(fair, FIRST), [game.seats])[0]) &&
    (!pads || said.lucky === "chosen" || fact("lucky") === pads);
  let throws = 0;
  for (let at = first; isOpened && at >= 0 && at < lines.length; at++) {
    const [, word, text] = CHANCE.exec(lines[at]!) ?? [];
    if (!word || !text) continue;
    const before = lines.slice(0, at);
    const there = kernel.replay(`${before.join("\n")}\n`);
    if (isRefusal(there)) return { is: "unknown" };
    // A record sorts hands, since the order in which cards came says nothing: so both are compared as it writes them.
    const due = kernel.replay(`${[...before, `${word} ${throwOf(fair, there, throws)}`].join("\n")}\n`);
    if (isRefusal(due) || due.lastStep !== `${word} ${text}`) return { is: "broken" };
    throws += 1;
  }
  return isOpened ? { is: "kept", throws } : { is: "broken" };
}
