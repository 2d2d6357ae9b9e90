/** Deltas: the message of a table when only a part of its state has changed. */
import { expect, test } from "vitest";
import { applyDelta } from "../../src/connection/stateDelta.ts";
import type { StateChange, State } from "../../src/protocol.ts";

const sheets = [
  { seat: 0, score: 1 },
  { seat: 1, score: 3 },
];
const before = {
  t: "state",
  phase: 4,
  view: { turn: 2, dice: "34/2615", deciders: [0, 1], sheets },
  mine: { "0": { choice: null }, "1": { choice: null } },
  events: [{ e: "rolled", roll: "34/2615" }],
  undoable: [1],
  story: [],
} as unknown as State;

test("a choice: no sheet changes, and the history is not sent again", () => {
  const chosen = {
    t: "change",
    phase: 4,
    view: { deciders: [1] },
    mine: { "0": { choice: "r7" } },
    events: [],
    undoable: [],
  };
  expect(applyDelta(before, chosen as unknown as StateChange)).toEqual({
    t: "state",
    phase: 4,
    view: { turn: 2, dice: "34/2615", deciders: [1], sheets },
    mine: { "0": { choice: "r7" }, "1": { choice: null } },
    events: [],
    undoable: [],
  });
});

test("a changed sheet replaces that of its seat, and a removed field is null", () => {
  const next = {
    t: "change",
    phase: 5,
    view: { dice: null, sheets: [{ seat: 1, score: 6 }] },
    mine: {},
    events: [],
    undoable: [],
  };
  const after = applyDelta(before, next as unknown as StateChange);
  expect(after.view).toEqual({
    turn: 2,
    dice: null,
    deciders: [0, 1],
    sheets: [
      { seat: 0, score: 1 },
      { seat: 1, score: 6 },
    ],
  });
  expect(after.view.sheets[0]).toBe(before.view.sheets[0]);
});
