/** The state of the analysis board: the position that is set up, what the rules say about it, and what it is worth. */
import type { Setup, SetupSheet } from "../engine/setup.ts";
import { codeOf } from "../connection/gameFiles.ts";
import type { BoardPosition, BoardValue } from "../local/analysisBoard.ts";
import type { localHouse } from "../local/localHouse.ts";
import { TappedSheets } from "../play/tappedSheets.ts";
import type { GameEntry, Layout } from "../protocol.ts";

/** The calls to the engine that a board needs. */
export type BoardRules = Pick<typeof localHouse, "setUp" | "valueOf">;

/** Where a card may lie; the pile has all others. */
export type CardPlace = { kind: "hand"; seat: number } | { kind: "display" | "top" | "discards" };

/** Moments in which somebody decides or rolls; a link may bring others. */
const MOMENTS = { dice: ["roll", "white", "color"], cards: ["draw", "number", "play"] } as const;
const WITH_DICE = ["white", "color"];

function blankSheet(): SetupSheet {
  return { cells: {}, misses: 0, used: [], bare: [], lucky: "", hand: [], locks: null };
}

export class BoardSession extends TappedSheets {
  /** The position as it is tapped in. */
  setup = $state<Setup>(this.blank("classic", "", 2));
  /** What the rules say about it; null until they have answered. */
  position = $state.raw<BoardPosition | null>(null);
  /** What it is worth to the seat that is shown; null until it is known, or if nobody can judge it. */
  value = $state.raw<BoardValue | null>(null);
  /** The code of why there is no value; empty if there is one, or while it is worked out. */
  trouble = $state("");
  /** Whether the address or a text was no position. */
  isUnread = $state(false);
  /** Whether this browser cannot run the rules. */
  isBroken = $state(false);
  seat = $state(0);
  #asked = 0;

  constructor(
    readonly games: GameEntry[],
    game: string,
    private readonly rules: BoardRules,
    private readonly onposition: (line: string) => void = () => undefined,
  ) {
    super();
    if (games.some(({ id }) => id === game)) this.setup = this.blank(game, "", 2);
  }

  /** Show the position that the address names, else an empty board. */
  async begin(line: string | null): Promise<void> {
    if (line === null || !(await this.read(line))) await this.update();
  }

  private blank(game: string, sheet: string, seats: number): Setup {
    const entry = this.games?.find(({ id }) => id === game);
    const [least, most] = entry?.seats ?? [2, 2];
    const count = Math.min(most, Math.max(least, seats));
    return {
      variant: game,
      sheet,
      active: 0,
      turn: 1,
      phase: entry?.flow === "cards" ? "draw" : "roll",
      roll: "",
      crossed: false,
      first: "",
      choices: [],
      sheets: Array.from({ length: count }, () => ({ ...blankSheet(), lucky: entry?.luckyPads[0] ?? "" })),
      display: [],
      pile: entry?.flow === "cards" ? ["*"] : [],
      discards: [],
    };
  }

  // ---- what is shown

  get game(): GameEntry {
    return this.games.find(({ id }) => id === this.setup.variant)!;
  }

  get layout(): Layout {
    return this.game.layouts[this.setup.sheet] ?? Object.values(this.game.layouts)[0]!;
  }

  get people(): SetupSheet[] {
    return this.setup.sheets;
  }

  get moments(): string[] {
    const found: string[] = [...MOMENTS[this.game.flow]];
    return found.includes(this.setup.phase) ? found : [...found, this.setup.phase];
  }

  get hasDice(): boolean {
    return WITH_DICE.includes(this.setup.phase);
  }

  /** Whether the seat that is shown decides now. */
  get decides(): boolean {
    return this.position?.deciders.includes(this.seat) ?? false;
  }

  // ---- setting up

