/** A finished game looked at again: where the values come from, and what is said first. */
import { canPlayHere, here } from "../local/here.ts";
import type { Account, Analysis, Decision, Swing } from "../kernel/analysis.ts";
import { readPlay } from "./actions.ts";
import { analysis } from "./api.ts";
import type { House } from "./house.ts";
import { language, list } from "./i18n.svelte.ts";
import type { Frame, Replay } from "./protocol.ts";
import { actionName, cellLabel } from "./words.ts";

/**
 * Have a game judged. This page does it on its own, also without a network; a server that may have the exact solution is asked
 * about games alone, and does it for browsers that cannot.
 */
export async function reviewOf(house: House, replay: Replay): Promise<Analysis> {
  const isAlone = replay.names.length === 1;
  if (house.place === "server" && (isAlone || !canPlayHere())) {
    const found = await analysis(replay.code).catch((error: unknown) => {
      if (canPlayHere()) return null;
      throw error;
    });
    if (found) return found;
  }
  return here.analyse(await house.record(replay.code));
}

/** The decisions of a seat that lost most; close calls are none of them. */
export function costliest({ decisions }: Analysis, seat: number, most = 3): Decision[] {
  const found = decisions.filter((each) => each.seat === seat && each.grade !== "best" && !each.close);
  return found.sort((one, other) => other.loss - one.loss).slice(0, most);
}

/** How many decisions of a seat were too close to call. */
export function closeCalls({ decisions }: Analysis, seat: number): number {
  return decisions.filter((each) => each.seat === seat && each.close).length;
}

/** What chance did that helped a seat most, and what hurt it most; null where nothing did. */
export function luckOf({ swings }: Analysis, seat: number): { best: Swing; worst: Swing } | null {
  const chances = swings.filter((each) => each.text);
  if (!chances.length) return null;
  const sorted = chances.sort((one, other) => other.luck[seat]! - one.luck[seat]!);
  return { best: sorted[0]!, worst: sorted.at(-1)! };
}

/** What the seat's own decisions and those of the others did, against luck. */
export type Verdict = "skill" | "luck" | "both";

/** Whether luck or what was decided made the difference to a seat, or both: one has to weigh twice as much as the other. */
export function verdictOf({ luck, own, others }: Account): Verdict {
  const [byLuck, bySkill] = [Math.abs(luck), Math.abs(own + others)];
  if (byLuck > 2 * bySkill) return "luck";
  return bySkill > 2 * byLuck ? "skill" : "both";
}

/** The frame in which a window opened, from one of its frames: nobody has decided in it then. */
export function windowStart(frames: readonly Frame[], frame: number): number {
  let at = frame;
  const isSame = (one: Frame, other: Frame): boolean =>
    one.view.phase === other.view.phase && one.view.turn === other.view.turn;
  while (at > 0 && isSame(frames[at - 1]!, frames[at]!)) at--;
  return at;
}

/** A value as it is shown: a chance in percent, alone points; a change has its sign. */
export function valueText({ measure }: Pick<Analysis, "measure">, value: number, isChange = false): string {
  const signDisplay = isChange ? "exceptZero" : "auto";
  const isFine = measure === "points" || (value !== 0 && Math.abs(value) < 0.0295 && !isChange);
  const style = measure === "points" ? "decimal" : "percent";
  const text = new Intl.NumberFormat(language(), { style, signDisplay, maximumFractionDigits: isFine ? 1 : 0 }).format(
    value,
  );
  return text.replace("-", "−");
}

/** What an action means, with all that it crosses. */
export function choiceText(action: string): string {
  const cells = action.startsWith("play:") ? readPlay(action).cells : [];
  return cells.length ? `${actionName(action)} → ${list(cells.map(cellLabel))}` : actionName(action);
}
