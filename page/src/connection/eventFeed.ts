/** The story of a game: what the table told, turn by turn, and what is still new. */
import type { AnyEvent } from "./protocol.ts";

/** Something that happened, and whose turn it was. */
export interface FeedItem {
  id: number;
  event: AnyEvent;
  /** The seat whose turn it was; null if nobody said. */
  by: number | null;
}

/** One turn of the story. */
export interface Turn {
  id: number;
  /** Counted from 1 as on the table. */
  number: number;
  by: number | null;
  items: FeedItem[];
}

/** Write down what happened with whose turn it was; a story knows that from its `turn` events. */
export function noted(events: readonly AnyEvent[], by: number | null, firstId: number): FeedItem[] {
  let seat = by;
  return events.map((event, i) => {
    if (event.e === "turn") seat = event.seat;
    return { id: firstId + i, event, by: seat };
  });
}

/** Group by turns, oldest first; the last one is the turn that the table counts now. */
export function turnsOf(items: readonly FeedItem[], now: number): Turn[] {
  const turns: Turn[] = [];
  for (const item of items) {
    if (item.event.e === "turn" || !turns.length) turns.push({ id: item.id, number: 0, by: item.by, items: [] });
    turns.at(-1)!.items.push(item);
  }
  turns.forEach((turn, i) => (turn.number = now - (turns.length - 1 - i)));
  return turns;
}

const DEEDS = new Set<AnyEvent["e"]>([
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
 * What is new on everybody's sheet: what was done in this turn, and until anything is done in it, in the turn before.
 *
 * The dice of the next turn often lie there at once, so that marks which ended with them would never be seen.
 */
export function news(items: readonly FeedItem[]): AnyEvent[] {
  const begins = items.flatMap(({ event }, i) => (event.e === "turn" ? [i] : []));
  const latest = begins.at(-1) ?? 0;
  const isDone = items.slice(latest).some(({ event }) => DEEDS.has(event.e));
  return items.slice(isDone ? latest : (begins.at(-2) ?? 0)).map(({ event }) => event);
}

/** The name under which a mark of a sheet goes: a cell, `lock-r` for a lock, `miss` for a miss. */
export function markOf(event: AnyEvent): string | null {
  if ("cell" in event) return event.cell;
  if (event.e === "locked") return `lock-${event.row}`;
  return event.e === "missed" ? "miss" : null;
}

/** The new marks of a seat. */
export function marksOf(events: readonly AnyEvent[], seat: number): ReadonlySet<string> {
  return new Set(events.flatMap((event) => ("seat" in event && event.seat === seat ? (markOf(event) ?? []) : [])));
}

/** The seats that closed a row in these events: it takes effect when all have decided, so they come before it. */
export function closersOf(items: readonly FeedItem[], row: string): number[] {
  return items.flatMap(({ event }) => (event.e === "locked" && event.row === row ? [event.seat] : []));
}
