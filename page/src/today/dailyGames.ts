/** The daily game: at the server against everybody, or on this device with dice by the published recipe. */
import { beginDay, dayResult, today as todayAtServer } from "../connection/httpApi.ts";
import { gameOf, type HostKind } from "../house.ts";
import { t } from "../words/i18n.svelte.ts";
import { rememberToken } from "../connection/knownTables.ts";
import type { DayResult, Today } from "../protocol.ts";
import { settings } from "../device/settings.svelte.ts";
import { localHouse } from "../local/localHouse.ts";
import { luckyOf } from "../fair/dailyDice.ts";
import { type DayGame, dateOf, deviceToken, findDay, keepDay, secondsLeft } from "./calendar.ts";
import known from "../../../src/qwixx/solver/known_values.json";

/** The expected score of optimal play, by daily game. */
const OPTIMA: Record<string, Record<string, number | undefined>> = known;
export const DAY_GAMES: readonly string[] = Object.keys(OPTIMA);

export async function todayAt(place: HostKind): Promise<Today> {
  if (place === "server") return todayAtServer();
  const now = Date.now();
  return { date: dateOf(now), ends: secondsLeft(now), games: DAY_GAMES.map((variant) => ({ variant, players: 0 })) };
}

/** Start or resume today's game; return the code of its table. */
export async function playDay(place: HostKind, date: string, variant: string): Promise<string> {
  const name = settings.name.trim() || t("name.default");
  const known = findDay(date, variant, place);
  if (place === "here") {
    if (known && (await localHouse.exists(known.code))) return known.code;
    if (known && known.score !== null) return known.code; // it was deleted here, but it can be played only once a day
    const { code } = await localHouse.openDay(date, variant, name);
    keepDay({ date, variant, place, code, score: null, squares: [] });
    return code;
  }
  const begun = await beginDay({ variant, device: deviceToken(), name });
  rememberToken(begun.code, variant, begun.token);
  if (!findDay(begun.date, variant, place))
    keepDay({ date: begun.date, variant, place, code: begun.code, score: null, squares: [] });
  return begun.code;
}

/** Compare a finished game: with all others at the server, or on this device with `master` and optimal play. */
export async function compared(game: DayGame): Promise<DayResult> {
  const { place, date, variant, code } = game;
  if (place === "server") return dayResult(date, variant, deviceToken());
  const { luckyPads } = await gameOf(localHouse, variant);
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
    master: await localHouse.dayMaster(date, variant),
  };
}
