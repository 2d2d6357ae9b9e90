/**
 * The published recipe of a day's dice, for pages without a server: `src/qwixx/server/recipe.py` without its secret.
 * docs/formats.md describes it.
 */
import type { LocalGame } from "../kernel/index.ts";
import { facesOf } from "./digits.ts";
import { sha256 } from "./sha256.ts";

const PAD = 0;

/** The number of a draw: a turn's dice, or a day's lucky numbers. */
export function numberOf(date: string, variant: string, draw: number): bigint {
  return sha256(`qwixx today ${date} ${variant} ${draw}`);
}

/** The dice of a game's turn as a record writes them. */
export function rollOf(date: string, game: LocalGame): string {
  return game.rollOf(facesOf(numberOf(date, game.variant, game.turn), game.dice));
}

/** The lucky numbers of a day, as the opening of a game takes them; null where there are none. */
export function luckyOf(date: string, variant: string, pads: readonly string[]): string[] | null {
  return pads.length ? [pads[Number(numberOf(date, variant, PAD) % BigInt(pads.length))]!] : null;
}
