/** What happened last at a table, as lines, the latest first. */
import type { Table } from "../../connection/table.svelte.ts";
import { eventText } from "../../words/labels.ts";

export interface StoryLine {
  id: number;
  text: string;
}

/** Return the latest lines. The stage shows the dice: a sentence about them would come before they land. */
export function storyLines(table: Table, most: number): StoryLine[] {
  const nameOf = (seat: number): string => table.name(seat);
  return table.feed
    .filter(({ event }) => event.e !== "rolled")
    .flatMap((item) => {
      const text = eventText(item, nameOf);
      return text === null ? [] : [{ id: item.id, text }];
    })
    .slice(-most)
    .reverse();
}
