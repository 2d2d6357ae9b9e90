/**
 * The rules in the page: the kernel of the Python package, compiled to WebAssembly, and games over it.
 *
 * These files contain no rule. The module says what is legal, what happens and what the score is. How that is written (views,
 * events, texts of actions, refusals) comes from tables inside the module, generated from Python's declarations. So the JSON
 * is the same as the server's.
 */
import type { Analysis, AnyEvent, Catalogue, Frame, View } from "../protocol.ts";
import type { BeginOptions, Kernel, LocalGame, GameFromView, Standing } from "./engineApi.ts";
import { AnalysisBuilder, type Moment } from "./coach/analyse.ts";
import { countPaper, type Counted, type Paper } from "./paperScore.ts";
import { fillIn, type Setup } from "./setup.ts";
import { PageGame } from "./game.ts";
import { NetPlayer, type Library } from "./coach/netPlayer.ts";
import { Module, type Words } from "./module.ts";
import { readSections, readSetup, writePosition } from "./text/positions.ts";
import { CHANCE, BadRecord, readRecord, type GameRecord } from "./text/records.ts";
import { opening, Rules } from "./rules.ts";
import { alone, stateFromView } from "./text/stateFromView.ts";
import { Unreadable } from "./text/notation.ts";
import { unreadable, type Refusal } from "./text/refusals.ts";

export type { BeginOptions, Kernel, Library, LocalGame, Moment, Refusal, GameFromView, Standing };

/** The net player, which also rates positions. */
const MASTER = "master";

export function isRefusal(found: unknown): found is Refusal {
  return typeof found === "object" && found !== null && "error" in found;
}

/**
 * Load the module: `loadKernel(fetch(url))`, where the url comes from `import url from "./kernel.wasm?url"`.
 *
 * Without a library, heuristics replace the net players.
 */
export async function loadKernel(
  source: BufferSource | Response | Promise<Response>,
  library: Library | null = null,
): Promise<Kernel> {
  const given = await source;
  // No streaming compilation: it would need the right media type from a static host.
  const bytes = given instanceof Response ? await read(given) : given;
  return new PageKernel(new Module(await WebAssembly.compile(bytes)), library);
}

async function read(answer: Response): Promise<ArrayBuffer> {
  if (!answer.ok) throw new Error(`The rules cannot be fetched: ${answer.status}.`);
  return answer.arrayBuffer();
}

class PageKernel implements Kernel {
  readonly #module: Module;
  readonly #master: NetPlayer | null;
  readonly #rules: Rules[];

  constructor(module: Module, library: Library | null) {
    this.#module = module;
    this.#master = library && new NetPlayer(module, library);
    this.#rules = module.tables.games.map((_, at) => new Rules(module, at, this.#master));
  }

  get catalogue(): Catalogue {
    return this.#module.tables.catalogue;
  }

  players(variant: string, seats: number, sheet?: string): string[] {
    const rules = this.#find(variant, sheet);
    if (!rules) return [];
    const { players } = rules.game;
    return Object.keys(players).filter((name) => players[name]!.includes(seats));
  }

  async prepare(player: string, variant: string, seats: number, sheet?: string): Promise<void> {
    const rules = this.#find(variant, sheet);
    const company = rules?.companyOf(player, seats) ?? null;
    if (!rules || company === null) throw new Error(`${player} does not play this.`);
    if (String(company) in (rules.game.noises[player] ?? {})) await this.#master?.learn(rules.at, company);
  }

