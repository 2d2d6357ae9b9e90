/** The lessons, a language at a time: `src/qwixx/lessons` as the build makes modules of it. */
import type { Language } from "../lib/i18n.svelte.ts";

/** One idea: what is said, what is asked for, and what is said when it is done. */
export interface Step {
  id: string;
  says: string;
  done: string;
  /** The position it stands on; without one it goes on from the step before. */
  start?: string;
  /** What happens before the reader is asked, as lines of a record. */
  plays?: string[];
  /** The actions that are right; the first is made for who skips the step. */
  asks?: string[];
  /** An action that the rules refuse: the reader tries it and is told why not. */
  tries?: string[];
  /** Numbers to choose from, where something is to be counted. */
  picks?: number[];
  right?: number;
  /** What the others do when the reader has done it. */
  then?: string[];
  /** Something that lies beside the sheet. */
  shows?: "points";
}

const LOADERS: Record<Language, () => Promise<{ default: Record<string, Step[]> }>> = {
  en: () => import("lessons:en"),
  fr: () => import("lessons:fr"),
  de: () => import("lessons:de"),
  it: () => import("lessons:it"),
};

/** Give the steps of a game's lesson. */
export async function lessonOf(variant: string, language: Language): Promise<Step[]> {
  const steps = (await LOADERS[language]()).default[variant];
  if (!steps) throw new Error("404");
  return steps;
}
