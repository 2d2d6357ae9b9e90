/**
 * Context help: a sentence about anything on the table, and the id of the rule that says more.
 *
 * An element names its topic in `data-help`, such as `lock:r` or `cell:g7`. The sentences explain what the sheet and the view show;
 * every number in them comes from the layout.
 */
import { split } from "../engine/text/actionText.ts";
import { DICE } from "./cellNotes.ts";
import { t } from "../words/i18n.svelte.ts";
import type { GameEntry, Layout, SheetView, View } from "../protocol.ts";
import { extraPoints } from "./scoreParts.ts";
import { cellName, effectText, rowLabel, rowName, sentence } from "../words/labels.ts";

export interface Scene {
  game: GameEntry;
  layout: Layout;
  view: View;
  /** Whose sheet is in front. */
  seat: number;
}

export interface Help {
  text: string;
  /** The id of the rule. */
  rule: string;
}

/** Rule ids by topic. Games of one kind share most of them. */
interface Rules {
  crossing: string;
  closing: string;
  closed: string;
  miss: string;
  score: string;
  white: string;
  color: string;
}

const DICE_GAME: Rules = {
  crossing: "C1",
  closing: "C7",
  closed: "C8",
  miss: "C6",
  score: "C12",
  white: "C3",
  color: "C4",
};

function rulesOf({ game, layout }: Scene): Rules {
  if (game.duel)
    return { crossing: "D2", closing: "D7", closed: "D7", miss: "D6", score: "D9", white: "D5", color: "D5" };
  const mixed: Partial<Rules> = isMixed(layout)
    ? { score: "G4", ...(game.flow === "dice" && { closed: "G3", color: "G2" }) }
    : {};
  if (game.flow === "cards") return { ...DICE_GAME, closing: "K7", closed: "K7", miss: "K6", ...mixed };
  return game.luckyPads.length ? { ...DICE_GAME, closing: "L2", score: "L3" } : { ...DICE_GAME, ...mixed };
}

/** Whether rows have several colors each; such rows are named by letters. */
function isMixed(layout: Layout): boolean {
  return layout.rows.some((row) => /[A-Z]/.test(row.key));
}

/** Return the id of the rule about what the game waits for now. */
export function ruleNow(game: GameEntry, layout: Layout, view: View | null): string {
  if (!view) return "";
  const rules = rulesOf({ game, layout, view, seat: 0 });
  const found: Record<string, string> = {
    roll: "C2",
    white: rules.white,
    color: rules.color,
    deal: "K2",
    draw: "K3",
    shuffle: "K3",
    number: "K4",
    play: "K5",
    over: rules.score,
  };
  return found[view.phase] ?? "";
}

/** Return the help for a topic; null if the topic is unknown. */
export function helpFor(topic: string, scene: Scene): Help | null {
  const [kind = "", name = ""] = topic.split(":");
  const sheet = scene.view.sheets.find((each) => each.seat === scene.seat);
  return sheet ? (TOPICS[kind]?.(name, scene, sheet) ?? null) : null;
}

type Topic = (name: string, scene: Scene, sheet: SheetView) => Help | null;

const say = (rule: string, id: string, values: Record<string, string | number> = {}): Help => ({
  text: sentence(t(id, values)),
  rule,
});

const TOPICS: Record<string, Topic> = {
  cell: aboutCell,
  lock: aboutLock,
  bar: aboutBar,
  pair: aboutMark,
  misses: (_, scene) => {
    const { missPoints, misses } = scene.layout;
    return say(rulesOf(scene).miss, scene.game.duel ? "help.misses.pawn" : "help.misses", {
      cost: missPoints,
      most: misses,
    });
  },
  row: aboutRow,
  extra: (_, { layout }, sheet) =>
    say("BB1", "help.extra", { points: t("score.points", { n: extraPoints(layout, sheet) }) }),
  total: (_, scene) => say(rulesOf(scene).score, "help.total"),
  lucky: (_, __, { lucky: [first = 0, second = 0] }) => say("L4", "help.lucky", { first, second }),
  pawns: () => say("D8", "help.pawns"),
  die: aboutDie,
  display: () => say("K2", "help.display"),
  pile: () => say("K4", "help.pile"),
  card: (card) => (card.startsWith("j") ? say("K9", "help.card.joker") : say("K5", "help.card")),
};

