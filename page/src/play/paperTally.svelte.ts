/** Paper sheets of a game with real dice, typed in to be scored; stored on this device until they are cleared. */
import * as storage from "../device/storage.ts";
import type { Counted, Paper, PaperSheet } from "../engine/paperScore.ts";
import { localHouse } from "../local/localHouse.ts";
import { TABLE, type GameEntry, type Layout } from "../protocol.ts";
import { TappedSheets } from "./tappedSheets.ts";

export interface Person extends PaperSheet {
  name: string;
}

interface StoredGame {
  game: string;
  sheet: string;
  people: Person[];
}

/** The game that is shown now, and the sheets of other games that were started before. */
interface StoredGames {
  now: StoredGame;
  left: StoredGame[];
}

const KEY = "qwixx.count";

export function blank(name = ""): Person {
  return { name, cells: {}, misses: 0, used: [], bare: [] };
}

export class PaperTally extends TappedSheets {
  readonly games: GameEntry[];
  kept = $state<StoredGame>({ game: "classic", sheet: "", people: [blank()] });
  /** The score; null until the rules have computed it. */
  counted = $state.raw<Counted | null>(null);
  /** Whether this browser cannot run the rules. */
  broken = $state(false);
  #asked = 0;
  /** Unfinished sheets of other games. */
  #left: StoredGame[] = [];

  constructor(games: GameEntry[], first: string) {
    super();
    this.games = games;
    const stored = read(games);
    this.kept = stored?.now ?? {
      game: games.some((game) => game.id === first) ? first : games[0]!.id,
      sheet: "",
      people: [],
    };
    this.#left = stored?.left ?? [];
    this.fillUp();
  }

  get people(): Person[] {
    return this.kept.people;
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

  /** Switch to another game: restore its sheets, or start new ones for the same people. */
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
    this.kept.people[seat]!.name = name.slice(0, TABLE.maxName);
    this.changed();
  }

  /** Clear all sheets. Names stay, since the same people often play the next game. */
  clear(): void {
    this.kept.people = this.kept.people.map((person) => blank(person.name));
    this.fillUp();
  }

  private fillUp(): void {
    const least = this.layout.pawns ? this.game.seats[0] : 1; // one board has the pawns of both
    while (this.kept.people.length < least) this.kept.people.push(blank());
    this.changed();
  }

  /** Save the sheets and compute the score. Answers may arrive out of order: only the latest request counts. */
  protected changed(): void {
    save({ now: this.kept, left: this.#left });
    const asked = ++this.#asked;
    const sheets = this.kept.people.map(({ cells, misses, used, bare }) => ({
      cells: { ...cells },
      misses,
      used: [...used],
      bare: [...bare],
    }));
    const paper: Paper = { variant: this.game.id, sheet: this.sheet, sheets };
    localHouse
      .count(paper)
      .then((counted) => asked === this.#asked && (this.counted = counted))
      .catch(() => (this.broken = true));
  }
}

const isOf = (kept: StoredGame, game: string, sheet: string): boolean => kept.game === game && kept.sheet === sheet;

function isBlank(kept: StoredGame): boolean {
  return kept.people.every(
    (person) => !Object.keys(person.cells).length && !person.misses && !person.used.length && !person.bare.length,
  );
}

/** Read the stored sheets; null if there are none, or none that this version understands. */
function read(games: GameEntry[]): StoredGames | null {
  try {
    const found = JSON.parse(storage.read(KEY) ?? "null") as StoredGames | null;
    const now = sanitize(games, found?.now ?? null);
    const left = (found?.left ?? []).flatMap((kept) => sanitize(games, kept) ?? []);
    return now && { now, left: left.slice(0, games.length) };
  } catch {
    return null;
  }
}

function sanitize(games: GameEntry[], kept: StoredGame | null): StoredGame | null {
  try {
    const game = games.find((each) => each.id === kept?.game);
    if (!kept || !game || kept.people.length > game.seats[1]) return null;
    const layout = game.layouts[kept.sheet] ?? Object.values(game.layouts)[0]!;
    const known = new Set(layout.rows.flatMap((row) => row.cells.map((cell) => `${row.key}${cell.value}`)));
    const people = kept.people.map((person) => ({
      ...blank(String(person.name).slice(0, TABLE.maxName)),
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

function save(stored: StoredGames): void {
  // Without storage the sheets last as long as the page.
  storage.write(KEY, JSON.stringify(stored));
}
