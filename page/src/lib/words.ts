/** Codes into the reader's language: cells, cards, events, refusals. */
import { split } from "./actions.ts";
import { has, language, list, t } from "./i18n.svelte.ts";
import type { AnyEvent, SheetView } from "./protocol.ts";
import type { FeedItem } from "./story.ts";
import type { Reply } from "./table.svelte.ts";

const COLORS = "rygb";

/** "red", or "A" for a row of mixed colors. */
export function rowName(key: string): string {
  return COLORS.includes(key) ? t(`color.${key}`) : t("row.mixed", { row: key });
}

/** "red 7", or "7 in row A". */
export function cellName(cell: string): string {
  const { key, value } = split(cell);
  return COLORS.includes(key) ? t("cell.named", { row: t(`color.${key}`), value }) : t("cell.mixed", { row: key, value });
}

/** "red 7", or "joker 7". */
export function cardName(card: string): string {
  const { key, value } = split(card);
  return t("cell.named", { row: key === "j" ? t("card.joker") : t(`color.${key}`), value });
}

/** A whole sheet in one breath, for those who do not see the drawing: rows with crosses, locks, misses, points. */
export function sheetText(sheet: SheetView, closed: readonly string[]): string {
  const rows = sheet.rows.map((row) => {
    const state = row.locked ? t("lock.crossed") : closed.includes(row.key) ? t("lock.closed") : "";
    const crosses = row.crosses.map((value, i) => ((row.heights[i] ?? 1) > 1 ? `${value} (${row.heights[i]})` : String(value)));
    return [`${rowName(row.key)}: ${crosses.length ? crosses.join(" ") : t("row.empty")}`, state].filter(Boolean).join(", ");
  });
  const rest = [t("miss.some", { n: sheet.misses }), t("score.points", { n: sheet.score })];
  return [...rows, ...rest].map(sentence).join(". ") + ".";
}

/** What an action means, for the reader. */
export function actionName(action: string): string {
  if (action === "pass") return t("choice.pass");
  if (action.startsWith("take:")) return t("choice.take", { places: list(action.slice(5).split(",")) });
  if (action.startsWith("play:")) return t("choice.play", { cards: list(action.slice(5).split("=")[0]!.split(",").map(cardName)) });
  return cellName(action);
}

/** Events that tell nothing a reader would miss: they show on the screen in other ways. */
const SILENT = new Set<AnyEvent["e"]>(["decided", "phase", "turn"]);

/** One line of the story, null for an event that needs none. */
export function eventText({ event, by }: Pick<FeedItem, "event" | "by">, nameOf: (seat: number) => string, spoken = false): string | null {
  const id = event.e === "rolled" && by !== null ? "event.rolled.by" : `event.${event.e}`;
  if (SILENT.has(event.e) || !has(id)) return null;
  const seat = "seat" in event ? nameOf(event.seat) : by !== null ? nameOf(by) : "";
  return sentence(t(id, { name: seat, n: 0, ...details(event, spoken) }));
}

function details(event: AnyEvent, spoken: boolean): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  if ("cell" in event) found.cell = cellName(event.cell);
  if ("row" in event) found.row = rowName(event.row);
  if ("color" in event) found.color = t(`color.${event.color}`);
  if ("roll" in event) found.roll = rollText(event.roll, spoken);
  if ("number" in event) found.number = event.number;
  if ("barCell" in event) found.place = event.barCell;
  if ("kind" in event) found.pair = t(`pair.${event.kind}`);
  if ("ending" in event) found.ending = t(`ending.${event.ending}`);
  if (event.e === "played") found.cards = list(event.cards.map(cardName));
  if (event.e === "took") found.numbers = list(event.numbers.map(String));
  return found;
}

/** The white sum; for those who do not see the dice, all of them. */
function rollText(roll: string, spoken: boolean): string {
  const [whites = "", colors = ""] = roll.split("/");
  const words = [...colors].map((face, i) => (face === "-" ? "" : `${t(`color.${COLORS[i]}`)} ${face}`)).filter(Boolean);
  const named = t("dice.white", { dice: [...whites].join(" + "), n: [...whites].reduce((sum, face) => sum + Number(face), 0) });
  return words.length && spoken ? `${named}; ${words.join(", ")}` : named;
}

/** Why something is refused, in one sentence. */
export function replyText(reply: Reply): string {
  const facts = reply.details ?? {};
  const action = reply.t === "why" ? reply.action : String(facts.action ?? "");
  const values: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(facts)) values[name] = value ?? "";
  const cell = String(facts.cell ?? action);
  if (/^[A-Za-z]+\d+/.test(cell)) {
    values.cell = cellName(cell);
    values.row = rowName(String(facts.row ?? split(cell).key));
  } else if (facts.row) {
    values.row = rowName(String(facts.row));
  }
  if (typeof facts.color === "string") values.color = t(`color.${facts.color}`);
  // The first sentence for which the server sent everything that it speaks of.
  const ids = [`why.${reply.code}.number`, `why.${reply.code}.sum`, `why.${reply.code}`, `error.${reply.code}`];
  for (const id of ids) {
    if (!has(id)) continue;
    const text = t(id, { code: reply.code, ...values });
    if (!/\{\w+\}/.test(text)) return sentence(text);
  }
  return t("error.unknown", { code: reply.code });
}

/** A sentence begins with a capital, also when it begins with a color. */
export function sentence(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}
