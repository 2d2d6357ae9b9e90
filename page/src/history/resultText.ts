/** Texts about a finished game: who won, why it ended, and the columns of the result. */
import { list, t } from "../words/i18n.svelte.ts";
import type { AnyEvent, Layout, SheetView, View } from "../protocol.ts";
import { extraPoints, signed } from "../play/scoreParts.ts";
import { endingName, rowName, toYou } from "../words/labels.ts";

/** One column of the result: a row of the sheet, what pairs brought, or the misses. */
export interface Column {
  kind: "row" | "extra" | "misses";
  key: string;
  points: (sheet: SheetView) => number;
  /** How many crosses, pawns or misses it took. */
  count: (sheet: SheetView) => number;
}

export function columnsOf(layout: Layout, view: View): Column[] {
  const columns: Column[] = layout.rows.map((row, r) => ({
    kind: "row",
    key: row.key,
    points: (sheet) => sheet.rows[r]!.points,
    count: (sheet) => sheet.rows[r]!.count,
  }));
  if (view.sheets.some((sheet) => extraPoints(layout, sheet) !== 0)) {
    columns.push({ kind: "extra", key: "+", points: (sheet) => extraPoints(layout, sheet), count: () => 0 });
  }
  const lost = (sheet: SheetView): number => -sheet.misses * layout.missPoints;
  return [...columns, { kind: "misses", key: "-", points: lost, count: (sheet) => sheet.misses }];
}

/** The sum of the first columns; the sum of all is the score itself. */
export function countedUp(columns: Column[], sheet: SheetView, counted: number): number {
  if (counted >= columns.length) return sheet.score;
  return columns.slice(0, counted).reduce((sum, column) => sum + column.points(sheet), 0);
}

/** Who has won, in one sentence. */
export function headline(view: View, winners: readonly number[], nameOf: (seat: number) => string): string {
  const n = view.sheets[winners[0] ?? 0]?.score ?? 0;
  const points = { score: signed(n), n };
  if (view.seats === 1) return t("end.solo", points);
  const names = list(winners.map(nameOf));
  return winners.length > 1 ? t("end.tie", { names, ...points }) : t("end.won", { name: names, ...points });
}

/** The row that brought a sheet most, and whether its owner closed it. */
export interface BestRow {
  /** Its place on the sheet. */
  at: number;
  key: string;
  points: number;
  closed: boolean;
}

export function bestRow(sheet: SheetView): BestRow | null {
  const points = Math.max(0, ...sheet.rows.map((row) => row.points));
  const at = sheet.rows.findIndex((row) => row.points === points);
  if (!points || at < 0) return null;
  return { at, key: sheet.rows[at]!.key, points, closed: sheet.rows[at]!.locked };
}

/** The result as a poster tells it: a title, one large number, and a few sentences. */
export interface Verdict {
  mood: "win" | "lose" | "plain";
  title: string;
  /** The large number: the points, or how many are missing. */
  hero: string;
  /** The words right after the number, such as "points short."; empty if the number is the score. */
  unit: string;
  says: string[];
  /** The seat that the poster is about. */
  seat: number;
}

/** How near a lost game was: up to so many points are "so close" and "not far off". */
const CLOSE = 10;
const NEAR = 25;

/**
 * Return what to say about a finished game. `me` is the reader's only seat, null for spectators and for several people on one
 * device; `record` is the reader's best result before, if there is one.
 */
export function verdictOn(
  view: View,
  winners: readonly number[],
  me: number | null,
  nameOf: (seat: number) => string,
  record: number | null = null,
): Verdict {
  const seat = me ?? winners[0] ?? 0;
  const score = view.sheets[seat]?.score ?? 0;
  const facts = { hero: signed(score), unit: "", seat };
  if (view.seats === 1) {
    const isBest = me !== null && record !== null && score > record;
    return {
      ...facts,
      mood: isBest ? "win" : "plain",
      title: t(isBest ? "end.solo.best" : "end.solo.title"),
      says: [],
    };
  }
  const names = list(winners.filter((each) => each !== me).map(nameOf));
  if (!winners.includes(seat)) {
    const missing = (view.sheets[winners[0] ?? 0]?.score ?? 0) - score;
    const how = missing <= CLOSE ? "close" : missing <= NEAR ? "near" : "far";
    return {
      seat,
      mood: "lose",
      title: t(`end.lose.${how}`),
      hero: String(missing),
      unit: t("end.short", { n: missing }),
      says: [`${headline(view, winners, nameOf)}.`],
    };
  }
  const mood = me === null ? "plain" : "win";
  if (winners.length > 1) {
    return { ...facts, mood, title: t("end.win.shared"), says: [me === null ? `${names}.` : t("end.even", { names })] };
  }
  const rest = view.sheets.filter((sheet) => sheet.seat !== seat);
  const next = Math.max(...rest.map((sheet) => sheet.score));
  const seconds = rest.filter((sheet) => sheet.score === next).map((sheet) => nameOf(sheet.seat));
  const title = me === null ? t("end.win.of", { name: nameOf(seat) }) : t("end.win.title");
  return { ...facts, mood, title, says: [t("end.ahead", { n: score - next, names: list(seconds) })] };
}

/** Praise for the reader's own sheet, in one sentence; empty if there is nothing to praise. */
export function praiseOf(sheet: SheetView): string {
  const best = bestRow(sheet);
  if (!best) return "";
  return t(best.closed ? "end.row.closed" : "end.row.best", { row: rowName(best.key), n: best.points });
}

/** Why the game ended, and whose doing it was. */
export function endingText(
  layout: Layout,
  view: View,
  story: readonly AnyEvent[],
  me: number | null,
  nameOf: (seat: number) => string,
): string {
  const ending = view.ending ?? "rows";
  if (ending === "rows") return rowsText(view, nameOf);
  const seat =
    ending === "misses" ? lastMiss(layout, view, story) : view.sheets.find((sheet) => sheet.pawnsLeft === 0)?.seat;
  if (seat === undefined) return t(`ending.${ending}`);
  return seat === me ? t(`ending.${ending}.you`) : t(`ending.${ending}.by`, { name: nameOf(seat) });
}

/** Return whose miss ended the game: the seat with all misses; where all share the boxes, the last one that missed. */
function lastMiss(layout: Layout, view: View, story: readonly AnyEvent[]): number | undefined {
  const own = view.sheets.find((sheet) => sheet.misses >= layout.misses)?.seat;
  const told = story.findLast((event) => event.e === "missed");
  return own ?? (told?.e === "missed" ? told.seat : undefined);
}

function rowsText(view: View, nameOf: (seat: number) => string): string {
  const keys = view.sheets[0]?.rows.map((row) => row.key) ?? [];
  const closers = (r: number): string[] =>
    view.sheets.filter((sheet) => sheet.rows[r]!.locked).map((sheet) => nameOf(sheet.seat));
  const shared = keys.flatMap((key, r) =>
    view.closed.includes(key) && closers(r).length ? [`${rowName(key)} (${list(closers(r))})`] : [],
  );
  if (shared.length) return t("ending.rows.by", { rows: list(shared) });
  // Where each player closes their own rows, the player with most locks ended the game.
  const locks = (sheet: SheetView): number => sheet.rows.filter((row) => row.locked).length;
  const most = Math.max(...view.sheets.map(locks));
  const names = view.sheets.filter((sheet) => most > 0 && locks(sheet) === most).map((sheet) => nameOf(sheet.seat));
  return names.length
    ? toYou("ending.rows.own", { name: list(names), names: list(names), n: names.length })
    : endingName("rows", view.closed.length > 0);
}
