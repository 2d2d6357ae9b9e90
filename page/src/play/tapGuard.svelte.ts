/**
 * Prevents accidental decisions: a decision window or a question that has just appeared ignores taps for as long as a double
 * tap lasts.
 */
import { settings } from "../device/settings.svelte.ts";

/** When the click happened that is being handled now, or the key was pressed: a busy page may handle it much later. */
let clicked = 0;
for (const kind of ["click", "keydown"])
  globalThis.addEventListener?.(kind, (event) => (clicked = event.timeStamp), { capture: true });

export class TapGuard {
  /** Whether taps are ignored now, for display. */
  holds = $state(false);
  private until = 0;
  private timer: number | undefined;

  /** Whether the click that is being handled came too early to be meant for what is shown now. */
  get blocks(): boolean {
    return clicked < this.until;
  }

  /** Ignore taps for some seconds; never shorten a wait that is already running. */
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

/** Recognizes double taps on toggles: the second tap would only undo the first. */
export class DoubleTapFilter {
  private target: unknown = null;
  private at = 0;

  /** Return whether this is the second tap of a double tap on the same target. */
  isSecond(target: unknown): boolean {
    const isSecond = target === this.target && clicked - this.at < settings.guard * 1000;
    this.target = target;
    this.at = clicked;
    return isSecond;
  }
}
