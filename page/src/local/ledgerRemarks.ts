/** Remarks in a record: undone decisions and hints, as comment lines that readers of records skip. */
import { TABLE, type AnyEvent, type Frame } from "../protocol.ts";

export interface Remark {
  /** How many rolls and decisions come before it. */
  after: number;
  /** The line itself. */
  line: string;
}

const REMARK = new RegExp(`^(?:(${TABLE.undone})([0-9]) \\S.*|(${TABLE.hinted})([0-9]))$`);
const STEP = /^(?:roll|deal|shuffle|[0-9]) /;

/** Return the line for an undone decision. */
export function undoLine(seat: number, text: string): string {
  return `${TABLE.undone}${seat} ${text}`;
}

/** Return the line for a hint. */
export function hintLine(seat: number): string {
  return `${TABLE.hinted}${seat}`;
}

export function isRemark(line: string): boolean {
  return REMARK.test(line);
}

/** Return whether a line of a record is a roll, a deal, a shuffle or a decision. */
export function isStep(line: string): boolean {
  return STEP.test(line);
}

/** Return the remarks of a record. */
export function remarksOf(record: string): Remark[] {
  const remarks: Remark[] = [];
  let after = 0;
  for (const line of record.split("\n")) {
    if (isRemark(line)) remarks.push({ after, line });
    else if (isStep(line)) after += 1;
  }
  return remarks;
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
