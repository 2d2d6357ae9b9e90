/** The review together: who shows what, and how often the leader's place is sent. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Table } from "../../src/connection/table.svelte.ts";
import { SharedReview } from "../../src/history/sharedReview.svelte.ts";
import type { FromPage, Pointer } from "../../src/protocol.ts";

const START: Pointer = { t: "pointer", frame: 7, seat: 1, cell: "y7", tried: "pass" };
const PLACE = { frame: 7, seat: 1, cell: "y7", tried: "pass" };

/** A table with two people; `mine` is the seat of this page, none for a spectator. */
function review(mine: number[], leader: number | null, pointer: Pointer | null, here = true) {
  const sent: FromPage[] = [];
  const seats = [0, 1].map((seat) => ({ seat, kind: "person", here: seat === leader ? here : true }));
  const table = {
    mine,
    pointer,
    room: { leader, seats },
    state: {},
    close: () => undefined,
    send: (message: FromPage) => void sent.push(message),
  };
  return { sent, table, shared: new SharedReview(table as unknown as Table, true) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a follower shows the leader's place, until following ends", () => {
  const { shared } = review([1], 0, START);
  expect([shared.leads, shared.isFollowing, shared.canLead]).toEqual([false, true, false]);
  expect(shared.shown).toEqual(PLACE);
  shared.follows = false;
  expect([shared.isFollowing, shared.shown]).toEqual([false, null]);
});

test("a new leader begins at the last place, and then shows the own one", () => {
  const { shared, table } = review([0], 0, START);
  expect([shared.leads, shared.isFollowing]).toEqual([true, false]);
  expect(shared.shown).toEqual(PLACE);
  shared.point({ ...PLACE, frame: 8 });
  table.pointer = { ...START, frame: 8 }; // the echo
  expect(shared.shown).toBeNull();
});

test("many moves are few messages, and the last one arrives", () => {
  const { shared, sent } = review([0], 0, null);
  for (let frame = 1; frame <= 40; frame++) shared.point({ ...PLACE, frame });
  expect(sent).toEqual([{ t: "point", ...PLACE, frame: 1 }]);
  vi.runAllTimers();
  expect(sent.slice(1)).toEqual([{ t: "point", ...PLACE, frame: 40 }]);
});

test("only a person at the table takes the lead, and only when the leader has left", () => {
  expect(review([1], null, null).shared.canLead).toBe(true);
  expect(review([], null, null).shared.canLead).toBe(false);
  expect(review([1], 0, START, false).shared.canLead).toBe(true);
  expect(review([1], 0, START).shared.heirs).toHaveLength(1);
  const { shared, sent } = review([1], 0, START, false);
  shared.close();
  expect(sent).toEqual([]); // a follower who goes ends nothing
});
