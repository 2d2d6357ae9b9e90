/** All tables of this device: opening, finding, importing and replaying them. It answers the calls of the page. */
import type { Counted, Paper } from "../engine/paperScore.ts";
import { isRefusal, type Kernel, type LocalGame } from "../engine/index.ts";
import type { Analysis, FromPage, GameEntry, OpenedTable, OpenTable, Reason, Replay, Why } from "../protocol.ts";
import type { Setup } from "../engine/setup.ts";
import { boardPosition, boardValue, gameFrom, type BoardPosition, type BoardValue } from "./analysisBoard.ts";
import type { Losses } from "../engine/coach/hints.ts";
import type { Calls, Script, SeatView, ScriptState } from "./workerMessages.ts";
import { masterScore } from "./daily.ts";
import { Core } from "./core.ts";
import { Dealer } from "./dealer.ts";
import { verifyRecord, type Verdict } from "../fair/verify.ts";
import { cut, readSeats, writeFile } from "./recordFile.ts";
import type { GameStore, StoredGame } from "./gameStore.ts";
import { addRemarkEvents, remarksOf } from "./ledgerRemarks.ts";
import { luckyOf } from "../fair/dailyDice.ts";
import { finalScores } from "./rollouts.ts";
import { played } from "./scriptedGames.ts";
import { addBot, addPerson, freeName, newCode, newRoom, Refused, type Level } from "./room.ts";
import { defaultBot } from "./outgoing.ts";
import { errorMessage, rowOf, type Delays, type TableContext, type Send } from "./tableContext.ts";
import { LocalTable } from "./table.ts";

export class TableRegistry implements Calls, TableContext {
  /** The requests for rollouts: a newer one ends those before it. */
  private rollouts = 0;
  private readonly loaded = new Map<string, Promise<LocalTable>>();

  constructor(
    readonly kernel: Kernel,
    readonly store: GameStore,
    readonly notifyTabs: (code: string) => void,
  ) {}

  async games(): Promise<GameEntry[]> {
    return this.kernel.catalogue.games;
  }

  async open(wish: OpenTable): Promise<OpenedTable> {
    const game = this.game(wish.variant);
    const room = newRoom(newCode(), game, wish.sheet ?? "");
    if (wish.name != null) addPerson(room, game, wish.name);
    for (const level of wish.bots ?? []) addBot(room, game, level as Level);
    await this.store.write(rowOf(room, new Dealer(room, null), 1));
    return { code: room.code };
  }

  async openDay(date: string, variant: string, name: string): Promise<OpenedTable> {
    const game = this.game(variant);
    const room = { ...newRoom(newCode(), game, ""), day: date };
    room.options.lucky = luckyOf(date, variant, game.luckyPads);
    addPerson(room, game, name);
    const dealer = new Dealer(room, null);
    dealer.begin(this.kernel);
    await this.store.write(rowOf(room, dealer, 1));
    return { code: room.code };
  }

  async dayMaster(date: string, variant: string): Promise<number | null> {
    return masterScore(this.kernel, this.game(variant), date).catch((error: unknown) => {
      console.warn(error); // no network, and the weights are not cached
      return null;
    });
  }

  async exists(code: string): Promise<boolean> {
    return (await this.store.read(code)) !== undefined;
  }

  async replay(code: string): Promise<Replay> {
    const { room, record } = await this.stored(code);
    const frames = this.kernel.frames(record);
    const game = this.kernel.replay(record);
    if (isRefusal(frames) || isRefusal(game)) throw new Refused("no-record");
    const outcome = game.outcome();
    if (!outcome) throw new Refused("not-now");
    return {
      code,
      variant: room.variant,
      sheet: game.sheet,
      names: room.seats.map((seat) => seat.name),
      outcome,
      frames: addRemarkEvents(frames, remarksOf(record)),
    };
  }

  async record(code: string): Promise<string> {
    const { room, record } = await this.stored(code);
    if (!record) throw new Refused("not-now");
    return writeFile(record, room.seats);
  }

  async take(file: string, person: string): Promise<{ code: string; isOver: boolean }> {
    const game = this.replayFile(file);
    const entry = this.game(game.variant);
    const room = newRoom(newCode(), entry, entry.sheets.length ? game.sheet : "");
    room.seats = readSeats(file, game.seats, entry, person);
    room.stage = game.isOver ? "over" : "playing";
    await this.store.write(rowOf(room, new Dealer(room, new Core(game)), 1));
    return { code: room.code, isOver: game.isOver };
  }

  async analyse(file: string): Promise<Analysis> {
    const { variant, seats, sheet } = this.replayFile(file);
    const isKnown = await this.kernel
      .learn(variant, seats, sheet === variant ? undefined : sheet)
      .catch((error: unknown) => {
        console.warn(error);
        throw new Refused("no-weights");
      });
    const found = isKnown && this.kernel.analyse(file);
    if (!found || !("swings" in found)) throw new Refused("no-judge");
    return found;
  }

  async verify(record: string, promise: string, seals: string[] | null): Promise<Verdict> {
    return verifyRecord(this.kernel, record, promise, seals);
  }

  async continueFrom(file: string, steps: number, seat: number, person: string): Promise<OpenedTable> {
    return this.playOn(this.replayFile(cut(file, steps)), seat, person);
  }

  async playFrom(line: string, seat: number, person: string): Promise<OpenedTable> {
    return this.playOn(gameFrom(this.kernel, line), seat, person);
  }

