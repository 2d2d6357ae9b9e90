/** Labels and sentences for codes: cells, cards, events, refusals. */
import { COLORS } from "./colors.ts";
import { readPlay, split, tieRowOf } from "../engine/text/actionText.ts";
import { has, language, list, t } from "./i18n.svelte.ts";
import { rowNumber } from "./rowNumber.ts";
import type { AnyEvent, SeatInfo, SheetView } from "../protocol.ts";
import type { FeedItem, Reply } from "../house.ts";

/** A row within a sentence: "the red row", or "row 1" where the colors are mixed. */
export function rowName(key: string): string {
  return COLORS.includes(key) ? t(`row.${key}`) : t("row.mixed", { row: rowNumber(key) });
}

/** A row on a label: "Red row", or "Row 1". */
export function rowLabel(key: string): string {
  return sentence(rowShortLabel(key));
}

/** A row within a label: "red row", or "row 1". */
export function rowShortLabel(key: string): string {
  return COLORS.includes(key) ? t(`row.label.${key}`) : t("row.label.mixed", { row: rowNumber(key) });
}

/** A cell within a sentence: "red 7", or "7 in row 1". */
export function cellName(cell: string): string {
  const { key, value } = split(cell);
  return COLORS.includes(key) ? t(`cell.${key}`, { value }) : t("cell.mixed", { row: rowNumber(key), value });
}

/** A cell on a label, outside of sentences: "red 7", or "7 in row 1". */
export function cellLabel(cell: string): string {
  const { key, value } = split(cell);
  return COLORS.includes(key)
    ? t("cell.label", { color: t(`color.${key}`), value })
    : t("cell.label.mixed", { row: rowNumber(key), value });
}

/** A card: "red 7", or "joker 7". */
export function cardName(card: string): string {
  const { key, value } = split(card);
  return key === "j" ? t("card.joker", { value }) : t("cell.label", { color: t(`color.${key}`), value });
}

/** Why a game is over: rows close for all, or in the card games for one player each; then no row is closed for all. */
export function endingName(ending: string, isClosedForAll: boolean): string {
  return ending === "rows" && !isClosedForAll ? t("ending.rows.one") : t(`ending.${ending}`);
}

/** A whole sheet as text, for screen readers: rows with crosses, locks, misses, points. */
export function sheetText(sheet: SheetView, closed: readonly string[]): string {
  const rows = sheet.rows.map((row) => {
    const taken = sheet.pawnsLeft === null ? t("lock.crossed") : t("lock.pawn");
    const state = row.locked ? taken : closed.includes(row.key) ? t("lock.closed") : "";
    const crosses = row.crosses.map((value, i) =>
      (row.heights[i] ?? 1) > 1 ? `${value} (${row.heights[i]})` : String(value),
    );
    return [`${rowLabel(row.key)}: ${crosses.length ? crosses.join(" ") : t("row.empty")}`, state]
      .filter(Boolean)
      .join(", ");
  });
  const rest = [t("miss.some", { n: sheet.misses }), t("score.points", { n: sheet.score })];
  return [...rows, ...rest].map(sentence).join(". ") + ".";
}

/** The numbers of a hand as text, for screen readers; empty without cards. */
export function handText(sheet: SheetView): string {
  return sheet.backs.length ? sentence(t("card.backs", { numbers: sheet.backs.join(" ") })) + "." : "";
}

/** Return an action in words. */
export function actionName(action: string): string {
  if (action === "pass") return t("choice.pass");
  if (action.startsWith("take:")) return t("choice.take", { places: list(action.slice(5).split(",")) });
  if (action.startsWith("play:"))
    return t("choice.play", { cards: list(action.slice(5).split("=")[0]!.split(",").map(cardName)) });
  return cellLabel(action);
}

/** Return a choice in words, with the row of its bonus, and the cells that its cards cross. */
export function choiceName(action: string): string {
  const tie = tieRowOf(action);
  if (tie) return t("advice.tie", { cell: cellLabel(action), row: rowName(tie) });
  if (!action.startsWith("play:")) return actionName(action);
  const { cards, cells } = readPlay(action);
  const named = list(cards.map(cardName));
  return cells.length ? t("advice.play", { cards: named, cells: list(cells.map(cellLabel)) }) : named;
}

