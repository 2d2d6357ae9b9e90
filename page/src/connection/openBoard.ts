/** From a finished game to the analysis board. */
import { boardPath, type House } from "../house.ts";
import { localHouse } from "../local/localHouse.ts";
import { go } from "./route.svelte.ts";

/** Open the position after so many steps of a finished game on the analysis board. */
export async function openOnBoard(house: House, code: string, steps: number): Promise<void> {
  go(boardPath(await localHouse.positionIn(await house.record(code), steps)));
}
