/** Write and read a game as lines of text: the same record as Python's (docs/formats.md). */
import type { Tables } from "../tables.ts";
import { trimmed } from "./notation.ts";

/** One line of a game: a chance event (seat null, with its word), or the decision of a seat. */
export interface Step {
  seat: number | null;
  word: string;
  text: string;
  line: number;
}

export interface GameRecord {
  facts: Record<string, string>;
  steps: Step[];
  scores: number[] | null;
  scoresLine: number;
}

/** A record that cannot be read, with the line of the first error. */
export class BadRecord extends Error {
  readonly line: number;

  constructor(line: number) {
    super(`Line ${line} of the record makes no sense.`);
    this.line = line;
  }
}

export function stepText(step: Step): string {
  return step.seat === null ? `${step.word} ${step.text}` : `${step.seat} ${step.text}`;
}

export function writeRecord(tables: Tables, { facts, steps, scores }: GameRecord): string {
  const { first, header } = tables.record;
  const lines = [first, ...header.filter((key) => key in facts).map((key) => `${key} ${facts[key]}`)];
  lines.push(...steps.map(stepText));
  if (scores) lines.push(`scores ${scores.join(" ")}`);
  return `${lines.join("\n")}\n`;
}

/** Read a record; a replay checks whether its moves are legal. Throws BadRecord. */
export function readRecord(tables: Tables, text: string): GameRecord {
  if (text.length > tables.longest.record) throw new BadRecord(1);
  const record: GameRecord = { facts: {}, steps: [], scores: null, scoresLine: 0 };
  let isStarted = false;
  for (const [index, raw] of text.split("\n").entries()) {
    const line = trimmed(raw);
    if (!line || line.startsWith("#")) continue;
    if (!isStarted) {
      if (line !== tables.record.first) throw new BadRecord(index + 1);
      isStarted = true;
    } else if (record.scores) throw new BadRecord(index + 1);
    else readLine(tables, record, line, index + 1);
  }
  if (!isStarted) throw new BadRecord(1);
  if (tables.record.drawing in record.facts) throw new BadRecord(1); // not supported here
  if (!("start" in record.facts) && ["variant", "seats", "first"].some((key) => !(key in record.facts)))
    throw new BadRecord(1);
  return record;
}

function readLine(tables: Tables, record: GameRecord, line: string, number: number): void {
  const space = line.indexOf(" ");
  const word = space < 0 ? line : line.slice(0, space);
  const rest = space < 0 ? "" : trimmed(line.slice(space));
  if (line.startsWith(tables.record.drawing)) {
    if (record.steps.length) throw new BadRecord(number);
    record.facts[tables.record.drawing] = line;
  } else if (tables.record.header.includes(word)) {
    const isNumber = word === "seats" || word === "first" ? /^[0-9]$/ : word === "seed" ? /^[0-9]{1,20}$/ : /^/;
    if (record.steps.length || word in record.facts || !isNumber.test(rest)) throw new BadRecord(number);
    record.facts[word] = rest;
  } else if (Object.values(tables.chance).includes(word)) {
    record.steps.push({ seat: null, word, text: rest, line: number });
  } else if (word === "scores") {
    if (!/^-?[0-9]{1,6}( -?[0-9]{1,6})*$/.test(rest)) throw new BadRecord(number);
    record.scores = rest.split(" ").map(Number);
    record.scoresLine = number;
  } else if (/^[0-9]$/.test(word) && rest) {
    record.steps.push({ seat: Number(word), word: "", text: rest, line: number });
  } else throw new BadRecord(number);
}

/** The start of the line after the record of a saved game; for a reader of records it is a comment. */
export const CHANCE = "# chance";
