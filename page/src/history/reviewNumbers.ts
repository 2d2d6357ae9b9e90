/**
 * Skill and luck of a seat as numbers from 0 to 99; docs/analysis.md explains them.
 *
 * Skill is the accuracy of the decisions: 99 without a loss, and half of that if every decision lost as much as a mistake does.
 * Luck is a percentile: of a hundred games with chances as large as in this one, so many would have been less lucky.
 */
import type { Analysis, ValueBreakdown } from "../protocol.ts";

const MOST = 99;
/** With this factor the logistic curve follows the normal distribution within one percent. */
const SLOPE = 1.702;

/** Return the skill of a seat; null if it never had a choice. */
export function skillOf({ accuracy }: Pick<ValueBreakdown, "accuracy">): number | null {
  return accuracy === null ? null : Math.min(MOST, Math.round(accuracy));
}

/**
 * Return the luck of a seat. The effects of all rolls and cards have a mean of zero and do not depend on each other, so their sum is
 * compared with the root of the sum of their squares.
 */
export function luckNumber({ swings }: Pick<Analysis, "swings">, seat: number): number {
  const effects = swings.map((swing) => swing.luck[seat] ?? 0);
  const spread = Math.sqrt(effects.reduce((sum, effect) => sum + effect ** 2, 0));
  if (!spread) return 50;
  const total = effects.reduce((sum, effect) => sum + effect, 0);
  return Math.min(MOST, Math.floor(100 / (1 + Math.exp((-SLOPE * total) / spread))));
}
