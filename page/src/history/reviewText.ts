/** The review of a finished game: where its values come from, and its summary. */
import { canPlayLocally, localHouse } from "../local/localHouse.ts";
import { readPlay } from "../engine/text/actionText.ts";
import { analysis } from "../connection/httpApi.ts";
import { tokensOf } from "../connection/knownTables.ts";
import type { House } from "../house.ts";
import { language, list, t } from "../words/i18n.svelte.ts";
import type { Analysis, Decision, Frame, Replay, ValueBreakdown, ValueChange } from "../protocol.ts";
import { actionName, cellLabel } from "../words/labels.ts";
import { luckNumber, skillOf } from "./reviewNumbers.ts";

/**
 * Return the analysis of a game. The page computes it itself, also offline. The server is asked for solitaire games, for which it may
 * have the exact solution, and by browsers that cannot run the rules.
 */
export async function reviewOf(house: House, replay: Replay): Promise<Analysis> {
  const isAlone = replay.names.length === 1;
  if (house.place === "server" && (isAlone || !canPlayLocally())) {
    const found = await analysis(replay.code, tokensOf(replay.code)).catch((error: unknown) => {
      if (canPlayLocally()) return null;
      throw error;
    });
    if (found) return found;
  }
  return localHouse.analyse(await house.record(replay.code));
}

/** Return the most costly decisions of a seat, without close calls. */
export function costliest({ decisions }: Analysis, seat: number, most = 3): Decision[] {
  const found = decisions.filter((each) => each.seat === seat && each.grade !== "best" && !each.close);
  return found.sort((one, other) => other.loss - one.loss).slice(0, most);
}

/** Return how many decisions of a seat were close calls. */
export function closeCalls({ decisions }: Analysis, seat: number): number {
  return decisions.filter((each) => each.seat === seat && each.close).length;
}

/** Return the luckiest and the unluckiest event of a seat; null if there is none. */
export function luckOf({ swings }: Analysis, seat: number): { best: ValueChange; worst: ValueChange } | null {
  const chances = swings.filter((each) => each.text);
  if (!chances.length) return null;
  const sorted = chances.sort((one, other) => other.luck[seat]! - one.luck[seat]!);
  return { best: sorted[0]!, worst: sorted.at(-1)! };
}

/** The cause of the result: decisions, luck, or both. */
export type Cause = "skill" | "luck" | "both";

/** Return whether luck or decisions made the difference for a seat: one has to be twice as large as the other. */
export function causeOf({ luck, own, others }: ValueBreakdown): Cause {
  const [byLuck, bySkill] = [Math.abs(luck), Math.abs(own + others)];
  if (byLuck > 2 * bySkill) return "luck";
  return bySkill > 2 * byLuck ? "skill" : "both";
}

/** The reader of a review: the seat that it is about, and whether the reader played it. */
export interface Subject {
  seat: number;
  isMe: boolean;
  name: string;
}

/** Return the headline of a review. A winner is praised, and a loser hears first what was good. */
export function headlineOf(
  analysis: Analysis,
  winners: readonly number[],
  { seat, isMe, name }: Subject,
  flow: "dice" | "cards",
  nameOf: (seat: number) => string,
): string {
  const skill = (each: number): number => skillOf(analysis.accounts[each]!) ?? 0;
  if (analysis.seats === 1) {
    const own = skill(0);
    return own >= 90 ? t("review.alone.great") : own >= 75 ? t("review.alone.good") : t("review.lose.both");
  }
  const seats = analysis.accounts.map((account) => account.seat);
  const isBest = seats.every((each) => skill(each) <= skill(seat));
  const of = isMe ? "" : ".of";
  if (winners.includes(seat)) {
    if (winners.length > 1) return t("review.win.tie");
    const cause = isBest ? "skill" : causeOf(analysis.accounts[seat]!);
    return cause === "both" ? t("review.win.both") : t(`review.win.${cause}${of}`, { name });
  }
  // Luck is named only where it cost more than the decisions did.
  if (!isBest) {
    const isLuck = luckNumber(analysis, seat) < 50 && causeOf(analysis.accounts[seat]!) === "luck";
    return t(isLuck ? "review.lose.luck" : "review.lose.both");
  }
  const luckiest = seats.reduce((one, other) =>
    luckNumber(analysis, other) > luckNumber(analysis, one) ? other : one,
  );
  const decided = t(isMe ? "review.lose.skill" : "review.lose.skill.of", { name });
  return luckiest === seat ? decided : `${decided} ${t(`review.luckiest.${flow}`, { name: nameOf(luckiest) })}`;
}

/** Return the frame in which a decision window opened, before any seat has decided. */
export function windowStart(frames: readonly Frame[], frame: number): number {
  let at = frame;
  const isSame = (one: Frame, other: Frame): boolean =>
    one.view.phase === other.view.phase && one.view.turn === other.view.turn;
  while (at > 0 && isSame(frames[at - 1]!, frames[at]!)) at--;
  return at;
}

/** Return a value as text: win probability in percent, points in solitaire; a change with its sign. */
export function valueText({ measure }: Pick<Analysis, "measure">, value: number, isChange = false): string {
  const signDisplay = isChange ? "exceptZero" : "auto";
  const isFine = measure === "points" || (value !== 0 && Math.abs(value) < 0.0295 && !isChange);
  const style = measure === "points" ? "decimal" : "percent";
  const text = new Intl.NumberFormat(language(), { style, signDisplay, maximumFractionDigits: isFine ? 1 : 0 }).format(
    value,
  );
  return text.replace("-", "−");
}

/** Return an action in words, with all cells that it crosses. */
export function choiceText(action: string): string {
  const cells = action.startsWith("play:") ? readPlay(action).cells : [];
  return cells.length ? `${actionName(action)} → ${list(cells.map(cellLabel))}` : actionName(action);
}
