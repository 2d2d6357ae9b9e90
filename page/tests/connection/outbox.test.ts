/** The outbox: a tap is shown immediately, waits for the connection, and is sent if its window is still open then. */
import { beforeEach, describe, expect, test } from "vitest";
import { Outbox } from "../../src/connection/outbox.svelte.ts";
import type { FromPage, State } from "../../src/protocol.ts";

let sent: FromPage[];
let up: boolean;
let outbox: Outbox;

/** A state of the table: the phase, the choice of seat 0, and its red crosses. */
function stateAt(phase: number, choice: string | null = null, red: number[] = []): State {
  const view = { sheets: [{ seat: 0, rows: [{ key: "r", crosses: red }] }] };
  return { phase, view, mine: { 0: { choice } }, rollers: [0] } as unknown as State;
}

beforeEach(() => {
  sent = [];
  up = true;
  outbox = new Outbox((message) => {
    if (up) sent.push(message);
    return up;
  });
});

describe("with a connection", () => {
  test("a choice is shown before the table answers, and counts as sent after the answer", () => {
    const before = stateAt(7);
    outbox.choose(before, 0, "r5");
    expect(outbox.choiceOf(before, 0)).toBe("r5");
    expect(outbox.deliveryOf(before, 0)).toBe("sending");
    expect(outbox.acknowledge(stateAt(7, "r5"))).toBeNull();
    expect(outbox.deliveryOf(stateAt(7, "r5"), 0)).toBe("sent");
    expect(sent).toEqual([{ t: "decide", seat: 0, phase: 7, action: "r5" }]);
  });

  test("actions of others do not remove it; a refusal does", () => {
    outbox.choose(stateAt(7), 0, "r5");
    outbox.acknowledge(stateAt(7));
    expect(outbox.choiceOf(stateAt(7), 0)).toBe("r5");
    expect(sent).toHaveLength(1);
    outbox.refused();
    expect(outbox.choiceOf(stateAt(7), 0)).toBeNull();
  });

  test("a choice that the table has is undone there", () => {
    outbox.choose(stateAt(7, "r5"), 0, null);
    expect(sent).toEqual([{ t: "withdraw", seat: 0, phase: 7 }]);
    expect(outbox.choiceOf(stateAt(7, "r5"), 0)).toBeNull();
    outbox.acknowledge(stateAt(7));
    expect(outbox.deliveryOf(stateAt(7), 0)).toBeNull();
  });
});

describe("without a connection", () => {
  beforeEach(() => {
    up = false;
    outbox.choose(stateAt(7), 0, "r5");
    up = true;
  });

  test("a choice waits, and is sent to the same window after a reconnect", () => {
    expect(outbox.deliveryOf(stateAt(7), 0)).toBe("waiting");
    expect(outbox.acknowledge(stateAt(7))).toBeNull();
    expect(sent).toEqual([{ t: "decide", seat: 0, phase: 7, action: "r5" }]);
    expect(outbox.deliveryOf(stateAt(7), 0)).toBe("sending");
  });

  test("it is not sent to another window, and the player gets a message", () => {
    expect(outbox.acknowledge(stateAt(8))).toEqual({
      t: "error",
      code: "choice-lost",
      details: { choice: expect.any(String) as string },
    });
    expect(sent).toEqual([]);
    expect(outbox.choiceOf(stateAt(8), 0)).toBeNull();
  });

  test("if it arrived before the connection was lost, there is no message", () => {
    expect(outbox.acknowledge(stateAt(8, null, [5]))).toBeNull();
  });

  test("a choice that is undone before it was sent leaves no trace", () => {
    outbox.choose(stateAt(7), 0, null);
    outbox.acknowledge(stateAt(7));
    expect(sent).toEqual([]);
  });

  test("a message that was on its way when the connection was lost is sent again", () => {
    outbox.acknowledge(stateAt(7));
    outbox.disconnected();
    expect(outbox.deliveryOf(stateAt(7), 0)).toBe("waiting");
    outbox.acknowledge(stateAt(7));
    expect(sent).toHaveLength(2);
  });

  test("a pass that the clock has also made gives no message", () => {
    outbox.choose(stateAt(7), 0, null);
    up = false;
    outbox.choose(stateAt(7), 0, "pass");
    expect(outbox.acknowledge(stateAt(8))).toBeNull();
  });
});

test("real dice wait for the connection, and are sent to their phase only", () => {
  up = false;
  outbox.roll(stateAt(7), "12/3456");
  expect(outbox.hasPendingRoll).toBe(true);
  up = true;
  outbox.acknowledge(stateAt(7));
  expect(sent).toEqual([{ t: "roll", dice: "12/3456" }]);
  up = false;
  outbox.roll(stateAt(7), "12/3456");
  up = true;
  outbox.acknowledge(stateAt(8));
  expect(outbox.hasPendingRoll).toBe(false);
  expect(sent).toHaveLength(1);
});

describe("a request", () => {
  const hint = { t: "hint", seat: 0, phase: 7 } as const;
  const rematch = { t: "rematch", now: false } as const;

  test("is sent once, and again if the connection was lost meanwhile", () => {
    outbox.ask(stateAt(7), hint);
    outbox.ask(stateAt(7), rematch);
    outbox.acknowledge(stateAt(7));
    expect(sent).toEqual([hint, rematch]);
    outbox.disconnected();
    outbox.acknowledge(stateAt(7));
    expect(sent).toEqual([hint, rematch, hint, rematch]);
    outbox.forget("hint");
    expect([outbox.awaits("hint"), outbox.awaits("rematch")]).toEqual([false, true]);
  });

  test("can change: a rematch without the missing players", () => {
    outbox.ask(stateAt(7), rematch);
    outbox.ask(stateAt(7), { ...rematch, now: true });
    outbox.disconnected();
    outbox.acknowledge(stateAt(7));
    expect(sent).toEqual([rematch, { ...rematch, now: true }, { ...rematch, now: true }]);
  });

  test("without a connection waits, and is dropped with its window", () => {
    up = false;
    outbox.ask(stateAt(7), hint);
    expect(outbox.awaits("hint")).toBe(true);
    up = true;
    outbox.acknowledge(stateAt(8));
    expect(outbox.awaits("hint")).toBe(false);
    expect(sent).toEqual([]);
  });

  test("ends with its refusal, but not with an earlier refusal of something else", () => {
    up = false;
    outbox.ask(stateAt(7), hint);
    outbox.refused();
    expect(outbox.awaits("hint")).toBe(true);
    up = true;
    outbox.acknowledge(stateAt(7));
    outbox.refused();
    expect(outbox.awaits("hint")).toBe(false);
  });
});
