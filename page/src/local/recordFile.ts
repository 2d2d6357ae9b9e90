/**
 * A game as a file: its record, and behind it, in lines that a reader of records skips, who sat where.
 *
 *     # person 0 Anna
 *     # bot 1 normal
 */
import type { GameEntry } from "../lib/protocol.ts";
import { freeName, type Level, type Seat } from "./room.ts";

const LINE = /^# (person|bot) ([0-9]) (.+)$/;

export function writeFile(record: string, seats: Seat[]): string {
  const lines = seats.map(({ name, level, own }, place) =>
    own || level === null ? `# person ${place} ${name}` : `# bot ${place} ${level}`,
  );
  return `${record}${lines.join("\n")}\n`;
}

/** Give the seats that a file names; where it names nobody, or nobody that can sit here, there is a person. */
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

/** Give somebody the name they had, or else one that nobody has yet. */
function nameFor(seats: Seat[], wish: string, person: string): string {
  for (let n = 1; ; n++) {
    try {
      return freeName(seats, n === 1 ? wish : `${person} ${n}`);
    } catch {
      // Taken, or nothing to be seen of it: the next one.
    }
  }
}

const STEP = /^([0-9]|roll|deal|shuffle) /;

/** A record up to some step, without its result, what others remarked, and the seed of dice that have not fallen yet. */
export function cut(file: string, steps: number): string {
  const lines = file.split("\n").filter((line) => line && !/^(#|seed |scores )/.test(line));
  let left = steps;
  return `${lines.filter((line) => !STEP.test(line) || left-- > 0).join("\n")}\n`;
}
