/** It is your turn: said by the tab's icon, and by sound and touch to who looks elsewhere. The tab's title is the page's own. */
import { settings } from "./settings.svelte.ts";
import { fileOf } from "./site.ts";

/** Who has waited this long may have put the phone down, in milliseconds. */
const LONG = 8_000;

/** Show by the tab's icon whether somebody is waited for here. */
export function markIcon(isTurn: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = fileOf(`icon${isTurn ? "-turn" : ""}.svg`);
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** Call somebody who looks elsewhere, or has waited for long. */
export function nudge(waited: number): void {
  if (!settings.nudge || (!document.hidden && waited < LONG)) return;
  navigator.vibrate?.([70, 50, 70]);
  if (document.hidden || settings.sound) chime();
}

let context: AudioContext | undefined;

/** Two soft notes upwards. A browser that has not been touched yet stays silent. */
function chime(): void {
  try {
    context ??= new AudioContext();
  } catch {
    return; // this browser makes no sounds
  }
  for (const [pitch, at] of [
    [523, 0],
    [784, 0.16],
  ] as const) {
    const [note, volume, begin] = [context.createOscillator(), context.createGain(), context.currentTime + at];
    note.frequency.value = pitch;
    volume.gain.setValueAtTime(0.09, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 0.4);
    note.connect(volume).connect(context.destination);
    note.start(begin);
    note.stop(begin + 0.4);
  }
}
