/** The outbox: a tap shows at once, waits for the line, and goes out on return if its window is still open. */
import { beforeEach, describe, expect, test } from "vitest";
import { Outbox } from "../../src/connection/outbox.svelte.ts";
import type { FromPage, State } from "../../src/protocol.ts";

let sent: FromPage[];
let up: boolean;
let outbox: Outbox;

/** What the table says: in which phase, what seat 0 has chosen, and which red numbers it has crossed. */
function told(phase: number, choice: string | null = null, red: number[] = []): State {
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

describe("a line that stands", () => {
  test("a choice shows before the table answers, and counts as sent when it does", () => {
    const before = told(7);
    outbox.choose(before, 0, "r5");
    expect(outbox.choiceOf(before, 0)).toBe("r5");
    expect(outbox.deliveryOf(before, 0)).toBe("sending");
    expect(outbox.acknowledge(told(7, "r5"))).toBeNull();
    expect(outbox.deliveryOf(told(7, "r5"), 0)).toBe("sent");
    expect(sent).toEqual([{ t: "decide", seat: 0, phase: 7, action: "r5" }]);
  });

  test("what others do meanwhile does not take it away; a refusal does", () => {
    outbox.choose(told(7), 0, "r5");
    outbox.acknowledge(told(7));
    expect(outbox.choiceOf(told(7), 0)).toBe("r5");
    expect(sent).toHaveLength(1);
    outbox.refused();
    expect(outbox.choiceOf(told(7), 0)).toBeNull();
  });

  test("a choice that the table has is taken back there", () => {
    outbox.choose(told(7, "r5"), 0, null);
    expect(sent).toEqual([{ t: "withdraw", seat: 0, phase: 7 }]);
    expect(outbox.choiceOf(told(7, "r5"), 0)).toBeNull();
    outbox.acknowledge(told(7));
    expect(outbox.deliveryOf(told(7), 0)).toBeNull();
  });
});

describe("a line that is away", () => {
  beforeEach(() => {
    up = false;
    outbox.choose(told(7), 0, "r5");
    up = true;
  });

  test("a choice waits, and the same window gets it on return", () => {
    expect(outbox.deliveryOf(told(7), 0)).toBe("waiting");
    expect(outbox.acknowledge(told(7))).toBeNull();
    expect(sent).toEqual([{ t: "decide", seat: 0, phase: 7, action: "r5" }]);
    expect(outbox.deliveryOf(told(7), 0)).toBe("sending");
  });

  test("another window does not get it, and that is told", () => {
    expect(outbox.acknowledge(told(8))).toEqual({
      t: "error",
      code: "choice-lost",
      details: { choice: expect.any(String) as string },
    });
    expect(sent).toEqual([]);
    expect(outbox.choiceOf(told(8), 0)).toBeNull();
  });

  test("if it did arrive before the line broke, there is nothing to tell", () => {
    expect(outbox.acknowledge(told(8, null, [5]))).toBeNull();
  });

  test("taken back before anybody heard of it, it was never there", () => {
    outbox.choose(told(7), 0, null);
    outbox.acknowledge(told(7));
    expect(sent).toEqual([]);
  });

  test("what was on its way when the line broke is said again", () => {
    outbox.acknowledge(told(7));
    outbox.disconnected();
    expect(outbox.deliveryOf(told(7), 0)).toBe("waiting");
    outbox.acknowledge(told(7));
    expect(sent).toHaveLength(2);
  });

  test("a pass that the clock made, too, needs no word", () => {
    outbox.choose(told(7), 0, null);
    up = false;
    outbox.choose(told(7), 0, "pass");
    expect(outbox.acknowledge(told(8))).toBeNull();
  });
});

test("real dice wait for the line, and go to their phase only", () => {
  up = false;
  outbox.roll(told(7), "12/3456");
  expect(outbox.hasPendingRoll).toBe(true);
  up = true;
  outbox.acknowledge(told(7));
  expect(sent).toEqual([{ t: "roll", dice: "12/3456" }]);
  up = false;
  outbox.roll(told(7), "12/3456");
  up = true;
  outbox.acknowledge(told(8));
  expect(outbox.hasPendingRoll).toBe(false);
  expect(sent).toHaveLength(1);
});

describe("a question", () => {
  const hint = { t: "hint", seat: 0, phase: 7 } as const;
  const rematch = { t: "rematch", now: false } as const;

  test("is asked once, and again when the line was lost meanwhile", () => {
    outbox.ask(told(7), hint);
    outbox.ask(told(7), rematch);
    outbox.acknowledge(told(7));
    expect(sent).toEqual([hint, rematch]);
    outbox.disconnected();
    outbox.acknowledge(told(7));
    expect(sent).toEqual([hint, rematch, hint, rematch]);
    outbox.forget("hint");
    expect([outbox.awaits("hint"), outbox.awaits("rematch")]).toEqual([false, true]);
  });

  test("can change: another game without those who wait", () => {
    outbox.ask(told(7), rematch);
    outbox.ask(told(7), { ...rematch, now: true });
    outbox.disconnected();
    outbox.acknowledge(told(7));
    expect(sent).toEqual([rematch, { ...rematch, now: true }, { ...rematch, now: true }]);
  });

  test("that cannot be asked waits for the line, and falls with its window", () => {
    up = false;
    outbox.ask(told(7), hint);
    expect(outbox.awaits("hint")).toBe(true);
    up = true;
    outbox.acknowledge(told(8));
    expect(outbox.awaits("hint")).toBe(false);
    expect(sent).toEqual([]);
  });

  test("ends with a refusal, but not with one of something else before it was asked", () => {
    up = false;
    outbox.ask(told(7), hint);
    outbox.refused();
    expect(outbox.awaits("hint")).toBe(true);
    up = true;
    outbox.acknowledge(told(7));
    outbox.refused();
    expect(outbox.awaits("hint")).toBe(false);
  });
});
