/** All tables of this device: opening, finding and listing them, and games that come in as files. */
import type { Counted, Paper } from "../kernel/counting.ts";
import type { Analysis } from "../kernel/analysis.ts";
import { isRefusal, type Kernel, type LocalGame } from "../kernel/index.ts";
import type { FromPage, GameEntry, Opened, OpenTable, Reason, Replay, Why } from "../lib/protocol.ts";
import type { Calls, Script, Sight, Standing } from "./calls.ts";
import { masterScore } from "./days.ts";
import { Dealer } from "./dealer.ts";
import { verdictOn, type Verdict } from "./fair.ts";
import { cut, readSeats, writeFile } from "./files.ts";
import type { Keeper, Kept } from "./keeper.ts";
import { tellRemarks, unweave } from "./remarks.ts";
import { luckyOf } from "./recipe.ts";
import { played } from "./scripts.ts";
import { addBot, addPerson, freeName, newCode, newRoom, Refused, type Level } from "./room.ts";
import { usualBot } from "./telling.ts";
import { errorMessage, rowOf, type Surroundings, type Tell } from "./standing.ts";
import { LocalTable } from "./table.ts";

export class Tables implements Calls, Surroundings {
  private readonly loaded = new Map<string, Promise<LocalTable>>();

  constructor(
    readonly kernel: Kernel,
    readonly keeper: Keeper,
    readonly wrote: (code: string) => void,
  ) {}

  async games(): Promise<GameEntry[]> {
    return this.kernel.catalogue.games;
  }

  async open(wish: OpenTable): Promise<Opened> {
    const game = this.game(wish.variant);
    const room = newRoom(newCode(), game, wish.sheet ?? "");
    if (wish.name != null) addPerson(room, game, wish.name);
    for (const level of wish.bots ?? []) addBot(room, game, level as Level);
    await this.keeper.write(rowOf(room, new Dealer(room, null, 0), 1));
    return { code: room.code };
  }

  async openDay(date: string, variant: string, name: string): Promise<Opened> {
    const game = this.game(variant);
    const room = { ...newRoom(newCode(), game, ""), day: date };
    room.options.lucky = luckyOf(date, variant, game.luckyPads);
    addPerson(room, game, name);
    const dealer = new Dealer(room, null, 0);
    dealer.begin(this.kernel);
    await this.keeper.write(rowOf(room, dealer, 1));
    return { code: room.code };
  }

  async dayMaster(date: string, variant: string): Promise<number | null> {
    return masterScore(this.kernel, this.game(variant), date).catch((error: unknown) => {
      console.warn(error); // no network, and the weights were never fetched
      return null;
    });
  }

  async exists(code: string): Promise<boolean> {
    return (await this.keeper.read(code)) !== undefined;
  }

