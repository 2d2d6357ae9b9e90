/** Deltas: the message of a table when only a part of its state has changed. */
import type { StateChange, State } from "../protocol.ts";

/** Return the state after a delta; everything that the delta does not name stays the same. */
export function applyDelta(state: State, { view: news, mine, ...rest }: StateChange): State {
  const { sheets = [], ...facts } = news;
  const seats = state.view.sheets.map((old) => sheets.find(({ seat }) => seat === old.seat) ?? old);
  const view = { ...state.view, ...facts, sheets: seats };
  return { ...rest, t: "state", view, mine: { ...state.mine, ...mine } };
}
