/**
 * The published recipe of a day's dice, for pages without a server: `src/qwixx/server/recipe.py` without its secret.
 * docs/formats.md describes it.
 */
import { sha256 } from "./sha256.ts";

const PAD = 0;
const COLORS = "rygb";
const DICE = 2 + COLORS.length;

function number(date: string, variant: string, draw: number): bigint {
  return sha256(`qwixx today ${date} ${variant} ${draw}`);
}

/** What all dice of a turn show: the last digits of its number, to the base of a die's sides. */
export function facesOf(date: string, variant: string, turn: number, sides: number): number[] {
  let rest = number(date, variant, turn);
  return Array.from({ length: DICE }, () => {
    const face = 1 + Number(rest % BigInt(sides));
    rest /= BigInt(sides);
    return face;
  });
}

/** The dice of a turn as a record writes them; those that have left stay away. */
export function rollOf(date: string, variant: string, turn: number, sides: number, gone: readonly string[]): string {
  const faces = facesOf(date, variant, turn, sides);
  const colors = [...COLORS].map((color, i) => (gone.includes(color) ? "-" : faces[2 + i]));
  return `${faces[0]}${faces[1]}/${colors.join("")}`;
}

/** The lucky numbers of a day, as the opening of a game takes them; null where there are none. */
export function luckyOf(date: string, variant: string, pads: readonly string[]): string[] | null {
  return pads.length ? [pads[Number(number(date, variant, PAD) % BigInt(pads.length))]!] : null;
}
