/** Big moments of a game, each shown for less than a second: a row is closed, bonuses chain, a lucky number is used. */
import { motionMs } from "../device/motion.ts";
import { diceOf } from "../engine/text/actionText.ts";
import type { AnyEvent, Layout, View } from "../protocol.ts";
import { list, t } from "../words/i18n.svelte.ts";
import { rowLabel } from "../words/labels.ts";

export interface Moment {
  /** The color of the lock; empty if there is none. */
  color: string;
  sign: "lock" | "star";
  title: string;
  text: string;
}

/** Return the moments among events, from the point of view of some seats; `view` is the state after them. */
export function momentsOf(
  events: readonly AnyEvent[],
  view: View,
  layout: Layout,
  mine: readonly number[],
  nameOf: (seat: number) => string,
): Moment[] {
  const closers = new Map<string, number[]>();
  for (const event of events) {
    if (event.e === "locked") closers.set(event.row, [...(closers.get(event.row) ?? []), event.seat]);
    if (event.e === "closed" && !closers.has(event.row)) closers.set(event.row, []);
  }
  const moments: Moment[] = [...closers].map(([row, seats]) => ({
    color: layout.rows.find((each) => each.key === row)?.lock ?? "",
    sign: "lock",
    title: t("moment.closed", { row: rowLabel(row) }),
    text: list(seats.map(nameOf)),
  }));
  for (const seat of mine) {
    const own = events.filter((event) => "seat" in event && event.seat === seat);
    const crosses = own.filter((event) => event.e === "crossed").length;
    const isChain = own.some((event) => event.e === "bonus" || event.e === "pair");
    if (isChain && crosses > 1)
      moments.push({ color: "", sign: "star", title: t("moment.chain", { n: crosses }), text: nameOf(seat) });
    const [first, second] = diceOf(view.dice);
    const isLucky = view.sheets[seat]?.lucky.includes((first ?? 0) + (second ?? 0));
    // The window of the white sum has just ended: its dice still lie there.
    if (isLucky && crosses && view.phase === "color" && events.some((event) => event.e === "phase"))
      moments.push({ color: "", sign: "star", title: t("moment.lucky"), text: nameOf(seat) });
  }
  return moments;
}

/** The moments on the screen. */
export class Moments {
  shown = $state.raw<readonly Moment[]>([]);

  /** Show moments until they are over; none where motion is reduced. Return a function that ends them. */
  show(moments: readonly Moment[]): (() => void) | undefined {
    const lasts = motionMs("lock");
    if (!moments.length || !lasts) return undefined;
    this.shown = moments;
    const end = (): void => {
      this.shown = [];
    };
    const timer = setTimeout(end, lasts);
    addEventListener("click", end, { capture: true });
    return () => {
      clearTimeout(timer);
      removeEventListener("click", end, { capture: true });
      end();
    };
  }
}
