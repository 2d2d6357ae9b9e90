/** Today's roll, wherever it is played: at the server with everybody, or by the published recipe on this device. */
import { beginDay, dayResult, today as todayAtServer } from "../lib/api.ts";
import { gameOf, type Place } from "../lib/house.ts";
import { t } from "../lib/i18n.svelte.ts";
import { rememberToken } from "../lib/memory.ts";
import type { DayResult, Today } from "../lib/protocol.ts";
import { settings } from "../lib/settings.svelte.ts";
import { here } from "../local/here.ts";
import { luckyOf } from "../local/recipe.ts";
import { type DayGame, dateOf, deviceToken, findDay, keepDay, secondsLeft } from "./calendar.ts";
import known from "../../../src/qwixx/solver/known.json";

/** The games of a day, with what best play expects of them. */
const OPTIMA: Record<string, Record<string, number | undefined>> = known;
export const DAY_GAMES: readonly string[] = Object.keys(OPTIMA);

export async function todayAt(place: Place): Promise<Today> {
  if (place === "server") return todayAtServer();
  const now = Date.now();
  return { date: dateOf(now), ends: secondsLeft(now), games: DAY_GAMES.map((variant) => ({ variant, players: 0 })) };
}

/** Begin, or go on with, a game of today; gives the code of its table. */
export async function playDay(place: Place, date: string, variant: string): Promise<string> {
  const name = settings.name.trim() || t("name.default");
  const known = findDay(date, variant, place);
  if (place === "here") {
    if (known && (await here.exists(known.code))) return known.code;
    if (known && known.score !== null) return known.code; // it was deleted here; once a day is once a day
    const { code } = await here.openDay(date, variant, name);
    keepDay({ date, variant, place, code, score: null, squares: [] });
    return code;
  }
  const begun = await beginDay({ variant, device: deviceToken(), name });
  rememberToken(begun.code, variant, begun.token);
  if (!findDay(begun.date, variant, place))
    keepDay({ date: begun.date, variant, place, code: begun.code, score: null, squares: [] });
  return begun.code;
}

/** Compare a finished game: with everybody's, or on this device with the master and the best there is. */
export async function compared(game: DayGame): Promise<DayResult> {
  const { place, date, variant, code } = game;
  if (place === "server") return dayResult(date, variant, deviceToken());
  const { luckyPads } = await gameOf(here, variant);
  const [pad = ""] = luckyOf(date, variant, luckyPads) ?? [];
  const score = game.score ?? 0;
  const alone = { players: 0, better: 0, average: score, best: score, step: 10, bars: [] };
  return {
    date,
    variant,
    code,
    score,
    ...alone,
    optimum: OPTIMA[variant]?.[pad] ?? 0,
    master: await here.dayMaster(date, variant),
  };
}
