/** The lessons, loaded by language, from `src/qwixx/tutorial/lessons`. */
import loaders from "lessons:loaders";
import type { Language } from "../words/i18n.svelte.ts";

/** One step: its text, its task, and the text when the task is done. */
export interface Step {
  id: string;
  says: string;
  done: string;
  /** The start position; without one the step continues from the previous one. */
  start?: string;
  /** The events before the task, as lines of a record. */
  plays?: string[];
  /** The right actions; the first one is made when the step is skipped. */
  asks?: string[];
  /** An action that the rules refuse: the reader tries it and sees why not. */
  tries?: string[];
  /** The answers of a counting task. */
  picks?: number[];
  right?: number;
  /** The decisions of the others after the task. */
  then?: string[];
  /** Something that lies beside the sheet. */
  shows?: "points";
}

/** Load the lesson of a game. */
export async function lessonOf(variant: string, language: Language): Promise<Step[]> {
  const steps = (await loaders[language]()).default[variant];
  if (!steps) throw new Error("404");
  return steps;
}
