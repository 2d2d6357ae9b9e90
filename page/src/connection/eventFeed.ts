/** The event feed of a game: what happened, grouped by turn, and which of it is recent. */
import type { FeedItem } from "../house.ts";
import type { AnyEvent } from "../protocol.ts";

/** One turn of the feed. */
export interface Turn {
  id: number;
  /** Counted from 1 as on the table. */
  number: number;
  by: number | null;
  items: FeedItem[];
}

/** Turn events into feed items. Whose turn it was follows from the `turn` events. */
export function toFeedItems(events: readonly AnyEvent[], by: number | null, firstId: number): FeedItem[] {
  let seat = by;
  return events.map((event, i) => {
    if (event.e === "turn") seat = event.seat;
    return { id: firstId + i, event, by: seat };
  });
}

/** Group items by turn, oldest first; `now` is the number of the last turn. */
export function groupByTurn(items: readonly FeedItem[], now: number): Turn[] {
  const turns: Turn[] = [];
  for (const item of items) {
    if (item.event.e === "turn" || !turns.length) turns.push({ id: item.id, number: 0, by: item.by, items: [] });
    turns.at(-1)!.items.push(item);
  }
  turns.forEach((turn, i) => (turn.number = now - (turns.length - 1 - i)));
  return turns;
}

const VISIBLE_ACTIONS = new Set<AnyEvent["e"]>([
  "crossed",
  "placed",
  "captured",
  "stacked",
  "locked",
  "missed",
  "played",
  "number",
]);

/**
 * Return the events to highlight on all sheets: those of this turn, or of the turn before until something happens in this one.
 *
 * The next roll often comes at once; if the highlights ended with it, nobody would see them.
 */
export function recentEvents(items: readonly FeedItem[]): AnyEvent[] {
  const begins = items.flatMap(({ event }, i) => (event.e === "turn" ? [i] : []));
  const latest = begins.at(-1) ?? 0;
  const isDone = items.slice(latest).some(({ event }) => VISIBLE_ACTIONS.has(event.e));
  return items.slice(isDone ? latest : (begins.at(-2) ?? 0)).map(({ event }) => event);
}

/** Return the name of the mark that an event makes on a sheet: a cell, `lock-r` for a lock, `miss` for a miss. */
export function markOf(event: AnyEvent): string | null {
  if ("cell" in event) return event.cell;
  if (event.e === "locked") return `lock-${event.row}`;
  return event.e === "missed" ? "miss" : null;
}

/** Return the marks of a seat in these events. */
export function marksOf(events: readonly AnyEvent[], seat: number): ReadonlySet<string> {
  return new Set(events.flatMap((event) => ("seat" in event && event.seat === seat ? (markOf(event) ?? []) : [])));
}

/** Return the seats that closed a row. A row closes when all have decided, so several seats may close it. */
export function closersOf(items: readonly FeedItem[], row: string): number[] {
  return items.flatMap(({ event }) => (event.e === "locked" && event.row === row ? [event.seat] : []));
}
