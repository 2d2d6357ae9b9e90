/**
 * The share text of a daily result. It contains no spoiler: only the number of crosses of each row, the longest first, without
 * color, number or turn. So it reveals nothing about the dice.
 */
import { t } from "../words/i18n.svelte.ts";
import type { SheetView } from "../protocol.ts";
import { signed } from "../play/scoreParts.ts";

const CROSS = "🟩";
const LOCK = "🔒";
const MISS = "🟥";

/** A line for each row with crosses, and one for the misses. */
export function squaresOf(
  sheet: Pick<SheetView, "misses"> & { rows: Pick<SheetView["rows"][number], "crosses" | "locked">[] },
): string[] {
  const rows = sheet.rows
    .map(({ crosses, locked }) => ({ crosses: crosses.length, locked: Number(locked) }))
    .sort((a, b) => b.crosses + b.locked - (a.crosses + a.locked) || b.locked - a.locked);
  const lines = rows.map(({ crosses, locked }) => CROSS.repeat(crosses) + LOCK.repeat(locked));
  return [...lines, MISS.repeat(sheet.misses)].filter(Boolean);
}

interface Shared {
  variant: string;
  date: string;
  score: number;
  squares: readonly string[];
}

/** The whole text, with a link for those who want to play it, too. */
export function sharedText({ variant, date, score, squares }: Shared, link: string): string {
  const head = t("today.shared", { game: t(`game.${variant}`), date });
  return [head, t("end.solo", { score: signed(score), n: score }), ...squares, link].join("\n");
}
