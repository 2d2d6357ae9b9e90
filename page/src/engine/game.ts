/** A game on top of the wasm module. It contains no rule: the kernel answers every question. */
import type { AnyEvent, Hint, Outcome, Reason, SeatState, View } from "../protocol.ts";
import type { Moment, Weight } from "./coach/analyse.ts";
import { previewActions } from "./coach/preview.ts";
import type { Grading } from "./coach/grades.ts";
import { hintOf, type Losses, lossesOf } from "./coach/hints.ts";
import type { LocalGame } from "./index.ts";
import { finalWorth } from "./coach/netPlayer.ts";
import type { Module, Words } from "./module.ts";
import { reasonsOf } from "./coach/reasons.ts";
import { CHANCE, stepText, writeRecord, type Step } from "./text/records.ts";
import type { Rules } from "./rules.ts";
import { bits } from "./bits.ts";
import { cardsText, diceText, rollText, setChance, WHITE_DICE, wholeDeck, wordsOf } from "./text/chance.ts";
import { Unreadable } from "./text/notation.ts";
import { writePosition } from "./text/positions.ts";
import { unreadable, type Refusal } from "./text/refusals.ts";

/** The data of a game besides its state. */
export interface Past {
  facts: Record<string, string>;
  steps: Step[];
  /** The seed of the random stream of players. */
  luck: bigint;
}

export class PageGame implements LocalGame {
  readonly #rules: Rules;
  readonly #module: Module;
  readonly #state: Words;
  readonly #past: Past;

  constructor(rules: Rules, state: Words, past: Past) {
    this.#rules = rules;
    this.#module = rules.module;
    this.#state = state;
    this.#past = past;
  }

  // ---- state

  get variant(): string {
    return this.#rules.game.id;
  }

  get sheet(): string {
    return this.#rules.game.sheet || this.#rules.game.id;
  }

  get seats(): number {
    return this.#word("seats");
  }

  get active(): number {
    return this.#word("active");
  }

  get turn(): number {
    return this.#word("turn");
  }

  get phase(): string {
    return this.#module.tables.phases[this.#word("phase")]!;
  }

  get isOver(): boolean {
    return this.#word("phase") === this.#module.tables.over;
  }

  get awaitsChance(): boolean {
    return this.phase in this.#module.tables.chance;
  }

  get lastStep(): string {
    const step = this.#past.steps.at(-1);
    return step ? stepText(step) : "";
  }

