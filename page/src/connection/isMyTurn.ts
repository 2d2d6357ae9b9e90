/** Whether the game waits for a seat of this device. */
import type { State, TableState } from "../protocol.ts";

export function isMyTurn(room: TableState | null, state: State | null): boolean {
  if (!room || !state || room.stage !== "playing") return false;
  const { view, mine, rollers } = state;
  const mustDecide = (seat: number): boolean =>
    view.deciders.includes(seat) && mine[seat] !== undefined && mine[seat].choice === null;
  return room.mine.some((seat) => mustDecide(seat) || (view.phase === "roll" && rollers.includes(seat)));
}
