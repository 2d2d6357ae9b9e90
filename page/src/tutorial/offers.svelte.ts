/** Who is new to a game: those who have neither learned nor played it here, nor declined to learn it. */
import { results } from "../lib/results.ts";
import { keepProgress, progressOf } from "./progress.ts";

/** Games for which the offer was declined since the page is open. */
const current = $state<{ declined: string[] }>({ declined: [] });

export function isNewTo(variant: string): boolean {
  const { finished, declined } = progressOf(variant);
  return (
    !finished && !declined && !current.declined.includes(variant) && !results().some((each) => each.variant === variant)
  );
}

export function decline(variant: string): void {
  current.declined.push(variant);
  keepProgress(variant, { declined: true });
}
