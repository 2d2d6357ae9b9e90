/**
 * The beat of a roll: the dice fly, then their sum appears, then the cells light up.
 *
 * Everything that could reveal the roll reads the stage. A tap skips to the end; with reduced motion there is no stage but the last.
 */
import { getContext, setContext } from "svelte";
import { motionMs } from "../device/motion.ts";

export type Stage = "flying" | "sum" | "cells";

const KEY = Symbol("beat");

export class Beat {
  stage = $state<Stage>("cells");
  /** Whether dice have landed on this screen: only these stamp their sum. */
  hasLanded = $state(false);
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `hold` is called with true when dice begin to fly, and with false when they have landed. */
  constructor(private readonly hold: (holds: boolean) => void) {}

  /** Let the dice fly. */
  start(): void {
    clearTimeout(this.timer);
    const flight = motionMs("dice");
    if (!flight) return this.skip();
    this.stage = "flying";
    this.hasLanded = true;
    this.hold(true);
    this.timer = setTimeout(() => this.land(), flight);
  }

  /** Show everything now. */
  skip(): void {
    clearTimeout(this.timer);
    this.stage = "cells";
    this.hold(false);
  }

  private land(): void {
    this.stage = "sum";
    this.timer = setTimeout(() => this.skip(), motionMs("sum"));
  }

  /** A tap anywhere skips the rest. On the sheet and the dock it does nothing else: it was made before anything was lit. */
  skipByTap(): (() => void) | undefined {
    if (this.stage === "cells") return undefined;
    const tapped = (event: MouseEvent): void => {
      this.skip();
      if (event.target instanceof Element && event.target.closest(".desk, .dock")) event.stopPropagation();
    };
    addEventListener("click", tapped, { capture: true });
    return () => removeEventListener("click", tapped, { capture: true });
  }
}

/** Provide the beat to all components below this one. */
export function provideBeat(beat: Beat): Beat {
  return setContext(KEY, beat);
}

/** Return the beat of the screen; undefined where nothing is rolled. */
export function useBeat(): Beat | undefined {
  return getContext<Beat | undefined>(KEY);
}
