/** The status line: what the game waits for, from the point of view of a seat. */
import { actionName, endingName, toYou } from "../words/labels.ts";
import { diceOf } from "../engine/text/actionText.ts";
import { statusId } from "./cellNotes.ts";
import { list, t } from "../words/i18n.svelte.ts";
import type { SeatState, State, View } from "../protocol.ts";
import { settings } from "../device/settings.svelte.ts";

export interface Moment {
  state: State;
  view: View;
  seat: number;
  /** Whether the seat is played on this device. */
  own: boolean;
  choice: string | null;
  takeSize: number;
  nameOf: (seat: number) => string;
}

export function statusText({ state, view, seat, own, choice, takeSize, nameOf }: Moment): string {
  if (view.phase === "over") return endingName(view.ending ?? "rows", view.closed.length > 0);
  const owing = view.deciders.filter((decider) => decider !== seat || !own);
  const waiting = owing.length ? t("status.waiting", { names: list(owing.map(nameOf)) }) : "";
  if (own && choice) return [t("status.chosen", { choice: actionName(choice) }), waiting].filter(Boolean).join(" ");
  const mine = state.mine[seat];
  if (own && mine && view.deciders.includes(seat))
    return isStuck(mine)
      ? stuckText(view, mine)
      : t(statusId(view, seat, whiteSum(view)), { sum: whiteSum(view), n: takeSize, name: nameOf(view.active) });
  if (view.phase === "roll") {
    const rollers = state.rollers.map(nameOf);
    return rollers.length
      ? t("status.rolling", { names: list(rollers) })
      : toYou("status.roll", { name: nameOf(view.active) });
  }
  return waiting || t("status.pause");
}

/** Whether passing is the only legal action. */
function isStuck({ legal }: SeatState): boolean {
  return legal.length > 0 && legal.every((action) => action === "pass");
}

/** Say that nothing can be crossed, and what follows from that. */
function stuckText(view: View, { passMiss, passCost }: SeatState): string {
  const why = t(view.phase === "color" ? "stuck.color" : "stuck.white", { sum: whiteSum(view) });
  if (passMiss) return `${why} ${passCost ? t("stuck.miss", { n: passCost }) : t("stuck.miss.free")}`;
  return settings.autoPass ? `${why} ${t("stuck.passing")}` : why;
}

function whiteSum(view: View): number {
  if (view.number !== null) return view.number;
  const [first = 0, second = 0] = diceOf(view.dice);
  return (first ?? 0) + (second ?? 0);
}
