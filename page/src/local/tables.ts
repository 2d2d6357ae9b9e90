/** All tables of this device: opening, finding and listing them, and games that come in as files. */
import { isRefusal, type Kernel } from "../kernel/index.ts";
import type { FromPage, GameEntry, Opened, OpenTable, Replay, Why } from "../lib/protocol.ts";
import type { Calls, Sight } from "./calls.ts";
import { Dealer } from "./dealer.ts";
import { readSeats, writeFile } from "./files.ts";
import type { Keeper, Kept } from "./keeper.ts";
import { tellRemarks, unweave } from "./remarks.ts";
import { addBot, addPerson, newCode, newRoom, Refused, type Level } from "./room.ts";
import { errorMessage, LocalTable, rowOf, type Surroundings, type Tell } from "./table.ts";

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
    return { code, variant: room.variant, sheet: game.sheet, names: room.seats.map((seat) => seat.name), outcome, frames: tellRemarks(frames, unweave(record).remarks) };
  }

  async record(code: string): Promise<string> {
    const { room, record } = await this.found(code);
    if (!record) throw new Refused("not-now");
    return writeFile(record, room.seats);
  }

  async take(file: string, person: string): Promise<{ code: string; isOver: boolean }> {
    const game = this.kernel.replay(file);
    if (isRefusal(game)) throw new Refused("no-record", "", game.details);
    const entry = this.game(game.variant);
    const room = newRoom(newCode(), entry, entry.sheets.length ? game.sheet : "");
    room.seats = readSeats(file, game.seats, entry, person);
    room.stage = game.isOver ? "over" : "playing";
    await this.keeper.write(rowOf(room, new Dealer(room, game, 0), 1));
    return { code: room.code, isOver: game.isOver };
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
