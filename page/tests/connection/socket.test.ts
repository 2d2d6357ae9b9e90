/** The socket: it says hello, keeps the connection alive, and reconnects. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FromServer } from "../../src/protocol.ts";
import { Socket } from "../../src/connection/socket.ts";

const PONG: FromServer = { t: "pong" };
const HELLO = JSON.stringify({ t: "hello", tokens: ["secret"] });
const PING = JSON.stringify({ t: "ping" });

/** A WebSocket without a network: the test is its server. */
class Line {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static all: Line[] = [];
  readyState = Line.CONNECTING;
  sent: string[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(readonly url: string) {
    Line.all.push(this);
  }

  send(text: string): void {
    this.sent.push(text);
  }

  open(): void {
    this.readyState = Line.OPEN;
    this.onopen?.();
  }

  say(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  close(): void {
    this.readyState = Line.CLOSED;
    this.onclose?.();
  }
}

class Page extends EventTarget {
  visibilityState = "visible";
}

let page: Page;
let browser: EventTarget;
let up: boolean[];
let heard: FromServer[];
let socket: Socket;

function latest(): Line {
  return Line.all.at(-1)!;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5); // the wait without jitter
  Line.all = [];
  page = new Page();
  browser = new EventTarget();
  vi.stubGlobal("WebSocket", Line);
  vi.stubGlobal("document", page);
  vi.stubGlobal("location", { protocol: "https:", host: "games.example" });
  vi.stubGlobal("addEventListener", browser.addEventListener.bind(browser));
  vi.stubGlobal("removeEventListener", browser.removeEventListener.bind(browser));
  vi.stubGlobal("window", globalThis);
  up = [];
  heard = [];
  socket = new Socket("K7 Q", {
    hello: () => ({ t: "hello", tokens: ["secret"] }),
    receive: (message) => heard.push(message),
    connected: (now) => up.push(now),
  });
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("an open connection", () => {
  test("hello is the first message, and messages are delivered", () => {
    expect(latest().url).toBe("wss://games.example/ws/K7%20Q");
    expect(socket.send({ t: "start" })).toBe(false);
    latest().open();
    expect(latest().sent).toEqual([HELLO]);
    expect(up).toEqual([true]);
    expect(socket.send({ t: "start" })).toBe(true);
    expect(latest().sent.at(-1)).toBe('{"t":"start"}');
    latest().say(PONG);
    expect(heard).toEqual([PONG]);
  });

  test("after a second of silence it sends a ping, and any answer keeps it open", () => {
    latest().open();
    vi.advanceTimersByTime(900);
    latest().say(PONG); // any message will do
    vi.advanceTimersByTime(900);
    expect(latest().sent).toEqual([HELLO]);
    for (let beats = 1; beats < 10; beats += 1) {
      vi.advanceTimersByTime(1_400);
      expect(latest().sent).toHaveLength(1 + beats);
      latest().say(PONG);
      vi.advanceTimersByTime(200);
    }
    expect(up).toEqual([true]);
  });

  test("a hidden tab sends few pings", () => {
    page.visibilityState = "hidden";
    latest().open();
    vi.advanceTimersByTime(24_000);
    expect(latest().sent).toEqual([HELLO]);
    vi.advanceTimersByTime(1_000);
    expect(latest().sent).toEqual([HELLO, PING]);
  });
});

describe("a silent connection", () => {
  test("it is reported within three seconds, and nothing counts as sent", () => {
    latest().open();
    vi.advanceTimersByTime(3_000);
    expect(up).toEqual([true, false]);
    expect(Line.all).toHaveLength(1);
    expect(socket.send({ t: "start" })).toBe(false);
  });

  test("when it answers again, hello requests everything that was missed", () => {
    latest().open();
    vi.advanceTimersByTime(4_000);
    latest().say(PONG);
    expect(up).toEqual([true, false, true]);
    expect(latest().sent.at(-1)).toBe(HELLO);
    expect(socket.send({ t: "start" })).toBe(true);
    expect(Line.all).toHaveLength(1);
  });

  test("after nine seconds it is replaced by a new one", () => {
    latest().open();
    vi.advanceTimersByTime(9_500);
    expect(Line.all).toHaveLength(2);
    expect(up).toEqual([true, false, false]);
  });

  test("when the browser goes offline it sends a ping immediately", () => {
    latest().open();
    browser.dispatchEvent(new Event("offline"));
    expect(latest().sent).toEqual([HELLO, PING]);
    vi.advanceTimersByTime(1_500);
    expect(up).toEqual([true, false]);
  });
});

describe("a lost connection", () => {
  test("it reconnects, says hello again, and waits longer after each failure", () => {
    latest().open();
    latest().close();
    expect(up).toEqual([true, false]);
    vi.advanceTimersByTime(299);
    expect(Line.all).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(Line.all).toHaveLength(2);
    latest().close();
    vi.advanceTimersByTime(509); // 300 · 1.7 = 510
    expect(Line.all).toHaveLength(2);
    vi.advanceTimersByTime(1);
    latest().open();
    expect(latest().sent).toEqual([HELLO]);
    latest().close(); // it was open, so the wait is short again
    vi.advanceTimersByTime(300);
    expect(Line.all).toHaveLength(4);
  });

  test("the wait has a maximum", () => {
    for (let turn = 0; turn < 20; turn += 1) {
      latest().close();
      vi.advanceTimersByTime(8_000);
    }
    expect(Line.all).toHaveLength(21);
  });

  test("a late message or close of an old connection does not count", () => {
    const old = latest();
    old.open();
    old.close();
    vi.advanceTimersByTime(300);
    latest().open();
    old.say(PONG);
    old.close();
    expect(heard).toEqual([]);
    expect(up).toEqual([true, false, true]);
  });

  test("back online, or visible again, it does not wait", () => {
    for (const wake of [
      () => browser.dispatchEvent(new Event("online")),
      () => page.dispatchEvent(new Event("visibilitychange")),
    ]) {
      const before = Line.all.length;
      latest().close();
      page.visibilityState = "hidden";
      page.dispatchEvent(new Event("visibilitychange"));
      expect(Line.all).toHaveLength(before);
      page.visibilityState = "visible";
      wake();
      expect(Line.all).toHaveLength(before + 1);
    }
  });

  test("after sleep, it pings a connection that seems to be open", () => {
    latest().open();
    page.dispatchEvent(new Event("visibilitychange"));
    expect(latest().sent).toEqual([HELLO, PING]);
  });
});

describe("a connection that moves to another table", () => {
  let next: Socket;
  let nextUp: boolean[];
  let nextHeard: FromServer[];

  function follow(way: WebSocket | undefined): void {
    nextUp = [];
    nextHeard = [];
    const caller = {
      hello: () => ({ t: "hello" as const, tokens: ["secret"], table: "NEXT" }),
      receive: (message: FromServer) => nextHeard.push(message),
      connected: (now: boolean) => nextUp.push(now),
    };
    next = new Socket("NEXT", caller, way);
  }

  beforeEach(() => latest().open());
  afterEach(() => next.close());

  test.each(["is still open", "was closed a moment before"])(
    "a page that moves to the next table while the first one %s says hello on the same socket",
    async (when) => {
      if (when !== "is still open") socket.close();
      follow(socket.release());
      await Promise.resolve();
      socket.close();
      expect(latest().sent).toEqual([HELLO, '{"t":"hello","tokens":["secret"],"table":"NEXT"}']);
      latest().say(PONG);
      expect([heard, nextHeard]).toEqual([[], [PONG]]);
      expect([up, nextUp]).toEqual([[true], [true]]);
      expect(next.confirmTable(true)).toBe(true);
      vi.advanceTimersByTime(1_000);
      latest().say(PONG);
      vi.advanceTimersByTime(5_000);
      expect(Line.all).toHaveLength(1);
      expect(latest().readyState).toBe(Line.OPEN);
    },
  );

  test("if nobody uses it, it is closed", () => {
    socket.close();
    vi.advanceTimersByTime(1);
    expect(latest().readyState).toBe(Line.CLOSED);
    follow(socket.release());
    expect(Line.all).toHaveLength(2);
  });

  test("a silent or lost connection is not reused", () => {
    vi.advanceTimersByTime(3_000);
    follow(socket.release());
    expect(latest().url).toBe("wss://games.example/ws/NEXT");
  });

  test("a connection that is lost at that moment is replaced", async () => {
    follow(socket.release());
    latest().close();
    await Promise.resolve();
    expect(latest().url).toBe("wss://games.example/ws/NEXT");
  });

  test("after a refusal before the first message of the table, a new connection is tried", async () => {
    follow(socket.release());
    await Promise.resolve();
    expect(next.confirmTable(false)).toBe(false);
    expect(Line.all.map((line) => line.readyState)).toEqual([Line.CLOSED, Line.CONNECTING]);
    latest().open();
    expect(next.confirmTable(false)).toBe(true);
    expect(Line.all).toHaveLength(2);
  });

  test("for a table that does not answer, a new connection is tried", async () => {
    follow(socket.release());
    await Promise.resolve();
    vi.advanceTimersByTime(1_500);
    latest().say(PONG);
    vi.advanceTimersByTime(1_500);
    expect(Line.all).toHaveLength(2);
  });
});

test("after an intended close it stays closed", () => {
  latest().open();
  socket.close();
  vi.advanceTimersByTime(60_000);
  browser.dispatchEvent(new Event("online"));
  expect(Line.all).toHaveLength(1);
  expect(up).toEqual([true]);
});
