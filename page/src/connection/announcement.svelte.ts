/** The operator's announcement to everybody: fetched when the page opens or becomes visible again, and sent by tables. */
import { announcement as ask } from "./httpApi.ts";
import type { Announcement } from "../protocol.ts";
import { isSite } from "../device/origin.ts";

const current = $state({ text: "" });
let timer: number | undefined;

/** The text to show; empty if there is none. */
export function announcement(): string {
  return current.text;
}

/** How many announcements this page has received. */
let count = 0;

/** Show an announcement for as long as it is valid. */
export function showAnnouncement({ text, seconds }: Announcement): void {
  count++;
  clearTimeout(timer);
  current.text = text === hidden ? "" : text;
  if (text) timer = window.setTimeout(() => (current.text = ""), seconds * 1000);
}

/** The text that the reader has hidden. */
let hidden = "";

export function hideAnnouncement(): void {
  hidden = current.text;
  current.text = "";
}

function refresh(): void {
  if (isSite || document.visibilityState !== "visible") return;
  const before = count;
  // An announcement that a table sent meanwhile is newer than this answer. Without a server there is none.
  ask().then(
    (found) => count === before && showAnnouncement(found),
    () => undefined,
  );
}

/** Start watching; return a function that stops it. */
export function watchAnnouncements(): () => void {
  refresh();
  document.addEventListener("visibilitychange", refresh);
  return () => document.removeEventListener("visibilitychange", refresh);
}
