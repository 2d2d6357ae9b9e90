/** The progress in each lesson, and declined offers; stored on this device. */

import * as storage from "../device/storage.ts";

export interface Progress {
  /** The step that was shown last. */
  at: number;
  /** The actions of each step, so that the sheet looks as it did. */
  answers: (string | null)[];
  /** Whether the last step was reached once. */
  finished?: boolean;
  /** Whether the offer was declined. */
  declined?: boolean;
}

const KEY = "qwixx.lessons";
const NOTHING: Progress = { at: 0, answers: [] };

function load(): Record<string, Progress> {
  try {
    const kept: unknown = JSON.parse(storage.read(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Record<string, Progress>) : {};
  } catch {
    return {}; // storage is blocked or holds something else
  }
}

/** Return the progress in a lesson; invalid stored data is ignored. */
export function progressOf(variant: string): Progress {
  const found = load()[variant];
  if (!found || !Number.isInteger(found.at) || found.at < 0 || !Array.isArray(found.answers))
    return { ...NOTHING, ...pick(found) };
  return {
    at: found.at,
    answers: found.answers.map((each) => (typeof each === "string" ? each : null)),
    ...pick(found),
  };
}

function pick(found: Progress | undefined): Pick<Progress, "finished" | "declined"> {
  return { finished: found?.finished === true, declined: found?.declined === true };
}

export function keepProgress(variant: string, changes: Partial<Progress>): void {
  // Without storage a lesson starts from the beginning each time; nothing else is lost.
  storage.write(KEY, JSON.stringify({ ...load(), [variant]: { ...progressOf(variant), ...changes } }));
}
