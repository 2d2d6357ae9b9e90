/** What the reader has chosen for this device; kept in the browser. */
import type { Place } from "./house.ts";

export type Theme = "auto" | "light" | "dark";

export type Roll = "tap" | "shake" | "self";

export interface Settings {
  language: string;
  name: string;
  theme: Theme;
  /** Marks on every cell and patterns on the rows, for those who do not tell the colors apart. */
  patterns: boolean;
  sound: boolean;
  /** Whether the phone lets one feel crosses, locks and misses. */
  haptics: boolean;
  /** How one's own dice are rolled: by a tap, by a shake of the phone too, or by themselves. */
  roll: Roll;
  /** Where games are begun: at the server, or on this device. */
  place: Place;
  /** Sound and vibration when it is one's turn and one looks elsewhere. */
  nudge: boolean;
  /** Whether signs of others are shown. */
  reactions: boolean;
  /** What was chosen on the start page last: the game, how many bots, and how strong. */
  game: string;
  bots: number;
  level: string;
  /** How long a bot on this device seems to think, in seconds. */
  pace: number;
  /** Whether the page passes where nothing can be crossed and that costs nothing. */
  autoPass: boolean;
  /** How long a new window takes no tap, in seconds: a double tap must not decide twice. */
  guard: number;
}

/** A setting as the menu shows it. Its words are `settings.<key>`, `settings.<key>.hint` if there is one, `settings.<key>.<choice>`. */
export type Shown = { key: keyof Settings; choices?: readonly string[] };

/** What the menu offers, in its order: a list of choices, or a switch. Whoever adds a setting adds a line here and its words. */
export const SHOWN: readonly Shown[] = [
  { key: "theme", choices: ["auto", "light", "dark"] satisfies Theme[] },
  { key: "patterns" },
  { key: "sound" },
  { key: "haptics" },
  { key: "roll", choices: ["tap", "shake", "self"] satisfies Roll[] },
  { key: "autoPass" },
  { key: "nudge" },
  { key: "reactions" },
];

const KEY = "qwixx.settings";
const DEFAULTS: Settings = {
  language: "",
  name: "",
  theme: "auto",
  patterns: false,
  sound: false,
  haptics: true,
  roll: "tap",
  place: "server",
  game: "",
  bots: 2,
  level: "",
  nudge: true,
  reactions: true,
  pace: 0.7,
  autoPass: true,
  guard: 0.45,
};

function load(): Settings {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>) };
  } catch {
    return { ...DEFAULTS }; // storage is blocked or holds something else: play on without memory
  }
}

export const settings = $state<Settings>(load());

/** Change settings, show them and keep them. */
export function choose(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  applySettings();
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** Put the settings where the style sheet sees them. */
export function applySettings(): void {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.patterns = settings.patterns ? "on" : "off";
}

/** Whether the reader's system asks for less motion. */
export function prefersCalm(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
