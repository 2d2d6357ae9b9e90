/** The game that the sheet of the start page plays: a few turns of one seat, in classic. A test checks them against the rules. */
export interface HeroTurn {
  /** The white dice. */
  dice: readonly [number, number];
  /** The cells that their sum can cross. */
  lit: readonly string[];
  /** The one that is crossed. */
  cross: string;
}

/**
 * The rows as far as they can be seen, and the cell that closes each. They are drawn before the games are known; a test compares
 * them with the sheet.
 */
export const HERO_ROWS: readonly { key: string; seen: readonly number[]; last: number }[] = [
  { key: "r", seen: [2, 3, 4, 5, 6, 7, 8, 9], last: 12 },
  { key: "y", seen: [2, 3, 4, 5, 6, 7, 8, 9], last: 12 },
  { key: "g", seen: [12, 11, 10, 9, 8, 7, 6, 5], last: 2 },
  { key: "b", seen: [12, 11, 10, 9, 8, 7, 6, 5], last: 2 },
];

/** The crossed cells when the page opens. */
export const HERO_BEGIN: readonly string[] = ["r2", "r3", "r5", "y3", "y4", "g12", "g10", "g9", "g8", "b11"];

export const HERO_TURNS: readonly HeroTurn[] = [
  { dice: [4, 3], lit: ["r7", "y7", "g7", "b7"], cross: "g7" },
  { dice: [2, 4], lit: ["r6", "y6", "g6", "b6"], cross: "r6" },
  { dice: [4, 1], lit: ["y5", "g5", "b5"], cross: "y5" },
  { dice: [6, 4], lit: ["r10", "y10", "b10"], cross: "b10" },
  { dice: [3, 3], lit: ["y6", "g6", "b6"], cross: "y6" },
  { dice: [5, 4], lit: ["r9", "y9", "b9"], cross: "b9" },
  { dice: [3, 5], lit: ["r8", "y8", "b8"], cross: "b8" },
  { dice: [1, 1], lit: ["g2"], cross: "g2" },
];
