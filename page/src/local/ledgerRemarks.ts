/** Decisions that were taken back, and hints that were taken, stay in a game's record as remarks, which readers of records skip. */
import type { AnyEvent, Frame } from "../lib/protocol.ts";

export interface Remark {
  /** How many rolls and decisions stand before it. */
  after: number;
  /** The line itself. */
  line: string;
}

const REMARK = /^# (?:(taken back): ([0-9]) \S.*|(hint): ([0-9]))$/;
const STEP = /^(?:roll|deal|shuffle|[0-9]) /;

/** Somebody had decided this, "0 r7", and took it back. */
export function takenBack(after: number, step: string): Remark {
  return { after, line: `# taken back: ${step}` };
}

/** A seat took a hint. */
export function hintTaken(after: number, seat: number): Remark {
  return { after, line: `# hint: ${seat}` };
}

/** Remarks of a game that goes back to where it had so many steps: those that stood behind stand there now. */
export function movedBack(remarks: readonly Remark[], steps: number): Remark[] {
  return remarks.map((each) => (each.after > steps ? { ...each, after: steps } : each));
}

/** Count the rolls and decisions of a record. */
export function stepsIn(record: string): number {
  return record.split("\n").filter((line) => STEP.test(line)).length;
}

/** Put remarks where they belong. */
export function weave(record: string, remarks: readonly Remark[]): string {
  if (!remarks.length) return record;
  const lines: string[] = [];
  const add = (after: number) => lines.push(...remarks.filter((each) => each.after === after).map((each) => each.line));
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
    if (REMARK.test(line)) remarks.push({ after, line });
    else lines.push(line);
    if (STEP.test(line)) after += 1;
  }
  return { played: lines.join("\n"), remarks };
}

/** Tell in a replay what was taken back and who took a hint, with the step that came then. */
export function tellRemarks(frames: Frame[], remarks: readonly Remark[]): Frame[] {
  return frames.map((frame, at) => {
    const told = toldAfter(remarks, at - 1);
    return told.length ? { ...frame, events: [...told, ...frame.events] } : frame;
  });
}

/** What was remarked when a game had so many steps. */
export function toldAfter(remarks: readonly Remark[], steps: number): AnyEvent[] {
  return remarks.filter((each) => each.after === steps).map(eventOf);
}

function eventOf({ line }: Remark): AnyEvent {
  const [, undone, undoing, , hinting] = REMARK.exec(line) ?? [];
  return undone ? { e: "undone", seat: Number(undoing) } : { e: "hinted", seat: Number(hinting) };
}
