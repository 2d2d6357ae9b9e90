/** The history of a game: turns, new events, and the moments of a replay. */
import { expect, test } from "vitest";
import { cellNotesOf } from "../../src/play/cellNotes.ts";
import { momentAt, momentsOf, turnStarts } from "../../src/history/replaySteps.ts";
import type { AnyEvent, Layout, Replay, View } from "../../src/protocol.ts";
import { closersOf, marksOf, recentEvents, toFeedItems, groupByTurn } from "../../src/connection/eventFeed.ts";

const FIRST: AnyEvent[] = [
  { e: "turn", seat: 1 },
  { e: "rolled", roll: "34/2615" },
  { e: "crossed", seat: 0, cell: "r7" },
  { e: "missed", seat: 1 },
];
const SECOND: AnyEvent[] = [
  { e: "turn", seat: 0 },
  { e: "rolled", roll: "11/1111" },
];

test("a history has turns, numbered back from the current turn", () => {
  const turns = groupByTurn(toFeedItems([...FIRST, ...SECOND], null, 1), 9);
  expect(turns.map(({ number, by, items }) => [number, by, items.length])).toEqual([
    [8, 1, 4],
    [9, 0, 2],
  ]);
});

test("an event stays new until the first action of the next turn", () => {
  expect(marksOf(recentEvents(toFeedItems([...FIRST, ...SECOND], null, 1)), 1)).toEqual(new Set(["miss"]));
  const done: AnyEvent[] = [
    ...FIRST,
    ...SECOND,
    { e: "crossed", seat: 1, cell: "b2" },
    { e: "locked", seat: 1, row: "b" },
  ];
  expect(marksOf(recentEvents(toFeedItems(done, null, 1)), 1)).toEqual(new Set(["b2", "lock-b"]));
  expect(marksOf(recentEvents(toFeedItems(done, null, 1)), 0)).toEqual(new Set());
  expect(closersOf(toFeedItems(done, null, 1), "b")).toEqual([1]);
});

test("a replay stops at visible changes, and knows its turns", () => {
  const view = (turn: number, active: number): View => ({ turn, active }) as View;
  const frames: Replay["frames"] = [
    { step: "", events: [], view: view(1, 1) },
    {
      step: "roll 34/2615",
      events: [
        { e: "rolled", roll: "34/2615" },
        { e: "phase", phase: "white" },
      ],
      view: view(1, 1),
    },
    { step: "0 pass", events: [{ e: "decided", seat: 0 }], view: view(1, 1) },
    {
      step: "1 r7",
      events: [
        { e: "crossed", seat: 1, cell: "r7" },
        { e: "phase", phase: "color" },
      ],
      view: view(1, 1),
    },
    {
      step: "1 pass",
      events: [
        { e: "decided", seat: 1 },
        { e: "turn", seat: 0 },
      ],
      view: view(2, 0),
    },
    { step: "roll 11/1111", events: [{ e: "rolled", roll: "11/1111" }], view: view(2, 0) },
  ];
  const moments = momentsOf({ frames } as Replay);
  expect(moments.map((moment) => moment.frame)).toEqual([0, 1, 3, 5]);
  expect(moments[3]!.items.map(({ event, by }) => [event.e, by])).toEqual([
    ["decided", 1],
    ["turn", 0],
    ["rolled", 0],
  ]);
  expect(turnStarts(moments)).toEqual([
    { turn: 1, by: 1, at: 1 },
    { turn: 2, by: 0, at: 3 },
  ]);
  expect([0, 2, 5, 99].map((frame) => momentAt(moments, frame))).toEqual([0, 2, 3, 3]);
});

test("the last step of a turn has its number and its dice; the next turn begins with its own first step", () => {
  const at = (turn: number, active: number, dice: string | null): View => ({ turn, active, dice }) as unknown as View;
  const frames: Replay["frames"] = [
    { step: "", events: [], view: at(1, 1, null) },
    { step: "roll 34/2615", events: [{ e: "rolled", roll: "34/2615" }], view: at(1, 1, "34/2615") },
    {
      step: "1 g8",
      events: [
        { e: "crossed", seat: 1, cell: "g8" },
        { e: "turn", seat: 0 },
        { e: "phase", phase: "roll" },
      ],
      view: at(2, 0, null),
    },
    { step: "roll 11/1111", events: [{ e: "rolled", roll: "11/1111" }], view: at(2, 0, "11/1111") },
  ];
  const moments = momentsOf({ frames } as Replay);
  expect(moments.map(({ turn, by, dice }) => [turn, by, dice])).toEqual([
    [1, 1, null],
    [1, 1, "34/2615"],
    [1, 1, "34/2615"],
    [2, 0, "11/1111"],
  ]);
  const numbers = (step: number): number[] =>
    groupByTurn(
      moments.slice(0, step + 1).flatMap(({ items }) => items),
      moments[step]!.turn,
    ).map(({ number }) => number);
  expect([0, 1, 2, 3].map(numbers)).toEqual([[1], [1], [1], [1, 2]]);
});

const layout = {
  pawns: 0,
  rows: [{ key: "b", lock: "b", cells: [{ value: 10, color: "b", boxed: false, pair: "" }] }],
} as unknown as Layout;

test("white 4 and blue 6 make blue 10; the white sum needs no note, and a lucky number has a star", () => {
  const seen = (phase: string): View => ({ phase, dice: "24/1116", sheets: [] }) as unknown as View;
  expect(cellNotesOf(layout, seen("color"), 0, ["b10"]).get("b10")).toEqual({
    dice: [1, 5],
    sum: "4+6",
    lucky: false,
    deed: null,
  });
  expect(cellNotesOf(layout, seen("white"), 0, ["b10"]).get("b10")).toMatchObject({
    dice: [0, 1],
    sum: "",
    lucky: true,
  });
});

test("in the duel a pawn is placed, captured or stacked on", () => {
  const board = { ...layout, pawns: 22 };
  const sheet = (seat: number, crosses: number[]) => ({ seat, rows: [{ key: "b", crosses }] });
  const deed = (own: number[], other: number[]) => {
    const view = { phase: "white", dice: "64/1111", sheets: [sheet(0, own), sheet(1, other)] } as unknown as View;
    return cellNotesOf(board, view, 0, ["b10"]).get("b10")!.deed;
  };
  expect([deed([], []), deed([], [10]), deed([10], [])]).toEqual(["place", "capture", "stack"]);
});
