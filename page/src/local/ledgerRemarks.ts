/** Remarks in a record: undone decisions and hints, as comment lines that readers of records skip. */
import type { AnyEvent, Frame } from "../protocol.ts";

export interface Remark {
  /** How many rolls and decisions come before it. */
  after: number;
  /** The line itself. */
  line: string;
}

const REMARK = /^# (?:(taken back): ([0-9]) \S.*|(hint): ([0-9]))$/;
const STEP = /^(?:roll|deal|shuffle|[0-9]) /;

/** Return the remark for an undone decision, such as "0 r7". */
export function undoRemark(after: number, step: string): Remark {
  return { after, line: `# taken back: ${step}` };
}

/** Return the remark for a hint. */
export function hintRemark(after: number, seat: number): Remark {
  return { after, line: `# hint: ${seat}` };
}

/** Move remarks when a game goes back to so many steps: later ones move to the new end. */
export function moveRemarksBack(remarks: readonly Remark[], steps: number): Remark[] {
  return remarks.map((each) => (each.after > steps ? { ...each, after: steps } : each));
}

/** Count the rolls and decisions of a record. */
export function countSteps(record: string): number {
  return record.split("\n").filter((line) => STEP.test(line)).length;
}

/** Insert remarks into a record. */
export function insertRemarks(record: string, remarks: readonly Remark[]): string {
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

/** Split a record into its steps and its remarks. */
export function splitRemarks(record: string): { played: string; remarks: Remark[] } {
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

/** Add events for remarks to the frames of a replay. */
export function addRemarkEvents(frames: Frame[], remarks: readonly Remark[]): Frame[] {
  return frames.map((frame, at) => {
    const told = remarkEventsAfter(remarks, at - 1);
    return told.length ? { ...frame, events: [...told, ...frame.events] } : frame;
  });
}

/** Return the events of the remarks after so many steps. */
export function remarkEventsAfter(remarks: readonly Remark[], steps: number): AnyEvent[] {
  return remarks.filter((each) => each.after === steps).map(eventOf);
}

function eventOf({ line }: Remark): AnyEvent {
  const [, undone, undoing, , hinting] = REMARK.exec(line) ?? [];
  return undone ? { e: "undone", seat: Number(undoing) } : { e: "hinted", seat: Number(hinting) };
}
