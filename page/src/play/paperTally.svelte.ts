/** Sheets of an evening with real dice, as they are tapped in: kept on this device until they are cleared. */
import type { Counted, Paper, PaperSheet } from "../kernel/counting.ts";
import { here } from "../local/here.ts";
import type { GameEntry, Layout } from "./protocol.ts";

export interface Person extends PaperSheet {
  name: string;
}

interface Kept {
  game: string;
  sheet: string;
  people: Person[];
}

/** What is on the table now, and the sheets of other games that were left for it. */
interface Shelf {
  now: Kept;
  left: Kept[];
}

const KEY = "qwixx.count";
const LONGEST_NAME = 24;

export function blank(name = ""): Person {
  return { name, cells: {}, misses: 0, used: [], bare: [] };
}

export class Tally {
  readonly games: GameEntry[];
  kept = $state<Kept>({ game: "classic", sheet: "", people: [blank()] });
  /** What the rules say of it; null until they have said something. */
  counted = $state.raw<Counted | null>(null);
  /** Whether this browser cannot run the rules. */
  broken = $state(false);
  #asked = 0;
  /** Sheets of other games, as they were left. */
  #left: Kept[] = [];

  constructor(games: GameEntry[], first: string) {
    this.games = games;
    const shelf = read(games);
    this.kept = shelf?.now ?? {
      game: games.some((game) => game.id === first) ? first : games[0]!.id,
      sheet: "",
      people: [],
    };
    this.#left = shelf?.left ?? [];
    this.fillUp();
  }

  get game(): GameEntry {
    return this.games.find((game) => game.id === this.kept.game) ?? this.games[0]!;
  }

  get sheet(): string {
    return this.game.sheets.includes(this.kept.sheet) ? this.kept.sheet : (this.game.sheets[0] ?? this.game.id);
  }

  get layout(): Layout {
    return this.game.layouts[this.sheet]!;
  }

  /** Another game: its sheets as they were left, or new ones for the same people. */
  play(game: string, sheet = ""): void {
    const left = $state.snapshot(this.kept);
    const others = this.#left.filter((each) => !isOf(each, left.game, left.sheet));
    const found = others.find((each) => isOf(each, game, sheet));
    this.#left = [...others.filter((each) => each !== found), ...(isBlank(left) ? [] : [left])];
    this.kept = found ?? { game, sheet, people: left.people.map((person) => blank(person.name)) };
    this.kept.people = this.kept.people.slice(0, this.game.seats[1]);
    this.fillUp();
  }

  add(): void {
    if (this.kept.people.length < this.game.seats[1]) this.kept.people.push(blank());
    this.changed();
  }

  remove(seat: number): void {
    this.kept.people.splice(seat, 1);
    this.fillUp();
  }

  rename(seat: number, name: string): void {
    this.kept.people[seat]!.name = name.slice(0, LONGEST_NAME);
    this.changed();
  }

  /** Cross a cell, or take its cross away; pawns are stacked one by one. */
  tap(seat: number, cell: string, taking: boolean): void {
    const { cells } = this.kept.people[seat]!;
    const height = cells[cell] ?? 0;
    const next = this.layout.pawns ? Math.max(0, height + (taking ? -1 : 1)) : 1 - height;
    if (next) cells[cell] = Math.min(next, this.layout.pawns || 1);
    else delete cells[cell];
    this.changed();
  }

  /** The duel: whoever had no pawn left has closed the row without one on its lock. */
  tapLock(seat: number, key: string): void {
    const person = this.kept.people[seat]!;
    person.bare = toggled(person.bare, key);
    this.changed();
  }

  tapBar(seat: number, place: number): void {
    const person = this.kept.people[seat]!;
    person.used = toggled(person.used, place);
    this.changed();
  }

  /** A miss box: those up to it are crossed; the last crossed one is emptied. */
  tapMiss(seat: number, box: number): void {
    const person = this.kept.people[seat]!;
    person.misses = person.misses === box ? box - 1 : box;
    this.changed();
  }

  /** Everything anew; names stay, since the next game is often played by the same people. */
  clear(): void {
    this.kept.people = this.kept.people.map((person) => blank(person.name));
    this.fillUp();
  }

  private fillUp(): void {
    const least = this.layout.pawns ? this.game.seats[0] : 1; // one board has the pawns of both
    while (this.kept.people.length < least) this.kept.people.push(blank());
    this.changed();
  }

  /** Keep it, and have it counted. Answers may overtake one another: the last question counts. */
  private changed(): void {
    save({ now: this.kept, left: this.#left });
    const asked = ++this.#asked;
    const sheets = this.kept.people.map(({ cells, misses, used, bare }) => ({
      cells: { ...cells },
      misses,
      used: [...used],
      bare: [...bare],
    }));
    const paper: Paper = { variant: this.game.id, sheet: this.sheet, sheets };
    here
      .count(paper)
      .then((counted) => asked === this.#asked && (this.counted = counted))
      .catch(() => (this.broken = true));
  }
}

function toggled<T>(list: T[], each: T): T[] {
  return list.includes(each) ? list.filter((other) => other !== each) : [...list, each];
}

const isOf = (kept: Kept, game: string, sheet: string): boolean => kept.game === game && kept.sheet === sheet;

function isBlank(kept: Kept): boolean {
  return kept.people.every(
    (person) => !Object.keys(person.cells).length && !person.misses && !person.used.length && !person.bare.length,
  );
}

/** Read what was kept; null if there is nothing, or nothing that makes sense to this version. */
function read(games: GameEntry[]): Shelf | null {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "null") as Shelf | null;
    const now = understand(games, found?.now ?? null);
    const left = (found?.left ?? []).flatMap((kept) => understand(games, kept) ?? []);
    return now && { now, left: left.slice(0, games.length) };
  } catch {
    return null;
  }
}

function understand(games: GameEntry[], kept: Kept | null): Kept | null {
  try {
    const game = games.find((each) => each.id === kept?.game);
    if (!kept || !game || kept.people.length > game.seats[1]) return null;
    const layout = game.layouts[kept.sheet] ?? Object.values(game.layouts)[0]!;
    const known = new Set(layout.rows.flatMap((row) => row.cells.map((cell) => `${row.key}${cell.value}`)));
    const people = kept.people.map((person) => ({
      ...blank(String(person.name).slice(0, LONGEST_NAME)),
      cells: Object.fromEntries(
        Object.entries(person.cells).filter(([cell, height]) => known.has(cell) && Number(height) > 0),
      ),
      misses: Math.min(layout.misses, Math.max(0, Math.trunc(Number(person.misses)) || 0)),
      used: person.used.filter((place) => place >= 1 && place <= layout.bar.length),
      bare: person.bare.filter((key) => layout.rows.some((row) => row.key === key)),
    }));
    return { game: game.id, sheet: String(kept.sheet), people };
  } catch {
    return null;
  }
}

function save(shelf: Shelf): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(shelf));
  } catch {
    // Without storage it lasts as long as the page.
  }
}