  /** Open a table for a game that has begun: a person at one seat, bots at all others. */
  private async playOn(game: LocalGame, seat: number, person: string): Promise<OpenedTable> {
    if (game.isOver || seat >= game.seats) throw new Refused("not-now");
    const entry = this.game(game.variant);
    const room = newRoom(newCode(), entry, entry.sheets.length ? game.sheet : "");
    const level = defaultBot(entry) ?? null;
    room.seats = Array.from({ length: game.seats }, (_, place) =>
      place === seat ? { name: freeName([], person), level: null, own: true } : { name: "", level, own: false },
    );
    room.stage = "playing";
    await this.store.write(rowOf(room, new Dealer(room, new Core(game)), 1));
    return { code: room.code };
  }

  async positionIn(file: string, steps: number): Promise<string> {
    return this.replayFile(cut(file, steps)).position();
  }

  async setUp(position: string | Setup): Promise<BoardPosition> {
    return boardPosition(this.kernel, position);
  }

  async valueOf(line: string, seat: number): Promise<BoardValue> {
    return boardValue(this.kernel, line, seat);
  }

  async reasonsIn(file: string, steps: number, seat: number): Promise<Record<string, Reason[]>> {
    return Object.fromEntries(this.replayFile(cut(file, steps)).reasons(seat));
  }

  /** Replay a game from a file. Throws Refused if that fails. */
  private replayFile(file: string): LocalGame {
    const game = this.kernel.replay(file);
    if (isRefusal(game)) throw new Refused("no-record", "", game.details);
    return game;
  }

  async remove(code: string): Promise<void> {
    await this.store.remove(code);
    this.notifyTabs(code);
    await this.refresh(code);
  }

  // ---- games at a server

  async why({ view, sheet, seat }: SeatView, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null> {
    const found = this.kernel.seen(view, sheet, seat)?.whyNot(action);
    return found?.code ? { code: found.code, rule: found.rule, details: found.details } : null;
  }

  async preview({ view, sheet, seat }: SeatView, action: string): Promise<string[]> {
    return this.kernel.seen(view, sheet, seat)?.preview(action) ?? [];
  }

  async losses(sight: SeatView, here: string): Promise<Losses | null> {
    const { view, sheet, seat } = sight;
    if (!(await this.kernel.learn(view.variant, view.seats, sheet === view.variant ? undefined : sheet))) return null;
    // A view does not contain everything that the duel needs; a table of this device has it.
    const table = here ? await this.loaded.get(here) : null;
    const game = table?.running;
    return (game ? game.losses(seat) : this.kernel.seen(view, sheet, seat)?.losses()) ?? null;
  }

  async finalScores(sight: SeatView): Promise<number[] | null> {
    const request = ++this.rollouts;
    return finalScores(this.kernel, sight, () => request === this.rollouts);
  }

  async count(paper: Paper): Promise<Counted | null> {
    return this.kernel.count(paper);
  }

  // ---- scripted games

  async stand(script: Script, seat: number): Promise<ScriptState> {
    const { game, events } = played(this.kernel, script);
    return { view: game.view(seat), mine: game.mine(seat), events, outcome: game.outcome() };
  }

  async reasons(script: Script, seat: number): Promise<Record<string, Reason[]>> {
    return Object.fromEntries(played(this.kernel, script).game.reasons(seat));
  }

  async whyInScript(
    script: Script,
    seat: number,
    action: string,
  ): Promise<Pick<Why, "code" | "rule" | "details"> | null> {
    const found = played(this.kernel, script).game.whyNot(seat, action);
    return found?.code ? { code: found.code, rule: found.rule, details: found.details } : null;
  }

  // ---- lines to tables

  /** Join a table; return functions that send it a message, and that leave it. */
  join(code: string, send: Send, delays: Delays): { say(message: FromPage): void; leave(): void } {
    const found = this.loaded.get(code) ?? this.load(code, delays);
    this.loaded.set(code, found);
    found
      .then((table) => {
        this.loaded.set(code, found); // the last listener may have left meanwhile, which removed it
        table.join(send);
      })
      .catch((error: unknown) => this.reject(code, send, error));
    return {
      say: (message) => void found.then((table) => table.receive(send, message)).catch(() => undefined),
      leave: () => void found.then((table) => this.leave(code, table, send)).catch(() => undefined),
    };
  }

  /** Reload a game that another tab has written. */
  async refresh(code: string): Promise<void> {
    (await this.loaded.get(code)?.catch(() => undefined))?.refresh();
  }

  private async load(code: string, delays: Delays): Promise<LocalTable> {
    return new LocalTable(this, await this.stored(code), delays);
  }

  private reject(code: string, send: Send, error: unknown): void {
    this.loaded.delete(code);
    if (!(error instanceof Refused)) console.error(error);
    send(errorMessage(error instanceof Refused ? error : new Refused("unreadable")));
  }

  private leave(code: string, table: LocalTable, send: Send): void {
    table.leave(send);
    if (table.isEmpty) this.loaded.delete(code);
  }

  private game(id: string): GameEntry {
    const found = this.kernel.catalogue.games.find((game) => game.id === id);
    if (!found) throw new Refused("no-such-game");
    return found;
  }

  private async stored(code: string): Promise<StoredGame> {
    const kept = await this.store.read(code);
    if (!kept) throw new Refused("no-such-table");
    return kept;
  }
}
