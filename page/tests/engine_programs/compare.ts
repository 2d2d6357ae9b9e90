/**
 * Play games that Python has played, and compare everything at every step.
 *
 * A script has the steps and, for each step, a checksum of all texts of Python about the game.
 * `tests/support/page/wasm_script.py` writes the scripts, and the same texts.
 */
import { isRefusal, type BeginOptions, type Kernel, type LocalGame, type Refusal } from "../../src/engine/index.ts";
import type { PageGame } from "../../src/engine/game.ts";

export interface ScriptGame {
  options: { variant: string; seats: number; sheet?: string; first?: number; lucky?: string[]; seed: string };
  /** "" for chance, "=34/2615" for given dice or a given deck, "0 r7" for a decision. */
  moves: string[];
  /** Texts to ask about; most of them are refused. */
  pool: string[];
  players: string[];
  checksums: number[];
  record: number;
  frames: number;
}

/** A record that may contain errors, and the line of the first one by Python, 0 if it is valid. */
export interface ScriptRecord {
  text: string;
  line: number;
}

/** A game to start, and whether Python starts it. */
export interface ScriptWish {
  options: BeginOptions;
  isGood: boolean;
}

export interface Script {
  games: ScriptGame[];
  records: ScriptRecord[];
  wishes: ScriptWish[];
}

export interface Difference {
  game: number;
  step: number;
  text: string;
}

const SAVED_EVERY = 16;
const POOLED = 3;

/** Play a script; return the number of compared positions, and the first difference. */
export async function compare(kernel: Kernel, script: Script): Promise<{ positions: number; difference: unknown }> {
  for (const { options, players } of script.games) {
    for (const player of players) await kernel.prepare(player, options.variant, options.seats, options.sheet);
  }
  const { positions, difference } = compareGames(kernel, script.games);
  const wish = script.wishes.find(({ options, isGood }) => isRefusal(kernel.begin(options)) === isGood);
  const record = script.records.find(({ text, line }) => lineOf(kernel.replay(text)) !== line);
  return {
    positions,
    difference: difference ?? wish ?? (record && { ...record, found: kernel.replay(record.text) }) ?? null,
  };
}

function lineOf(found: LocalGame | Refusal): unknown {
  return isRefusal(found) ? found.details.line : 0;
}

function compareGames(kernel: Kernel, games: ScriptGame[]): { positions: number; difference: Difference | null } {
  let positions = 0;
  for (const [index, script] of games.entries()) {
    let game = begin(kernel, script);
    let done: unknown = [];
    for (let step = 0; ; step++) {
      const text = allTexts(game, script, step, done);
      if (checksum(text) !== script.checksums[step]) return { positions, difference: { game: index, step, text } };
      positions++;
      if (step % SAVED_EVERY === SAVED_EVERY - 1) game = restored(kernel, game);
      if (step === script.moves.length) break;
      done = move(game, script.moves[step]!);
    }
    const record = game.record();
    if (checksum(record) !== script.record) return { positions, difference: { game: index, step: -1, text: record } };
    const frames = script.frames ? JSON.stringify(kernel.frames(record)) : "";
    if (script.frames && checksum(frames) !== script.frames) {
      return { positions, difference: { game: index, step: -2, text: frames } };
    }
  }
  return { positions, difference: null };
}

function begin(kernel: Kernel, { options }: ScriptGame): PageGame {
  const game = kernel.begin({ ...options, seed: BigInt(options.seed) });
  if (isRefusal(game)) throw new Error(`${JSON.stringify(options)} is refused`);
  return game as PageGame;
}

function restored(kernel: Kernel, game: PageGame): PageGame {
  const found = kernel.restore(game.save());
  if (isRefusal(found)) throw new Error(`a saved game is refused: ${JSON.stringify(found)}`);
  return found as PageGame;
}

function move(game: PageGame, text: string): unknown {
  if (text === "") return game.roll();
  if (text.startsWith("=")) return game.setRoll(text.slice(1));
  const seat = Number(text[0]);
  const copy = game.copy(); // changes of a copy must not change the game
  copy.decide(seat, text.slice(2));
  return game.decide(seat, text.slice(2));
}

/** Return all texts about a game. */
function allTexts(game: PageGame, script: ScriptGame, step: number, done: unknown): string {
  const seats = game.seats;
  const watcher = step % (seats + 1);
  const seat = step % seats;
  const deciders = game.deciders();
  const asked = Array.from({ length: POOLED }, (_, n) => script.pool[(step * POOLED + n) % script.pool.length]!);
  const player = script.players[step % script.players.length];
  return [
    String(crc(new Uint8Array(game.words().buffer))),
    JSON.stringify(done),
    JSON.stringify(Array.from({ length: seats }, (_, each) => game.legal(each))),
    JSON.stringify(game.view(watcher === seats ? null : watcher)),
    JSON.stringify(asked.map((text) => refused(game, seat, text))),
    JSON.stringify(deciders.slice(0, 1).map((each) => (player === undefined ? "" : game.choose(player, each)))),
    JSON.stringify(game.mine(seat)),
    JSON.stringify([game.scores(), game.outcome(), deciders, game.phase, game.turn, game.active, game.lastStep]),
  ].join("\n");
}

/** Ask why something is refused; try it, too: it must change nothing. */
function refused(game: PageGame, seat: number, pattern: string): unknown {
  if (pattern.startsWith("=")) {
    const found = game.copy().setRoll(pattern.slice(1));
    return isRefusal(found) ? found : null;
  }
  const hand = pattern.includes("{") ? (game.view(seat).sheets[seat]!.hand ?? []) : [];
  const text = pattern.replace(/\{([0-4])\}/g, (_, place: string) => hand[Number(place)] ?? "r4");
  const found = game.whyNot(seat, text);
  if (found) game.decide(seat, text);
  return found;
}

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The checksum of an ASCII text, as in zlib. */
function checksum(text: string): number {
  return crc(new TextEncoder().encode(text));
}

function crc(bytes: Uint8Array): number {
  let value = -1;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 0xff]! ^ (value >>> 8);
  return (value ^ -1) >>> 0;
}
