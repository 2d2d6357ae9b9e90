/** What a table tells when only a part of its state has changed. */
import type { Change, State } from "./protocol.ts";

/** The state after a change: all that it does not speak of is as it was. */
export function changed(state: State, { view: news, mine, ...rest }: Change): State {
  const { sheets = [], ...facts } = news;
  const seats = state.view.sheets.map((old) => sheets.find(({ seat }) => seat === old.seat) ?? old);
  const view = { ...state.view, ...facts, sheets: seats };
  return { ...rest, t: "state", view, mine: { ...state.mine, ...mine } };
}
