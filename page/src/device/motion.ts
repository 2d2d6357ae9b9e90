/** Durations of the style sheet (`--m-...` in tokens.css), for timers that keep step with it. */

/** Return a duration in milliseconds; 0 where the system asks for reduced motion. */
export function motionMs(name: "dice" | "lock" | "sum"): number {
  const text = getComputedStyle(document.documentElement).getPropertyValue(`--m-${name}`);
  return (parseFloat(text) || 0) * (text.trim().endsWith("ms") ? 1 : 1000);
}
