/** Announced closings (C14): which rows players will close in the open window, and what the player in front may still do. */
import { list, t } from "../words/i18n.svelte.ts";
import { rowName } from "../words/labels.ts";
import type { State } from "../protocol.ts";

/** Return the seats that will close a row, by row. */
export function announcedRows({ announced = {} }: State): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [seat, rows] of Object.entries(announced))
    for (const row of rows) found.set(row, [...(found.get(row) ?? []), Number(seat)]);
  return found;
}

/** Return what was announced, from the point of view of a seat; empty if nothing was. */
export function announcedText(
  state: State,
  seat: number,
  choice: string | null,
  nameOf: (seat: number) => string,
): string {
  const { announced = {}, mine } = state;
  const own = mine[seat] ? (announced[seat] ?? []) : [];
  const said = own.length ? [t("announced.own", { rows: rowList(own) })] : [];
  const others = new Map<string, string[]>();
  for (const [place, rows] of Object.entries(announced)) {
    if (own.length && Number(place) === seat) continue;
    const key = rowList(rows);
    others.set(key, [...(others.get(key) ?? []), nameOf(Number(place))]);
  }
  for (const [rows, names] of others) said.push(t("announced.by", { n: names.length, names: list(names), rows }));
  if (others.size && !own.length && mine[seat]) {
    const rows = announcedRows(state);
    const mineToo = new Set(
      Object.values(mine[seat].closes)
        .flat()
        .filter((row) => rows.has(row)),
    );
    if (mineToo.size) said.push(t("announced.join", { n: mineToo.size }));
    else if (choice !== null) said.push(t("announced.change"));
  }
  return said.join(" ");
}

function rowList(rows: string[]): string {
  return list(rows.map(rowName));
}