function aboutCell(name: string, scene: Scene): Help | null {
  const { game, layout, view } = scene;
  const rules = rulesOf(scene);
  const { key, value } = split(name);
  const row = layout.rows.find((each) => each.key === key);
  const place = row?.cells.findIndex((cell) => cell.value === value) ?? -1;
  if (!row || place < 0) return null;
  const said = { cell: cellName(name), value };
  const mark = layout.marks[row.cells[place]!.pair];
  if (mark) return aboutMark(mark.word, scene);
  if (row.cells[place]!.boxed) return say("BA2", "help.boxed");
  const height = Math.max(0, ...view.sheets.map((sheet) => heightOn(sheet, key, value)));
  if (game.duel && height) return height > 1 ? say("D4", "help.stack") : say("D3", "help.pawn");
  if (place >= row.closesFrom)
    return say(rules.closing, game.duel ? "help.closing.pawn" : "help.closing", {
      ...said,
      need: layout.closingCrosses,
    });
  const id = game.duel ? "help.cell.pawn" : game.flow === "cards" ? "help.cell.cards" : "help.cell";
  return say(rules.crossing, id, said);
}

function aboutMark(word: string, { layout }: Scene): Help {
  const mark = Object.values(layout.marks).find((each) => each.word === word);
  return { text: `${sentence(effectText(word))}.${mark?.inPairs ? ` ${t("help.pair")}` : ""}`, rule: mark?.rule ?? "" };
}

function heightOn(sheet: SheetView, key: string, value: number): number {
  const row = sheet.rows.find((each) => each.key === key);
  const at = row?.crosses.indexOf(value) ?? -1;
  return at < 0 ? 0 : (row!.heights[at] ?? 1);
}

function aboutLock(key: string, scene: Scene, sheet: SheetView): Help {
  const { game, layout, view } = scene;
  const rules = rulesOf(scene);
  const color = t(`color.${layout.rows.find((row) => row.key === key)?.lock ?? "w"}`);
  if (view.closed.includes(key)) return say(rules.closed, "help.lock.closed", { color });
  if (game.flow !== "cards") return say(rules.closing, game.duel ? "help.lock.pawn" : "help.lock");
  return say(
    rules.closing,
    sheet.rows.some((row) => row.key === key && row.locked) ? "help.lock.yours" : "help.lock.own",
  );
}

function aboutBar(name: string, { layout }: Scene, sheet: SheetView): Help {
  const place = Number(name);
  if (sheet.used.includes(place)) return say("BA2", "help.bar.used");
  if (sheet.struck.includes(place)) return say("BA4", "help.bar.struck");
  const row = layout.rows.find((each) => each.lock === layout.bar[place - 1]);
  return say("BA2", "help.bar", { place, row: rowName(row?.key ?? "") });
}

function aboutRow(key: string, scene: Scene, sheet: SheetView): Help {
  const { layout, view } = scene;
  const row = sheet.rows.find((each) => each.key === key);
  const count = row?.count ?? 0;
  const next = row?.locked || view.closed.includes(key) ? undefined : layout.points[count];
  const values = {
    row: rowLabel(key),
    marks: t(layout.pawns ? "score.pawns" : "score.crosses", { n: count }),
    points: t("score.points", { n: row?.points ?? 0 }),
  };
  if (next === undefined) return say(rulesOf(scene).score, "help.row.full", values);
  return say(rulesOf(scene).score, "help.row", { ...values, next: t("score.points", { n: next }) });
}

function aboutDie(name: string, scene: Scene): Help {
  const { game, layout, view } = scene;
  const rules = rulesOf(scene);
  const color = DICE[Number(name)] ?? "w";
  if (color === "w") return say(rules.white, game.duel ? "help.white.duel" : "help.white");
  if (view.gone.includes(color)) return say(rules.closed, "help.die.gone");
  if (isMixed(layout)) return say(rules.color, "help.die.mixed");
  return say(rules.color, game.duel ? "help.die.duel" : "help.die", {
    row: rowName(layout.rows.find((row) => row.lock === color)?.key ?? ""),
  });
}
