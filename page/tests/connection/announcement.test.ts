/** The announcement of the operator: sent by a table, requested over HTTP, hidden by the reader. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const LONG = 3600;

/** Answer the HTTP request when the test decides. */
let answer: (text: string) => Promise<void>;
let page: typeof import("../../src/connection/announcement.svelte.ts");

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.stubGlobal("window", globalThis);
  vi.stubGlobal(
    "document",
    Object.assign(new EventTarget(), { visibilityState: "visible", querySelector: () => null }),
  );
  vi.stubGlobal(
    "fetch",
    () =>
      new Promise((resolve) => {
        answer = async (text) => {
          resolve(Response.json({ t: "announcement", text, seconds: LONG }));
          vi.runAllTicks();
          await vi.advanceTimersByTimeAsync(1);
        };
      }),
  );
  page = await import("../../src/connection/announcement.svelte.ts");
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function announce(text: string): void {
  page.showAnnouncement({ t: "announcement", text, seconds: LONG });
}

test("an announcement is shown until its time is over", async () => {
  page.watchAnnouncements();
  await answer("Back at noon");
  expect(page.announcement()).toBe("Back at noon");
  await vi.advanceTimersByTimeAsync(LONG * 1000);
  expect(page.announcement()).toBe("");
});

test("a withdrawn announcement is not shown any more", () => {
  announce("Back at noon");
  announce("");
  expect(page.announcement()).toBe("");
});

test("an announcement that the reader has hidden stays hidden when it is sent again; another one is shown", () => {
  announce("Back at noon");
  page.hideAnnouncement();
  announce("Back at noon");
  expect(page.announcement()).toBe("");
  announce("Back at one");
  expect(page.announcement()).toBe("Back at one");
});

test("an answer over HTTP does not replace a later message of a table", async () => {
  page.watchAnnouncements();
  announce("Back at noon");
  await answer("Back at ten");
  expect(page.announcement()).toBe("Back at noon");
});
