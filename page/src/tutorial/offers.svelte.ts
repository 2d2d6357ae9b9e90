/** The offer of the tutorial: to players who have neither finished it, nor played the game here, nor declined it. */
import { results } from "../history/ownResults.ts";
import { keepProgress, progressOf } from "./progress.ts";

/** Games whose offer was declined since the page was opened. */
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
