/** Decisions that were taken back stay in a game's record as remarks, which readers of records skip. */
import type { Frame } from "../lib/protocol.ts";

export interface Remark {
  /** How many rolls and decisions stand before it. */
  after: number;
  /** Who had decided what: "0 r7". */
  step: string;
}

const TAKEN_BACK = "# taken back: ";
const STEP = /^(?:roll|deal|shuffle|[0-9]) /;

/** Count the rolls and decisions of a record. */
export function stepsIn(record: string): number {
  return record.split("\n").filter((line) => STEP.test(line)).length;
}

/** Put remarks where they belong. */
export function weave(record: string, remarks: readonly Remark[]): string {
  if (!remarks.length) return record;
  const lines: string[] = [];
  const add = (after: number) => lines.push(...remarks.filter((each) => each.after === after).map((each) => TAKEN_BACK + each.step));
  let steps = 0;
  for (const line of record.split("\n")) {
    if (STEP.test(line)) add(steps++);
    else if (line.startsWith("scores") || !line) add(steps);
    lines.push(line);
  }
  return lines.join("\n");
}

/** Take a record and its remarks apart. */
export function unweave(record: string): { played: string; remarks: Remark[] } {
  const lines: string[] = [];
  const remarks: Remark[] = [];
  let after = 0;
  for (const line of record.split("\n")) {
    if (line.startsWith(TAKEN_BACK)) remarks.push({ after, step: line.slice(TAKEN_BACK.length) });
    else lines.push(line);
    if (STEP.test(line)) after += 1;
  }
  return { played: lines.join("\n"), remarks };
}

/** Tell in a replay what was taken back, with the step that came instead. */
export function tellRemarks(frames: Frame[], remarks: readonly Remark[]): Frame[] {
  return frames.map((frame, at) => {
    const undone = remarks.filter((each) => each.after + 1 === at).map(({ step }) => ({ e: "undone" as const, seat: Number(step[0]) }));
    return undone.length ? { ...frame, events: [...undone, ...frame.events] } : frame;
  });
}