/** Events without a line in the feed: the screen shows them in other ways. */
const SILENT = new Set<AnyEvent["e"]>(["decided", "phase", "turn"]);

/** Return a line of the event feed, null for an event without one; `beside` are the other events of the moment. */
export function eventText(
  { event, by }: Pick<FeedItem, "event" | "by">,
  nameOf: (seat: number) => string,
  spoken = false,
  beside: readonly Pick<FeedItem, "event">[] = [],
): string | null {
  const id = event.e === "rolled" && by !== null ? "event.rolled.by" : `event.${event.e}`;
  if (SILENT.has(event.e) || !has(id)) return null;
  const seat = "seat" in event ? nameOf(event.seat) : by !== null ? nameOf(by) : "";
  return sentence(toYou(id, { name: seat, n: 0, ...details(event, spoken, beside) }));
}

/** Return a text about a player; to the reader, whom the screen calls "You", it speaks in the second person. */
export function toYou(id: string, values: { name: string; [value: string]: string | number }): string {
  return t(values.name === t("name.you") && has(`${id}.you`) ? `${id}.you` : id, values);
}

function details(
  event: AnyEvent,
  spoken: boolean,
  beside: readonly Pick<FeedItem, "event">[],
): Record<string, string | number> {
  const found: Record<string, string | number> = {};
  if ("cell" in event) found.cell = cellName(event.cell);
  if ("row" in event) found.row = rowName(event.row);
  if ("color" in event) found.color = t(`color.${event.color}`);
  if ("roll" in event) found.roll = rollText(event.roll, spoken);
  if ("number" in event) found.number = event.number;
  if ("barCell" in event) found.place = event.barCell;
  if ("kind" in event) found.pair = effectText(event.kind);
  if ("ending" in event)
    found.ending = endingName(
      event.ending,
      beside.some((other) => other.event.e === "closed"),
    );
  if (event.e === "played") found.cards = list(event.cards.map(cardName));
  if (event.e === "took") found.numbers = list(event.numbers.map(String));
  return found;
}

/** Return the white sum; for screen readers all dice. */
function rollText(roll: string, spoken: boolean): string {
  const [whites = "", colors = ""] = roll.split("/");
  const words = [...colors]
    .map((face, i) => (face === "-" ? "" : `${t(`color.${COLORS[i]}`)} ${face}`))
    .filter(Boolean);
  const named = t("dice.white", {
    dice: [...whites].join(" + "),
    n: [...whites].reduce((sum, face) => sum + Number(face), 0),
  });
  return words.length && spoken ? `${named}; ${words.join(", ")}` : named;
}

/** Return why something is refused, in one sentence. */
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
  if (facts.seconds != null) values.n = facts.seconds;
  // The first sentence for which the server sent all placeholders.
  const ids = [
    ...["crossed", "have", "number", "sum"].map((fact) => `why.${reply.code}.${fact}`),
    `why.${reply.code}`,
    `error.${reply.code}`,
  ];
  for (const id of ids) {
    if (!has(id) || (id.endsWith(".crossed") && !facts.crossed)) continue;
    const text = t(id, { code: reply.code, ...values });
    if (!/\{\w+\}/.test(text)) return sentence(text);
  }
  return t("error.unknown", { code: reply.code });
}

/** Return an effect, given by its word in a sheet file, as the end of a sentence: "13 more points". */
export function effectText(word: string): string {
  const [, name = "", n = ""] = /^(.+?)(?:-(\d+))?$/.exec(word) ?? [];
  return t(`effect.${name}`, { n });
}

/** Return a text with a capital first letter. */
export function sentence(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language()) + text.slice(1);
}

/** Return the level of a bot, with a word about one that lacks its net. */
export function levelName({ level, plain }: Pick<SeatInfo, "level" | "plain">): string {
  const name = t(`level.${level ?? "normal"}`);
  return plain ? t("level.plain", { level: name }) : name;
}
