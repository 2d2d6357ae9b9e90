/** Dates and numbers in the reader's language. Days are always in UTC. */
import { language, t } from "../words/i18n.svelte.ts";
import { signed } from "../play/scoreParts.ts";

function moment(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

/** "16 November 2026". */
export function dayText(date: string): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: "long", timeZone: "UTC" }).format(moment(date));
}

/** "Monday 16 November". */
export function longDayText(date: string): string {
  return new Intl.DateTimeFormat(language(), {
    weekday: "long",
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  }).format(moment(date));
}

/** "November". */
export function monthText(date: string): string {
  return new Intl.DateTimeFormat(language(), { month: "short", timeZone: "UTC" }).format(moment(date));
}

/** "Mo", for the head of a calendar. */
export function weekdayText(date: string): string {
  return new Intl.DateTimeFormat(language(), { weekday: "short", timeZone: "UTC" })
    .format(moment(date))
    .slice(0, 3)
    .replace(/[.,]$/, "");
}

/** Return a number with one decimal. */
export function rounded(number: number): string {
  return signed(Math.round(number * 10) / 10).replace(".", language() === "en" ? "." : ",");
}

/** Return how long it is until the next day, in words. */
export function leftText(seconds: number): string {
  const minutes = Math.max(0, Math.ceil(seconds / 60));
  return t("today.next", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}
