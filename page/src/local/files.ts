/**
 * A game as a file: its record, and behind it, in lines that a reader of records skips, who sat where.
 *
 *     # person 0 Anna
 *     # bot 1 normal
 */
import type { GameEntry } from "../lib/protocol.ts";
import type { Level, Seat } from "./room.ts";

const LINE = /^# (person|bot) ([0-9]) (.+)$/;

export function writeFile(record: string, seats: Seat[]): string {
  const lines = seats.map(({ name, level, own }, place) => (own || level === null ? `# person ${place} ${name}` : `# bot ${place} ${level}`));
  return `${record}${lines.join("\n")}\n`;
}

/** Give the seats that a file names; where it names nobody there is a person. */
export function readSeats(file: string, count: number, game: GameEntry, person: string): Seat[] {
  const seats = Array.from({ length: count }, (_, place): Seat => ({ name: place ? `${person} ${place + 1}` : person, level: null, own: true }));
  for (const line of file.split("\n")) {
    const [, kind, digit, text = ""] = LINE.exec(line.trim()) ?? [];
    const place = Number(digit);
    if (!kind || place >= count) continue;
    if (kind === "person") seats[place] = { name: [...text].slice(0, 24).join(""), level: null, own: true };
    else if (game.bots.includes(text as Level)) seats[place] = { name: "", level: text as Level, own: false };
  }
  return seats;
}
