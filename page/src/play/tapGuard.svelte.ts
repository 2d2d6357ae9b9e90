/**
 * Nothing is decided by accident: a window that has just opened, or a question that has just come up, takes no tap for as
 * long as a double tap lasts.
 */
import { settings } from "./settings.svelte.ts";

/** When the finger, key or reader clicked that is being answered now: a busy page may come to it much later. */
let clicked = 0;
globalThis.addEventListener?.("click", (event) => (clicked = event.timeStamp), { capture: true });

export class Guard {
  /** Whether taps count for nothing now, for those who look. */
  holds = $state(false);
  private until = 0;
  private timer: number | undefined;

  /** Whether the click that is being answered came too early to be meant for what is there now. */
  get blocks(): boolean {
    return clicked < this.until;
  }

  /** Take no tap for a while, in seconds; never for less than was said before. */
  hold(seconds = settings.guard): void {
    const until = performance.now() + seconds * 1000;
    if (seconds <= 0 || until <= this.until) return;
    this.until = until;
    this.holds = true;
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => (this.holds = false), seconds * 1000);
  }

  close(): void {
    clearTimeout(this.timer);
  }
}

/** Tells double taps on things that are switched on and off: the second one would only take back the first. */
export class Taps {
  private target: unknown = null;
  private at = 0;

  /** Whether this is the second of two taps on the same thing. */
  isSecond(target: unknown): boolean {
    const isSecond = target === this.target && clicked - this.at < settings.guard * 1000;
    this.target = target;
    this.at = clicked;
    return isSecond;
  }
}
