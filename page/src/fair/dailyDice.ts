/**
 * The daily dice by the published recipe, for pages without a server: `src/qwixx/fair/daily_dice.py` without its secret.
 * docs/formats.md describes it.
 */
import type { LocalGame } from "../engine/index.ts";
import { facesOf, hashOf } from "./hashDigits.ts";

const PAD = 0;

/** Return the number of a draw: a turn's dice, or a day's lucky numbers. */
export function numberOf(date: string, variant: string, draw: number): bigint {
  return hashOf(`qwixx today ${date} ${variant} ${draw}`);
}

/** Return the dice of a turn as a record writes them. */
export function rollOf(date: string, game: LocalGame): string {
  return game.rollOf(facesOf(numberOf(date, game.variant, game.turn), game.dice));
}

/** Return the lucky numbers of a day, as the start of a game takes them; null in games without any. */
export function luckyOf(date: string, variant: string, pads: readonly string[]): string[] | null {
  return pads.length ? [pads[Number(numberOf(date, variant, PAD) % BigInt(pads.length))]!] : null;
}
