/** Texts about a finished game: who won, why it ended, and the columns of the result. */
import { list, t } from "../words/i18n.svelte.ts";
import type { AnyEvent, Layout, SheetView, View } from "../protocol.ts";
import { extraPoints, signed } from "../play/scoreParts.ts";
import { endingName, rowName } from "../words/labels.ts";

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

/** What the first columns add up to; all of them are the score itself. */
export function countedUp(columns: Column[], sheet: SheetView, counted: number): number {
  if (counted >= columns.length) return sheet.score;
  return columns.slice(0, counted).reduce((sum, column) => sum + column.points(sheet), 0);
}

/** The place of a seat: 1 for the most points; equal points share a place. */
export function placeOf(view: View, seat: number): number {
  const score = view.sheets[seat]?.score ?? 0;
  return 1 + view.sheets.filter((sheet) => sheet.score > score).length;
}

/** Who has won. `me` is the reader's only seat, null for spectators and for several people on one device. */
export function headline(
  view: View,
  winners: readonly number[],
  me: number | null,
  nameOf: (seat: number) => string,
): string {
  const points = pointsOf(view, winners[0] ?? 0);
  if (view.seats === 1) return t("end.solo", points);
  const others = winners.filter((seat) => seat !== me).map(nameOf);
  if (me !== null && winners.includes(me)) {
    return others.length ? t("end.you.tie", { names: list(others), ...points }) : t("end.you.won", points);
  }
  return winners.length > 1
    ? t("end.tie", { names: list(others), ...points })
    : t("end.won", { name: others[0] ?? "", ...points });
}

/** A seat's points: written, and as the number that chooses between the forms for one and for many. */
function pointsOf(view: View, seat: number): { score: string; n: number } {
  const n = view.sheets[seat]?.score ?? 0;
  return { score: signed(n), n };
}

/** Where the reader ended, if not at the top. */
export function standing(view: View, winners: readonly number[], me: number | null): string {
  if (me === null || view.seats === 1 || winners.includes(me)) return "";
  return t("end.you.place", { place: placeOf(view, me), seats: view.seats, ...pointsOf(view, me) });
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
    ? t("ending.rows.own", { names: list(names), n: names.length })
    : endingName("rows", view.closed.length > 0);
}
