/** One line that says what the game waits for, from a seat's point of view. */
import { actionName } from "./words.ts";
import { diceOf } from "./actions.ts";
import { askedId } from "./hints.ts";
import { list, t } from "./i18n.svelte.ts";
import type { State, View } from "./protocol.ts";

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
  if (view.phase === "over") return t(`ending.${view.ending ?? "rows"}`);
  const owing = view.deciders.filter((decider) => decider !== seat || !own || choice !== null);
  const waiting = owing.length ? t("status.waiting", { names: list(owing.map(nameOf)) }) : "";
  if (own && choice) return [t("status.chosen", { choice: actionName(choice) }), waiting].filter(Boolean).join(" ");
  if (own && view.deciders.includes(seat)) return t(askedId(view, seat, whiteSum(view)), { sum: whiteSum(view), n: takeSize, name: nameOf(view.active) });
  if (view.phase === "roll") {
    const rollers = state.rollers.map(nameOf);
    return rollers.length ? t("status.rolling", { names: list(rollers) }) : t("status.roll", { name: nameOf(view.active) });
  }
  return waiting || t("status.pause");
}

function whiteSum(view: View): number {
  if (view.number !== null) return view.number;
  const [first = 0, second = 0] = diceOf(view.dice);
  return (first ?? 0) + (second ?? 0);
}