  async learn(variant: string, seats: number, sheet?: string): Promise<boolean> {
    const rules = this.#find(variant, sheet);
    if (!rules || !this.#master?.plays(rules.at, seats)) return false;
    await this.#master.learn(rules.at, seats);
    return true;
  }

  analyse(record: string): Analysis | Refusal | null {
    const begun: AnalysisBuilder[] = [];
    let steps = -1;
    const game = this.#replay(record, (game) => {
      const grading = game.grading();
      if (!grading) return;
      if (!begun.length) begun.push(new AnalysisBuilder({ by: MASTER, grading }, game.seats));
      const making = begun[0]!;
      if (steps >= 0) making.note(steps, game.step());
      steps++;
      if (!game.hasChoices) making.reach(game.judged()!);
    });
    if (isRefusal(game)) return game;
    return begun[0]?.finish(game.variant, game.seats, game.isOver ? game.scores() : null) ?? null;
  }

  /** Find a game on its sheet; without a sheet, on the usual one. */
  #find(variant: string, sheet?: string): Rules | undefined {
    return this.#rules.find(({ game }) => game.id === variant && (!sheet || (game.isCards && game.sheet === sheet)));
  }

  begin(options: BeginOptions): PageGame | Refusal {
    const { variant, seats, sheet, first, lucky, seed } = options;
    const rules = this.#find(variant, sheet);
    if (!rules || !isWhole(seats, ...rules.game.seats)) return unreadable();
    if (first !== undefined && !isWhole(first, 0, seats - 1)) return unreadable();
    if (seed !== undefined && BigInt.asUintN(64, seed) !== seed) return unreadable();
    const chance = seed ?? crypto.getRandomValues(new BigUint64Array(1))[0]!;
    const state = this.#module.begin(rules.at, chance, seats, first ?? -1);
    try {
      if (lucky) setLucky(rules, state, lucky);
    } catch (error) {
      if (error instanceof Unreadable) return unreadable();
      throw error;
    }
    const facts = opening(rules, state, seed);
    return new PageGame(rules, state, { facts, steps: [], luck: this.#module.luckOf(chance) });
  }

  stand(position: string): LocalGame | Refusal {
    const found = this.setUp(position);
    return found && !found.problems.length && !found.game.isOver ? found.game : unreadable();
  }

  setUp(position: string | Setup): Standing | null {
    try {
      const sections = typeof position === "string" ? readSections(position) : null;
      const variant = sections ? sections.variant : (position as Setup).variant;
      const sheet = sections ? sections.table.get("sheet") : (position as Setup).sheet;
      const rules = this.#find(variant, sheet === variant ? undefined : sheet);
      if (!rules) return null;
      const setup = sections ? readSetup(rules, sections) : (position as Setup);
      const { state, problems } = fillIn(rules, setup);
      const facts = { start: writePosition(rules, state) };
      const luck = crypto.getRandomValues(new BigUint64Array(1))[0]!;
      return { setup, problems, game: new PageGame(rules, state, { facts, steps: [], luck }) };
    } catch (error) {
      if (error instanceof Unreadable) return null;
      throw error;
    }
  }

  restore(saved: Uint8Array): LocalGame | Refusal {
    const text = new TextDecoder().decode(saved);
    const [, chance, luck] = new RegExp(`^${CHANCE} ([0-9]{1,20}) ([0-9]{1,20})$`, "m").exec(text) ?? [];
    if (chance === undefined || luck === undefined) return unreadable();
    const game = this.replay(text);
    if (game instanceof PageGame) game.resume(BigInt(chance), BigInt(luck));
    return game;
  }

  replay(record: string): LocalGame | Refusal {
    return this.#replay(record, () => undefined);
  }

  frames(record: string): Frame[] | Refusal {
    const frames: Frame[] = [];
    const game = this.#replay(record, (game, events) =>
      frames.push({ step: game.lastStep, events, view: game.reveal() }),
    );
    return isRefusal(game) ? game : frames;
  }

  seen(view: View, sheet: string, seat: number): GameFromView | null {
    const rules = this.#find(view.variant, sheet === view.variant ? undefined : sheet);
    const state = rules && view.sheets[seat] ? stateFromView(rules, view, seat) : null;
    if (!rules || !state) return null;
    const past = { facts: {}, steps: [], luck: 0n };
    const game = new PageGame(rules, state, past);
    return {
      legal: () => game.legal(seat),
      whyNot: (action) => game.whyNot(seat, action),
      losses: () => game.losses(seat),
      finalScore: (player, seed) => game.playOut(player, seed)[seat]!,
      preview: (action) => {
        const words = state.slice();
        alone(rules, words, seat);
        const events = new PageGame(rules, words, { ...past, steps: [] }).decide(seat, action);
        if (isRefusal(events)) return [];
        return events.flatMap((event) => (event.e === "crossed" && event.seat === seat ? [event.cell] : []));
      },
    };
  }

  count({ variant, sheet, sheets }: Paper): Counted | null {
    const rules = this.#find(variant, sheet === variant ? undefined : sheet);
    if (!rules || !isWhole(sheets.length, 1, rules.game.seats[1])) return null;
    try {
      return countPaper(rules, sheets);
    } catch (error) {
      if (error instanceof Unreadable) return null; // a cell that this sheet does not have
      throw error;
    }
  }

  /** Replay a record; call `seen` after the start and after every step. */
  #replay(text: string, seen: (game: PageGame, events: AnyEvent[]) => void): PageGame | Refusal {
    try {
      const record = readRecord(this.#module.tables, text);
      const game = this.#open(record);
      seen(game, []);
      for (const step of record.steps) {
        if (step.seat === null && game.awaitsChance && step.word !== this.#module.tables.chance[game.phase]) {
          throw new BadRecord(step.line);
        }
        if (step.seat !== null && step.seat >= game.seats) throw new BadRecord(step.line);
        const events = step.seat === null ? game.setRoll(step.text) : game.decide(step.seat, step.text);
        if (isRefusal(events)) return { ...events, details: { ...events.details, line: step.line } };
        seen(game, events);
      }
      if (record.scores && (!game.isOver || String(record.scores) !== String(game.scores()))) {
        throw new BadRecord(record.scoresLine);
      }
      return game;
    } catch (error) {
      if (error instanceof BadRecord) return unreadable({ line: error.line });
      throw error;
    }
  }

  #open({ facts }: GameRecord): PageGame {
    if (facts.start !== undefined) {
      const game = this.stand(facts.start);
      if (!(game instanceof PageGame)) throw new BadRecord(1);
      const [chance = 0n, luck = 0n] = crypto.getRandomValues(new BigUint64Array(2));
      game.resume(chance, luck);
      return game;
    }
    const { variant, seats, first, sheet, lucky } = facts;
    const pads = lucky === undefined ? null : lucky.split(" ").filter(Boolean);
    const game = this.begin({ variant: variant!, seats: Number(seats), first: Number(first), sheet, lucky: pads });
    if (isRefusal(game) || facts.layout) throw new BadRecord(1);
    return game.named(facts);
  }
}

function isWhole(number: number, least: number, most: number): boolean {
  return Number.isInteger(number) && number >= least && number <= most;
}

/** Set the lucky numbers of every seat. Throws Unreadable. */
function setLucky(rules: Rules, state: Words, lucky: string[]): void {
  const { sheet, state: fields } = rules.module.tables;
  if (lucky.length !== state[fields.places.seats!]) throw new Unreadable("Lucky numbers are a pair for each seat.");
  for (const [seat, text] of lucky.entries()) {
    state.set(rules.texts.readLucky(text), fields.places.sheets! + seat * sheet.words + sheet.places.lucky!);
  }
}
