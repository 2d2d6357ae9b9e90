/** The settings of this device, stored in localStorage. */
import * as storage from "./storage.ts";
import type { HostKind } from "../house.ts";
import { TABLE } from "../protocol.ts";

export type Theme = "auto" | "light" | "dark";

export type Roll = "tap" | "shake" | "self";

/** Grades of `engine/coach/grades.ts`, or never. */
export type TutorFrom = "off" | "slip" | "mistake" | "blunder";

export type Pace = keyof typeof TABLE.paces;

export interface Settings {
  language: string;
  name: string;
  theme: Theme;
  /** Marks on every cell and patterns on the rows, for those who do not tell the colors apart. */
  patterns: boolean;
  sound: boolean;
  /** Whether sound was offered: that happens once. */
  soundAsked: boolean;
  /** Whether the phone vibrates for crosses, locks and misses. */
  haptics: boolean;
  /** How own dice are rolled: by a tap, also by a shake of the phone, or automatically. */
  roll: Roll;
  /** Where new games are opened: at the server, or on this device. */
  place: HostKind;
  /** Sound and vibration on the player's turn while the page is hidden. */
  nudge: boolean;
  /** Whether reactions of others are shown. */
  reactions: boolean;
  /** The last choice on the start page: the game, how many bots, and how strong. */
  game: string;
  bots: number;
  level: string;
  /** How long bots and animations take. */
  pace: Pace;
  /** How long a bot on this device seems to think at the normal pace, in seconds. */
  botDelay: number;
  /** How long the next roll waits on this device, so that a decision can be undone, in seconds. */
  undoSeconds: number;
  /** Whether the page passes where nothing can be crossed and that costs nothing. */
  autoPass: boolean;
  /** The smallest grade of a choice before which the page asks; "off": it never asks. */
  tutor: TutorFrom;
  /** How long a new decision window ignores taps, in seconds: a double tap must not decide twice. */
  guard: number;
}

/** A setting as the menu shows it. Its words are `settings.<key>`, `settings.<key>.hint` if there is one, `settings.<key>.<choice>`. */
export type Shown = { key: keyof Settings; choices?: readonly string[] };

/** The entries of the menu, in order: a list of choices, or a switch. A new setting needs a line here and its texts. */
export const SHOWN: readonly Shown[] = [
  { key: "theme", choices: ["auto", "light", "dark"] satisfies Theme[] },
  { key: "patterns" },
  { key: "sound" },
  { key: "haptics" },
  { key: "roll", choices: ["tap", "shake", "self"] satisfies Roll[] },
  { key: "pace", choices: ["calm", "normal", "fast"] satisfies Pace[] },
  { key: "autoPass" },
  { key: "tutor", choices: ["off", "slip", "mistake", "blunder"] satisfies TutorFrom[] },
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
  soundAsked: false,
  haptics: true,
  roll: "tap",
  place: "server",
  game: "",
  bots: 2,
  level: "",
  nudge: true,
  reactions: true,
  pace: "normal",
  botDelay: TABLE.botDelay,
  undoSeconds: TABLE.undoSeconds,
  autoPass: true,
  tutor: "off",
  guard: 0.45,
};

function load(): Settings {
  try {
    const stored = { ...DEFAULTS, ...(JSON.parse(storage.read(KEY) ?? "{}") as Partial<Settings>) };
    return { ...stored, pace: stored.pace in TABLE.paces ? stored.pace : DEFAULTS.pace }; // it used to be a number
  } catch {
    return { ...DEFAULTS }; // storage is blocked or holds something else: use the defaults
  }
}

export const settings = $state<Settings>(load());

/** Change settings, apply and store them. */
export function choose(changes: Partial<Settings>): void {
  Object.assign(settings, changes);
  applySettings();
  // Without storage the choice lasts as long as the page.
  storage.write(KEY, JSON.stringify(settings));
}

/** Set the attributes that the style sheet reads. */
export function applySettings(): void {
  const root = document.documentElement;
  if (settings.theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = settings.theme;
  root.dataset.patterns = settings.patterns ? "on" : "off";
  root.dataset.pace = settings.pace;
}

/** Return whether the system asks for reduced motion. */
export function prefersReducedMotion(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
