/** What whoever runs the server has to say to everybody: asked for when the page opens or is looked at again, else told. */
import { announcement as ask } from "./api.ts";
import type { Announcement } from "./protocol.ts";
import { isSite } from "./site.ts";

const current = $state({ text: "" });
let ends: number | undefined;

/** The text to show; empty if there is none. */
export function announcement(): string {
  return current.text;
}

/** Show what was announced, for as long as it holds. */
export function announced({ text, seconds }: Announcement): void {
  clearTimeout(ends);
  if (text !== hidden) current.text = text;
  if (text) ends = window.setTimeout(() => (current.text = ""), seconds * 1000);
}

/** What the reader has seen enough of. */
let hidden = "";

export function hideAnnouncement(): void {
  hidden = current.text;
  current.text = "";
}

function look(): void {
  if (!isSite && document.visibilityState === "visible") ask().then(announced, () => undefined); // no server, no news
}

/** Begin to look; gives what ends it. */
export function lookForAnnouncements(): () => void {
  look();
  document.addEventListener("visibilitychange", look);
  return () => document.removeEventListener("visibilitychange", look);
}
