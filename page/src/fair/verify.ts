/**
 * Verifies that all chance of a game follows from the promised seed: `src/qwixx/fair/commitment.py`, step by step.
 * docs/formats.md describes it.
 */
import { isRefusal, type Kernel, type LocalGame } from "../engine/index.ts";
import { digitsOf, facesOf, hashOf, hexOf } from "./hashDigits.ts";
import { sealOf } from "./sealedWords.ts";

const FIRST = 0;
const PADS = 1;
const THROWS = 2;
const REMARK = /^# fair: (promise|seed|words|seals|lucky) (\S.*)$/;
const CHANCE = /^(roll|deal|shuffle) (.+)$/;

/** The result: the promise was kept, with so many rolls and deals; it was broken; or there is nothing to check. */
export type Verdict = { is: "kept"; throws: number } | { is: "broken" } | { is: "unknown" };

interface Fair {
  seed: string;
  words: string[];
}

/** Return the hash of a seed, which is shown before the game. */
export function promiseOf(seed: string): string {
  return hexOf(`qwixx promise ${seed}`);
}

/** Return the number of a draw, which determines its outcome. */
export function numberOf({ seed, words }: Fair, draw: number): bigint {
  const half = (name: string) => hashOf(`${seed} ${draw} ${name} ${JSON.stringify(words)}`);
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

/** Return the roll or deal that is due at this point of the game. */
function drawOf(fair: Fair, game: LocalGame, before: number): string {
  const draw = THROWS + before;
  if (game.phase !== "roll") return shuffled(fair, draw, game.cards()).join(",");
  return game.rollOf(facesOf(numberOf(fair, draw), game.dice));
}

/** Return whether all words are the sealed ones, or left out; records of older versions have no seals. */
function isSealed(words: string[], seals: string[]): boolean {
  return (
    !seals.length || (seals.length === words.length && words.every((text, at) => !text || sealOf(text) === seals[at]))
  );
}

/**
 * Verify a record against the promise that was shown before the game, or against its own.
 *
 * `noted` are the seals that this device saw before it opened its own words; null if it opened none.
 */
export function verifyRecord(kernel: Kernel, record: string, promise: string, noted: string[] | null): Verdict {
  const lines = record.split("\n").filter(Boolean);
  const said: Partial<Record<string, string>> = Object.fromEntries(
    lines.flatMap((line) => {
      const [, name, text] = REMARK.exec(line) ?? [];
      return name ? [[name, text]] : [];
    }),
  );
  const game = kernel.replay(record);
  if (!said.seed || isRefusal(game)) return { is: "unknown" };
  const fair = { seed: said.seed, words: JSON.parse(said.words ?? "[]") as string[] };
  const seals = JSON.parse(said.seals ?? "[]") as string[];
  const entry = kernel.catalogue.games.find(({ id }) => id === game.variant)!;
  const first = lines.findIndex((line) => CHANCE.test(line));
  const fact = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1);
  const pads = shuffled(fair, PADS, entry.luckyPads).slice(0, game.seats).join(" ");
  const isOpened =
    promiseOf(fair.seed) === (promise || said.promise) &&
    isSealed(fair.words, seals) &&
    String(noted ?? seals) === String(seals) &&
    fact("first") === String(digitsOf(numberOf(fair, FIRST), [game.seats])[0]) &&
    (!pads || said.lucky === "chosen" || fact("lucky") === pads);
  let throws = 0;
  for (let at = first; isOpened && at >= 0 && at < lines.length; at++) {
    const [, word, text] = CHANCE.exec(lines[at]!) ?? [];
    if (!word || !text) continue;
    const before = lines.slice(0, at);
    const there = kernel.replay(`${before.join("\n")}\n`);
    if (isRefusal(there)) return { is: "unknown" };
    // A record sorts hands, since the order of cards has no meaning: so both are compared as the record writes them.
    const due = kernel.replay(`${[...before, `${word} ${drawOf(fair, there, throws)}`].join("\n")}\n`);
    if (isRefusal(due) || due.lastStep !== `${word} ${text}`) return { is: "broken" };
    throws += 1;
  }
  return isOpened ? { is: "kept", throws } : { is: "broken" };
}
