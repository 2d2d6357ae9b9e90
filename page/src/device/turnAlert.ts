/** It is your turn: said by the tab's icon, and by sound and touch to who looks elsewhere. The tab's title is the page's own. */
import { settings } from "./settings.svelte.ts";
import { fileOf } from "./site.ts";
import { chime } from "./sound.ts";

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