  /** Read a position line; return false, and keep the position, if it is none. */
  async read(line: string): Promise<boolean> {
    const asked = ++this.#asked;
    try {
      const found = await this.rules.setUp(line.trim());
      if (asked !== this.#asked) return true;
      const sheets = found.setup.sheets.map((sheet) => ({ ...sheet, locks: null }));
      this.setup = { ...found.setup, phase: found.view.phase, sheets };
      this.isUnread = false;
      this.seat = found.deciders.includes(found.setup.active) ? found.setup.active : (found.deciders[0] ?? 0);
      await this.show(found, asked);
      return true;
    } catch (error) {
      this.fail(error);
      return false;
    }
  }

  /** Begin another game with an empty board for as many people. */
  play(game: string, sheet = ""): void {
    this.setup = this.blank(game, sheet, this.setup.sheets.length);
    this.seat = 0;
    this.changed();
  }

  add(): void {
    if (this.people.length < this.game.seats[1])
      this.people.push({ ...blankSheet(), lucky: this.game.luckyPads[0] ?? "" });
    this.changed();
  }

  remove(seat: number): void {
    if (this.people.length <= this.game.seats[0]) return;
    this.people.splice(seat, 1);
    this.setup.active = Math.min(this.setup.active, this.people.length - 1);
    this.seat = Math.min(this.seat, this.people.length - 1);
    this.changed();
  }

  /** Cross a cell; the bonus bar follows, as it does in a game. */
  override tap(seat: number, cell: string, taking: boolean): void {
    const sheet = this.people[seat]!;
    if (this.layout.bar.length) {
      const boxed = this.layout.rows.flatMap((row) =>
        row.cells.flatMap(({ value, boxed }) => (boxed ? [`${row.key}${value}`] : [])),
      );
      const crossed = boxed.filter((name) => Boolean(sheet.cells[name]) !== (name === cell)).length;
      sheet.used = Array.from({ length: Math.min(crossed, this.layout.bar.length) }, (_, place) => place + 1);
    }
    super.tap(seat, cell, taking);
  }

  setActive(seat: number): void {
    this.setup.active = seat;
    this.setup.first = "";
    this.seat = seat;
    this.changed();
  }

  setMoment(phase: string): void {
    this.setup.phase = phase;
    this.setup.choices = [];
    if (phase !== "color") this.setup.crossed = false;
    if (phase !== "color") this.setup.first = "";
    if (!WITH_DICE.includes(phase)) this.setup.roll = "";
    this.changed();
  }

  setRoll(roll: string): void {
    this.setup.roll = roll;
    if (!this.hasDice) this.setup.phase = "white";
    this.changed();
  }

  /** Put a roll with this white sum on the table; the color dice are thrown. */
  rollSum(sum: number): void {
    const { sides } = this.game;
    const face = (): number => 1 + Math.floor(Math.random() * sides);
    const least = Math.max(1, sum - sides);
    const one = least + Math.floor(Math.random() * (Math.min(sides, sum - 1) - least + 1));
    const gone = this.position?.view.gone ?? [];
    const colors = ["r", "y", "g", "b"].map((color) => (gone.includes(color) ? "-" : face()));
    this.setup.phase = "white";
    this.setRoll(`${one}${sum - one}/${colors.join("")}`);
  }

  setCrossed(crossed: boolean): void {
    this.setup.crossed = crossed;
    this.changed();
  }

  setFirst(cell: string): void {
    this.setup.first = cell;
    this.setup.crossed = Boolean(cell);
    this.changed();
  }

  setLucky(seat: number, pad: string): void {
    this.people[seat]!.lucky = pad;
    this.changed();
  }

  // ---- cards

  /** Return the cards at a place; the top of the pile is one card or none. */
  cardsAt(place: CardPlace): string[] {
    if (place.kind === "hand") return this.people[place.seat]?.hand ?? [];
    if (place.kind === "top") return this.setup.pile.filter((card) => card !== "*").slice(0, 1);
    return this.setup[place.kind].filter((card) => card !== "-");
  }

  /** Put a card at a place, or back into the pile if it lies there. */
  putCard(card: string, place: CardPlace): void {
    const wasHere = this.cardsAt(place).includes(card);
    this.free(card);
    if (!wasHere) {
      if (place.kind === "hand") this.people[place.seat]!.hand.push(card);
      else if (place.kind === "top") this.setup.pile = [card, "*"];
      else this.setup[place.kind] = [...this.cardsAt(place), card];
    }
    this.changed();
  }

  private free(card: string): void {
    for (const sheet of this.people) sheet.hand = sheet.hand.filter((each) => each !== card);
    this.setup.display = this.setup.display.filter((each) => each !== card && each !== "-");
    this.setup.discards = this.setup.discards.filter((each) => each !== card);
    const top = this.setup.pile[0];
    this.setup.pile = top === card || top === "*" || top === undefined ? ["*"] : [top, "*"];
  }

  /** Fill hands and display at random from the pile, as many cards as the rules ask for. */
  deal(): void {
    const lying = new Set([
      ...this.people.flatMap((sheet) => sheet.hand),
      ...this.setup.display,
      ...this.setup.discards,
      ...this.cardsAt({ kind: "top" }),
    ]);
    const rest = (this.position?.deck ?? []).filter((card) => !lying.has(card));
    const draw = (): string[] => rest.splice(Math.floor(Math.random() * rest.length), 1);
    for (const [seat, sheet] of this.people.entries()) {
      const wrong = this.position?.problems.find(
        (problem) => problem.kind === "rule" && problem.name === "hand" && problem.about === seat,
      );
      const most = wrong?.kind === "rule" ? wrong.most : sheet.hand.length;
      while (sheet.hand.length < most) sheet.hand.push(...draw());
      sheet.hand.splice(most);
    }
    while (this.cardsAt({ kind: "display" }).length < 4)
      this.setup.display = [...this.cardsAt({ kind: "display" }), ...draw()];
    this.changed();
  }

  // ---- what the rules say

  /** Show another seat, and what the position is worth to it. */
  look(seat: number): void {
    this.seat = seat;
    if (this.position) void this.show(this.position, ++this.#asked);
  }

  protected changed(): void {
    this.isUnread = false;
    void this.update();
  }

  private async update(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const found = await this.rules.setUp($state.snapshot(this.setup));
      if (asked === this.#asked) await this.show(found, asked);
    } catch (error) {
      if (asked === this.#asked) this.fail(error);
    }
  }

  private fail(error: unknown): void {
    this.isBroken = !codeOf(error);
    this.isUnread = !this.isBroken;
  }

  /** Show a position at once, and its value when it is known; answers for earlier positions do not count. */
  private async show(found: BoardPosition, asked: number): Promise<void> {
    this.position = found;
    this.value = null;
    this.trouble = "";
    if (found.problems.length || found.view.phase === "over") return;
    this.onposition(found.line);
    try {
      const value = await this.rules.valueOf(found.line, this.seat);
      if (asked === this.#asked) this.value = value;
    } catch (error) {
      if (asked === this.#asked) this.trouble = codeOf(error) || "no-judge";
    }
  }
}
