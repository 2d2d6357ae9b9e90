/** The alert for the player's turn: by the icon of the tab, and by sound and vibration while the page is hidden. */
import { settings } from "./settings.svelte.ts";
import { fileOf } from "./origin.ts";
import { chime } from "./sound.ts";

/** After such a wait the player may have put the phone down, in milliseconds. */
const LONG = 8_000;

/** Show by the tab's icon whether the game waits for this device. */
export function markIcon(isTurn: boolean): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const wanted = fileOf(`icon${isTurn ? "-turn" : ""}.svg`);
  if (icon && icon.getAttribute("href") !== wanted) icon.setAttribute("href", wanted);
}

/** Alert a player whose page is hidden, or who has waited for long. */
export function nudge(waited: number): void {
  if (!settings.nudge || (!document.hidden && waited < LONG)) return;
  navigator.vibrate?.([70, 50, 70]);
  if (document.hidden || settings.sound) chime();
}
