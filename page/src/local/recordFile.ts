/**
 * A game as a file: its record, followed by comment lines that name the players; readers of records skip them.
 *
 *     # person 0 Anna
 *     # bot 1 normal
 */
import type { GameEntry } from "../protocol.ts";
import { freeName, type Level, type Seat } from "./room.ts";

const LINE = /^# (person|bot) ([0-9]) (.+)$/;

export function writeFile(record: string, seats: Seat[]): string {
  const lines = seats.map(({ name, level, own }, place) =>
    own || level === null ? `# person ${place} ${name}` : `# bot ${place} ${level}`,
  );
  return `${record}${lines.join("\n")}\n`;
}

/** Return the seats that a file names. A seat without a name, or with an unknown bot, becomes a person. */
export function readSeats(file: string, count: number, game: GameEntry, person: string): Seat[] {
  const named = new Map<number, RegExpExecArray>();
  for (const line of file.split("\n")) {
    const found = LINE.exec(line.trim());
    if (found) named.set(Number(found[2]), found);
  }
  const seats: Seat[] = [];
  for (let place = 0; place < count; place++) {
    const [, kind, , text = ""] = named.get(place) ?? [];
    if (kind === "bot" && game.bots.includes(text as Level)) seats.push({ name: "", level: text as Level, own: false });
    else seats.push({ name: nameFor(seats, kind === "person" ? text : person, person), level: null, own: true });
  }
  return seats;
}

/** Return the wanted name, or else one that is free. */
function nameFor(seats: Seat[], wish: string, person: string): string {
  for (let n = 1; ; n++) {
    try {
      return freeName(seats, n === 1 ? wish : `${person} ${n}`);
    } catch {
      // Taken, or without visible characters: try the next one.
    }
  }
}

const STEP = /^([0-9]|roll|deal|shuffle) /;

/** Return a record up to some step, without result, comments and seed: the seed would reveal future dice. */
export function cut(file: string, steps: number): string {
  const lines = file.split("\n").filter((line) => line && !/^(#|seed |scores )/.test(line));
  let left = steps;
  return `${lines.filter((line) => !STEP.test(line) || left-- > 0).join("\n")}\n`;
}
