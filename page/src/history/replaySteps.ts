/** The steps of a replay: only frames that show a change, each with its turn. */
import type { AnyEvent, Replay, View } from "../protocol.ts";
import { toFeedItems } from "../connection/eventFeed.ts";
import type { FeedItem } from "../house.ts";

export interface Moment {
  /** Which frame of the replay it is: what a link to it names. */
  frame: number;
  view: View;
  /** The events since the moment before. */
  items: FeedItem[];
  turn: number;
  /** Whose turn it is. */
  by: number;
  isRoll: boolean;
  /** The dice of this turn, also after its last step; null before the first roll. */
  dice: string | null;
}

export interface TurnStart {
  turn: number;
  by: number;
  /** The first moment of the turn. */
  at: number;
}

/** Hidden choices show nothing, so they belong to the step in which they take effect. */
const HIDDEN = new Set<AnyEvent["e"]>(["decided", "phase", "turn"]);

export function momentsOf({ frames }: Replay): Moment[] {
  const moments: Moment[] = [];
  let waiting: FeedItem[] = [];
  let dice: string | null = null;
  frames.forEach(({ events, view, step }, frame) => {
    const before = frames[Math.max(0, frame - 1)]!.view;
    const items = toFeedItems(events, before.active, frame * 1000);
    const told: FeedItem[] = frame
      ? items
      : [{ id: -1, event: { e: "turn", seat: view.active }, by: view.active }, ...items];
    waiting.push(...told);
    dice = view.dice ?? dice;
    if (frame && frame < frames.length - 1 && events.every(({ e }) => HIDDEN.has(e))) return;
    // The last step of a turn also begins the next one, which is shown with its own first step.
    const begins = frame ? waiting.findIndex((item) => item.event.e === "turn" && told.includes(item)) : -1;
    const later = begins < 0 ? [] : waiting.splice(begins);
    const isRoll = step.startsWith("roll");
    moments.push({ frame, view, items: waiting, turn: before.turn, by: before.active, isRoll, dice });
    waiting = later;
  });
  return moments;
}

export function turnStarts(moments: readonly Moment[]): TurnStart[] {
  const starts: TurnStart[] = [];
  // The first moment is the empty table; the first turn begins with the step after it.
  moments.forEach(({ turn, by }, at) => {
    if (at && starts.at(-1)?.turn !== turn) starts.push({ turn, by, at });
  });
  return starts;
}

/** Return the moment that shows a frame: its own, or the one in which it took effect. */
export function momentAt(moments: readonly Moment[], frame: number): number {
  const found = moments.findIndex((moment) => moment.frame >= frame);
  return found < 0 ? moments.length - 1 : found;
}
