/** The colors by their letters, in the order of their dice in a roll. */
import { TABLE } from "../protocol.ts";

export const COLORS = TABLE.dice.filter((die) => die !== "w").join("");
