/** Three facts about a result beside earlier ones of this device: the personal best, the streak or the wins, and the best row. */
import { t } from "../words/i18n.svelte.ts";
import type { SheetView } from "../protocol.ts";
import { signed } from "../play/scoreParts.ts";
import { rowShortLabel } from "../words/labels.ts";
import { contests, type Result, summary } from "./ownResults.ts";
import { bestRow } from "./resultText.ts";

export interface Fact {
  id: "best" | "streak" | "row";
  number: string;
  text: string;
}

/** Return the best result before; null without one. */
export function recordOf(earlier: readonly Result[]): number | null {
  return earlier.length ? Math.max(...earlier.map((each) => each.score)) : null;
}

/** Return the facts about a result; `earlier` are the results of the same game before it. */
export function factsOf(result: Result, sheet: SheetView, earlier: readonly Result[]): Fact[] {
  const row = rowFact(sheet, earlier);
  return [bestFact(result, earlier), playFact(result, earlier), ...(row ? [row] : [])];
}

function bestFact({ score }: Result, earlier: readonly Result[]): Fact {
  const record = recordOf(earlier);
  const fact = { id: "best", number: signed(score) } as const;
  if (record === null) return { ...fact, text: t("end.fact.first") };
  if (score > record) return { ...fact, text: t("end.fact.best", { best: signed(record) }) };
  return { ...fact, text: score === record ? t("end.fact.equal") : t("end.fact.below", { n: record - score }) };
}

function playFact(result: Result, earlier: readonly Result[]): Fact {
  const all = [...earlier, result];
  const { games, average } = summary(result.variant, all);
  if (result.seats === 1) {
    return { id: "streak", number: signed(Math.round(average)), text: t("end.fact.average", { n: games }) };
  }
  const against = contests(all);
  const { streak, wins } = summary(result.variant, against);
  if (streak) return { id: "streak", number: String(streak), text: t("end.fact.streak", { n: streak }) };
  return { id: "streak", number: String(wins), text: t("end.fact.wins", { n: against.length }) };
}

function rowFact(sheet: SheetView, earlier: readonly Result[]): Fact | null {
  const best = bestRow(sheet);
  if (!best) return null;
  const before = earlier.flatMap((each) => each.rows?.[best.key] ?? []);
  const isNew = before.length > 0 && before.every((points) => points < best.points);
  const row = rowShortLabel(best.key);
  return {
    id: "row",
    number: String(best.points),
    text: isNew ? t("end.fact.row.new", { row }) : t("end.fact.row", { row }),
  };
}