  async replay(code: string): Promise<Replay> {
    const { room, record } = await this.found(code);
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
      frames: tellRemarks(frames, unweave(record).remarks),
    };
  }

  async record(code: string): Promise<string> {
    const { room, record } = await this.found(code);
    if (!record) throw new Refused("not-now");
    return writeFile(record, room.seats);
  }

  async take(file: string, person: string): Promise<{ code: string; isOver: boolean }> {
    const game = this.whole(file);
    const entry = this.game(game.variant);
    const room = newRoom(newCode(), entry, entry.sheets.length ? game.sheet : "");
    room.seats = readSeats(file, game.seats, entry, person);
    room.stage = game.isOver ? "over" : "playing";
    await this.keeper.write(rowOf(room, new Dealer(room, game, 0), 1));
    return { code: room.code, isOver: game.isOver };
  }

  async analyse(file: string): Promise<Analysis> {
    const { variant, seats, sheet } = this.whole(file);
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

  async verify(record: string, promise: string): Promise<Verdict> {
    return verdictOn(this.kernel, record, promise);
  }

  async playOn(file: string, steps: number, seat: number, person: string): Promise<Opened> {
    const { variant, seats, sheet } = this.whole(file);
    const game = this.whole(cut(file, steps));
    if (game.isOver || seat >= seats) throw new Refused("not-now");
    const entry = this.game(variant);
    const room = newRoom(newCode(), entry, entry.sheets.length ? sheet : "");
    const level = usualBot(entry) ?? null;
    room.seats = Array.from({ length: seats }, (_, place) =>
      place === seat ? { name: freeName([], person), level: null, own: true } : { name: "", level, own: false },
    );
    room.stage = "playing";
    await this.keeper.write(rowOf(room, new Dealer(room, game, 0), 1));
    return { code: room.code };
  }

  /** Replay a game from a file. Throws Refused where it cannot be. */
  private whole(file: string): LocalGame {
    const game = this.kernel.replay(file);
    if (isRefusal(game)) throw new Refused("no-record", "", game.details);
    return game;
  }

  async remove(code: string): Promise<void> {
    await this.keeper.remove(code);
    this.wrote(code);
    await this.reread(code);
  }

  // ---- games that are played elsewhere

  async why({ view, sheet, seat }: Sight, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null> {
    const found = this.kernel.seen(view, sheet, seat)?.whyNot(action);
    return found?.code ? { code: found.code, rule: found.rule, details: found.details } : null;
  }

  async preview({ view, sheet, seat }: Sight, action: string): Promise<string[]> {
    return this.kernel.seen(view, sheet, seat)?.preview(action) ?? [];
  }

  async count(paper: Paper): Promise<Counted | null> {
    return this.kernel.count(paper);
  }

  // ---- games that are set up by hand

  async stand(script: Script, seat: number): Promise<Standing> {
    const { game, events } = played(this.kernel, script);
    return { view: game.view(seat), mine: game.mine(seat), events, outcome: game.outcome() };
  }

  async reasons(script: Script, seat: number): Promise<Record<string, Reason[]>> {
    return Object.fromEntries(played(this.kernel, script).game.reasons(seat));
  }

  async whyThere(script: Script, seat: number, action: string): Promise<Pick<Why, "code" | "rule" | "details"> | null> {
    const found = played(this.kernel, script).game.whyNot(seat, action);
    return found?.code ? { code: found.code, rule: found.rule, details: found.details } : null;
  }

  // ---- lines to tables

  /** Come to a table; gives what says something to it, and what leaves it. */
  join(code: string, tell: Tell, pace: number): { say(message: FromPage): void; leave(): void } {
    const found = this.loaded.get(code) ?? this.load(code, pace);
    this.loaded.set(code, found);
    found
      .then((table) => {
        this.loaded.set(code, found); // somebody may have left it meanwhile, as the last one
        table.join(tell);
      })
      .catch((error: unknown) => this.turnAway(code, tell, error));
    return {
      say: (message) => void found.then((table) => table.say(tell, message)).catch(() => undefined),
      leave: () => void found.then((table) => this.leave(code, table, tell)).catch(() => undefined),
    };
  }

  /** Another tab has written a game. */
  async reread(code: string): Promise<void> {
    (await this.loaded.get(code)?.catch(() => undefined))?.reread();
  }

  private async load(code: string, pace: number): Promise<LocalTable> {
    return new LocalTable(this, await this.found(code), pace);
  }

  private turnAway(code: string, tell: Tell, error: unknown): void {
    this.loaded.delete(code);
    if (!(error instanceof Refused)) console.error(error);
    tell(errorMessage(error instanceof Refused ? error : new Refused("unreadable")));
  }

  private leave(code: string, table: LocalTable, tell: Tell): void {
    table.leave(tell);
    if (table.isEmpty) this.loaded.delete(code);
  }

  private game(id: string): GameEntry {
    const found = this.kernel.catalogue.games.find((game) => game.id === id);
    if (!found) throw new Refused("no-such-game");
    return found;
  }

  private async found(code: string): Promise<Kept> {
    const kept = await this.keeper.read(code);
    if (!kept) throw new Refused("no-such-table");
    return kept;
  }
}