  #word(name: string): number {
    return this.#state[this.#module.tables.state.places[name]!]!;
  }

  deciders(): number[] {
    return bits(this.#word("waiting"), this.#module.tables.sizes.SEATS);
  }

  view(seat: number | null): View {
    if (seat !== null) this.#checkSeat(seat);
    return this.#rules.views.view(this.#module.redact(this.#rules.at, this.#state, seat ?? -1), seat);
  }

  reveal(): View {
    return this.#rules.views.view(this.#state, null);
  }

  scores(): number[] {
    return Array.from({ length: this.seats }, (_, seat) => this.#score(this.#state, seat));
  }

  #score(state: Words, seat: number): number {
    return this.#module.score(this.#rules.at, state, seat);
  }

  outcome(): Outcome | null {
    if (!this.isOver) return null;
    const scores = this.scores();
    const ending = this.#module.tables.endings[this.#word("ending")]!;
    return { ending, scores, winners: bits(this.#module.winners(scores)) };
  }

  #checkSeat(seat: number): void {
    if (!Number.isInteger(seat) || seat < 0 || seat >= this.seats) throw new RangeError(`There is no seat ${seat}.`);
  }

  #hand(seat: number): number[] {
    return this.#rules.views.hand(this.#state, seat) ?? [];
  }

  // ---- actions of seats

  legal(seat: number): string[] {
    this.#checkSeat(seat);
    const hand = this.#hand(seat);
    const numbers = this.#module.legal(this.#rules.at, this.#state, seat);
    return numbers.map((number) => this.#rules.texts.action(number, hand));
  }

  mine(seat: number): SeatState {
    const legal = this.legal(seat);
    const choice = this.#rules.views.choice(this.#state, seat);
    const found = previewActions(this.#rules, this.#state, {
      seat,
      legal,
      choice,
      isAlone: this.deciders().length === 1,
    });
    return this.#rules.game.isCards ? { ...found, view: this.view(seat) } : found;
  }

  reasons(seat: number): Map<string, Reason[]> {
    const texts = this.legal(seat);
    const numbers = this.#module.legal(this.#rules.at, this.#state, seat);
    return new Map(texts.map((text, place) => [text, reasonsOf(this.#rules, this.#state, seat, numbers[place]!)]));
  }

  hint(seat: number): Omit<Hint, "t" | "phase"> | null {
    const [judged, grading] = [this.judged(), this.grading()];
    return judged?.choices?.has(seat) && grading ? hintOf(judged, grading, this.reasons(seat), seat) : null;
  }

  losses(seat: number): Losses | null {
    const [judged, grading] = [this.judged(), this.grading()];
    return judged?.choices?.has(seat) && grading ? lossesOf(judged, grading, seat) : null;
  }

  whyNot(seat: number, action: string): Refusal | null {
    const found = this.#read(seat, action);
    return typeof found === "number" ? null : found;
  }

  /** Read an action and check it with the kernel; return its number, or the refusal. */
  #read(seat: number, action: string): number | Refusal {
    this.#checkSeat(seat);
    const { module, at, texts, whys } = this.#rules;
    const hand = this.#hand(seat);
    let number = 0; // a seat that does not decide has no legal action
    if ((module.asked(at, this.#state) >> seat) & 1) {
      try {
        const found = texts.readAction(action, hand, (...named) => module.findPlay(...named), at);
        if (typeof found !== "number") return whys.noPlay(this.#state, hand, found);
        number = found;
      } catch (error) {
        if (error instanceof Unreadable) return unreadable();
        throw error;
      }
    }
    const reason = module.refusal(at, this.#state, seat, number);
    return reason ? whys.action(this.#state, seat, number, hand, reason) : number;
  }

  decide(seat: number, action: string): AnyEvent[] | Refusal {
    const number = this.#read(seat, action);
    if (typeof number !== "number") return number;
    const text = this.#rules.texts.action(number, this.#hand(seat));
    this.#module.decide(this.#rules.at, this.#state, seat, number);
    return this.#happened({ seat, word: "", text, line: 0 });
  }

  choose(player: string, seat: number): string {
    this.#checkSeat(seat);
    const { module, master, at, game, texts } = this.#rules;
    const seen = module.redact(at, this.#state, seat);
    const weights = module.tables.players[player]?.[game.kind];
    const company = this.#rules.companyOf(player, this.seats);
    if (!weights || company === null) throw new Error(`${player} does not play this game.`);
    const { luck } = this.#past;
    const noise = game.noises[player]?.[company];
    const learned = noise === undefined ? null : (master?.choose(at, seen, seat, company, noise, luck) ?? null);
    if (learned !== null) return texts.action(learned, this.#hand(seat));
    return texts.action(module.choose(at, seen, seat, weights, luck), this.#hand(seat));
  }

  /** Return the final scores if a player plays on for all seats from a copy of the game, with dice of this seed. */
  playOut(player: string, seed: bigint): number[] {
    const twin = new PageGame(this.#rules, this.#state.slice(), { facts: {}, steps: [], luck: seed });
    twin.resume(seed, seed);
    while (!twin.isOver) {
      if (twin.awaitsChance) twin.roll();
      else for (const seat of twin.deciders()) twin.decide(seat, twin.choose(player, seat));
    }
    return twin.scores();
  }

  // ---- values

  get hasChoices(): boolean {
    const { NO_CHOICE } = this.#module.tables.sizes;
    return (
      !this.isOver &&
      !this.awaitsChance &&
      wordsOf(this.#rules, this.#state, "choices", this.seats).some((choice) => choice !== NO_CHOICE)
    );
  }

  /** Return how losses are graded; null until the net is loaded. */
  grading(): Grading | null {
    return this.#rules.master?.net(this.#rules.at, this.seats)?.grading ?? null;
  }

  /** The last roll or decision. */
  step(): Step {
    return this.#past.steps.at(-1)!;
  }

  judged(): Moment | null {
    const { master, at, texts } = this.#rules;
    const net = master?.net(at, this.seats);
    if (!net) return null;
    const facts = { turn: this.turn, phase: this.phase };
    if (this.isOver) return { ...facts, ...finalWorth(this.outcome()!), choices: null, showsCards: false };
    if (this.awaitsChance) return { ...facts, ...net.worth(this.#state), choices: null, showsCards: false };
    const { values, points, choices } = net.weigh(this.#state);
    const weights = new Map<number, Weight[]>();
    for (const { seat, action, ...worth } of choices) {
      weights.set(seat, [...(weights.get(seat) ?? []), { action: texts.action(action, this.#hand(seat)), ...worth }]);
    }
    return { ...facts, values, points, choices: weights, showsCards: this.phase === "draw" };
  }

  // ---- chance

  roll(): AnyEvent[] | Refusal {
    return this.#chance(this.#state.slice(), this.#module.roll(this.#rules.at, this.#state));
  }

  get dice(): readonly number[] {
    return Array<number>(WHITE_DICE + this.#module.tables.sizes.COLORS).fill(this.#rules.game.sides);
  }

  rollOf(faces: readonly number[]): string {
    return rollText(this.#rules, this.#state, faces);
  }

  cards(): string[] {
    return wholeDeck(this.#rules, this.#state).map((card) => this.#rules.texts.card(card));
  }

  setRoll(text: string): AnyEvent[] | Refusal {
    const before = this.#state.slice();
    if (!this.awaitsChance) return this.#chance(before, this.#module.tables.codes.indexOf("no-chance-now"));
    try {
      return this.#chance(before, setChance(this.#rules, this.#state, text));
    } catch (error) {
      if (error instanceof Unreadable) return unreadable();
      throw error;
    }
  }

  /** Record a roll, deal or shuffle, or return why it is refused. */
  #chance(before: Words, reason: number): AnyEvent[] | Refusal {
    const { tables } = this.#module;
    const isEarly = tables.moments.includes(tables.codes[reason]!);
    if (reason) return { ...this.#rules.whys.chance(this.#state, reason), ...(isEarly ? { error: "not-now" } : {}) };
    const phase = before[tables.state.places.phase!]!;
    const text =
      phase === tables.roll ? diceText(this.#rules, this.#state) : cardsText(this.#rules, before, this.#state);
    return this.#happened({ seat: null, word: tables.chance[tables.phases[phase]!]!, text, line: 0 }, text);
  }

  #happened(step: Step, roll = ""): AnyEvent[] {
    this.#past.steps.push(step);
    return this.#rules.events.tell(this.#module.notes(), roll);
  }

  // ---- text

  record(): string {
    const { facts, steps } = this.#past;
    const scores = this.isOver ? this.scores() : null;
    return writeRecord(this.#module.tables, { facts, steps, scores, scoresLine: 0 });
  }

  position(): string {
    return writePosition(this.#rules, this.#state);
  }

  save(): Uint8Array {
    const chance = new BigUint64Array(this.#state.slice(0, 2).buffer)[0];
    return new TextEncoder().encode(`${this.record()}${CHANCE} ${chance} ${this.#past.luck}\n`);
  }

  /** Restore the random streams of a saved game. */
  resume(chance: bigint, luck: bigint): void {
    this.#state.set(new Int32Array(new BigUint64Array([chance]).buffer), 0);
    this.#past.luck = luck;
  }

  /** Return the same game with the facts of a record about its start. */
  named(facts: Record<string, string>): PageGame {
    return new PageGame(this.#rules, this.#state, { ...this.#past, facts });
  }

  copy(): LocalGame {
    return new PageGame(this.#rules, this.#state.slice(), { ...this.#past, steps: [...this.#past.steps] });
  }

  /** The words of the state, for tests. */
  words(): Words {
    return this.#state.slice();
  }
}
