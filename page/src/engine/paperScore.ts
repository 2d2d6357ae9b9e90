/** Scores paper sheets. An impossible cross is left out and reported, so that the rest can still be scored. */
import type { View } from "../protocol.ts";
import type { Rules } from "./rules.ts";
import { bits } from "./bits.ts";
import { checkAll, layOut, type PaperSheet, type Problem } from "./setup.ts";

export type { PaperSheet };

export interface Paper {
  variant: string;
  sheet: string;
  sheets: PaperSheet[];
}

export interface Counted {
  /** The table as the rules see it, with points row by row. */
  view: View;
  winners: number[];
  /** What is impossible on the sheets. */
  slips: Problem[];
}

/** The problems of a sheet; others are about the moment of a game, which paper does not have. */
const OF_PAPER = ["shared", "pawns", "misses", "bar"];

/** Score the sheets of a table. Missing seats get empty sheets, which are removed from the result. */
export function countPaper(rules: Rules, sheets: PaperSheet[]): Counted {
  const { module, at, game } = rules;
  const state = module.begin(at, 0n, Math.max(game.seats[0], sheets.length), 0);
  const slips = sheets.flatMap((sheet, seat) => layOut(rules, state, seat, sheet));
  for (const problem of checkAll(rules, state)) {
    // Players need not have marked the bar.
    const isUnmarked = problem.name === "bar" && !sheets[problem.about]?.used.length;
    if (OF_PAPER.includes(problem.name) && !isUnmarked) slips.push(problem);
  }
  const view = rules.views.view(state, null);
  view.sheets = view.sheets.slice(0, sheets.length);
  view.seats = sheets.length;
  return { view, winners: bits(module.winners(view.sheets.map((sheet) => sheet.score)), sheets.length), slips };
}
