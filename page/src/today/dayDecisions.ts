/** The decisions of a daily game: what each one cost, and what others chose with the same dice. */
import { dayChoices } from "../connection/httpApi.ts";
import { houses } from "../connection/houses.ts";
import { language, t } from "../words/i18n.svelte.ts";
import { reviewOf } from "../history/reviewText.ts";
import type { Analysis, DayChoices, Decision, Replay } from "../protocol.ts";
import { type DayGame, deviceToken } from "./calendar.ts";

/** One choice of a decision. */
export interface CountedChoice {
  action: string;
  /** How many points it costs against the best choice; null if others could make it and this player could not. */
  loss: number | null;
  /** How many others made it; null if that is not known. */
  players: number | null;
}

/** A decision with a choice. */
export interface DayDecision {
  decision: Decision;
  /** How many others had this decision; 0 if that is not known, or if there were too few. */
  players: number;
  sameSheet: boolean;
  /** The choices to show: what others chose, the best one and the own one. */
  choices: CountedChoice[];
}

export interface DayReview {
  analysis: Analysis;
  replay: Replay;
  /** What others chose; null without a server. */
  others: DayChoices | null;
  decisions: DayDecision[];
}

/** So many choices of a decision are shown, besides the best one and the own one. */
const MOST = 4;

/** Return a daily game with the value of its decisions; the choices of others only from a server that answers. */
export async function reviewDay({ place, code, date, variant }: DayGame): Promise<DayReview> {
  const replay = await houses[place].replay(code);
  const analysis = await reviewOf(houses[place], replay);
  // Afterwards: the server notes the value of this game from the same review.
  const others = place === "server" ? await dayChoices(date, variant, deviceToken()).catch(() => null) : null;
  return { analysis, replay, others, decisions: decisionsOf(analysis, others) };
}

/** Return all decisions that had a choice, in the order of play. */
export function decisionsOf(analysis: Pick<Analysis, "decisions">, others: DayChoices | null): DayDecision[] {
  const known = new Map(others?.decisions.map((each) => [each.step, each]));
  return analysis.decisions
    .filter(({ choices }) => choices.length > 1)
    .map((decision) => {
      const found = known.get(decision.step);
      const counts = new Map(found?.choices.map(({ action, players }) => [action, players]));
      const own = decision.choices.map(({ action, loss }) => ({ action, loss: loss as number | null }));
      const foreign = [...counts.keys()]
        .filter((action) => own.every((each) => each.action !== action))
        .map((action) => ({ action, loss: null }));
      const all = [...own, ...foreign].map((each) => ({
        ...each,
        players: found ? (counts.get(each.action) ?? 0) : null,
      }));
      all.sort((one, other) => (other.players ?? 0) - (one.players ?? 0)); // else the best first
      const choices = all.filter(
        ({ action, players }, place) =>
          action === decision.chosen || action === decision.best || (place < MOST && players !== 0),
      );
      return { decision, players: found?.players ?? 0, sameSheet: found?.sameSheet ?? false, choices };
    });
}

/** So many others are few: they are counted, and more become a percentage. */
const FEW = 10;

/** Return how many of the others made a choice. */
export function shareText(players: number, all: number): string {
  if (all < FEW) return t("today.share.of", { part: players, all });
  return new Intl.NumberFormat(language(), { style: "percent" }).format(players / all);
}
