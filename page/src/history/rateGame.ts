/** Rates a finished game of this device: what the decisions of the person lost, in the worker, after the game. */
import { localHouse } from "../local/localHouse.ts";
import type { House } from "../house.ts";
import { type Analysis, TABLE } from "../protocol.ts";
import { gameKey, isMeasured, isRated, keepRating, type Rating } from "./ownLevel.ts";

/** Return the rating of a seat in an analysed game. */
export function ratingOf(table: string, { variant, sheet }: Played, found: Analysis, seat: number): Rating {
  const own = found.decisions.filter((each) => each.seat === seat && each.choices.length > 1);
  const { final, luck } = found.accounts[seat]!;
  return {
    table,
    at: Date.now(),
    game: gameKey(variant, sheet),
    seats: found.seats,
    decisions: own.length,
    lost: own.reduce((total, { loss }) => total + loss, 0),
    won: final,
    luck,
  };
}

interface Played {
  variant: string;
  sheet: string;
}

/** Rate a game, once; a hint makes the decisions another's, so a game with one does not count. */
export async function rateGame(house: House, code: string, played: Played, seats: number, seat: number): Promise<void> {
  if (isRated(code) || !isMeasured(gameKey(played.variant, played.sheet), seats)) return;
  const record = await house.record(code);
  const isOwn = !record.split(/\r?\n/).includes(`${TABLE.hinted}${seat}`);
  if (isOwn) keepRating(ratingOf(code, played, await localHouse.analyse(record), seat));
}
