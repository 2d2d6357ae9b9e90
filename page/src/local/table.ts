/**
 * A table on this device. It talks as a server's table does, and keeps its promise: a move is kept before it is shown.
 *
 * Everything that wants something from it waits in one queue, so that it is the only writer of its game in this tab. If
 * another tab has written meanwhile, what is kept there wins, and this table goes on from it.
 */
import type { FromPage, GameEntry } from "../lib/protocol.ts";
import { Dealer, refused } from "./dealer.ts";
import type { Kept } from "./keeper.ts";
import { Bots, Clock } from "./pace.ts";
import * as rooms from "./room.ts";
import { Refused, type Room } from "./room.ts";
import { errorMessage, rowOf, type Surroundings, type Tell } from "./standing.ts";
import { stateMessage, storyOf, tableMessage, usualBot } from "./telling.ts";

/** What has to follow: keep and tell what has changed, only tell it, or nothing. */
type After = "keep" | "tell" | "quiet";
type Work = () => After | void | Promise<After | void>;

export class LocalTable {
  private readonly ends = new Set<Tell>();
  private readonly bots: Bots;
  private readonly clock = new Clock((phase) => this.post(() => this.dealer.timeUp(phase)));
  private queue: Promise<void> = Promise.resolve();
  private room!: Room;
  private dealer!: Dealer;
  private toldRoom = "";
  /** Whether somebody has just come, who has to be told what happened so far. */
  private hasNewcomer = false;
  /** The window and the seat for which the last hint was given. */
  private hinted = "";
  private isGone = false;
  private hasWarned = false;

  /** Sit down at a table that is kept; raises `Refused` if its record makes no sense to these rules. */
  constructor(
    private readonly around: Surroundings,
    private kept: Kept,
    pace: number,
  ) {
    this.bots = new Bots(pace, (seat, phase) => this.post(() => this.decideForBot(seat, phase)));
    this.adopt(kept);
  }

  get isEmpty(): boolean {
    return !this.ends.size;
  }

  join(tell: Tell): void {
    this.ends.add(tell);
    this.post(() => {
      this.toldRoom = "";
      this.hasNewcomer = true;
      if (!this.around.keeper.lasts) this.warn();
      return "tell";
    });
  }

  leave(tell: Tell): void {
    this.ends.delete(tell);
    if (!this.isEmpty) return;
    this.bots.stop();
    this.bots.forget();
    this.clock.stop();
  }

  say(tell: Tell, message: FromPage): void {
    this.post(() => this.carryOut(tell, message), tell);
  }

  /** Another tab has written this game. */
  reread(): void {
    this.post(async () => {
      const found = await this.around.keeper.read(this.kept.code);
      if (found?.count === this.kept.count) return "quiet";
      this.takeOver(found);
      return "tell";
    });
  }

  /** Do something after all that was asked before it. Then keep it, and then tell it. */
  private post(work: Work, tell?: Tell): void {
    this.queue = this.queue
      .then(() => this.run(work, tell))
      .catch((error: unknown) => {
        console.error(error); // a fault of ours: memory may be ahead of what is kept, so forget it
        this.adopt(this.kept);
        this.tellAll();
      });
  }

  private async run(work: Work, tell?: Tell): Promise<void> {
    if (this.isGone) return;
    let after: After = "keep";
    try {
      after = (await work()) || "keep";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      tell?.(errorMessage(error));
      after = this.dealer.events.length ? "keep" : "tell"; // where the game stands, so that the page is right again
    }
    // What another tab has written meanwhile counts; who was too late for it is told.
    if (after === "keep" && !(await this.keep())) tell?.(errorMessage(new Refused("late")));
    if (after !== "quiet" && !this.isGone) this.tellAll();
  }

  private carryOut(tell: Tell, message: FromPage): ReturnType<Work> {
    const { room, dealer } = this;
    switch (message.t) {
      case "decide":
        if (!rooms.isPerson(rooms.ownSeat(room, message.seat))) throw new Refused("bot-plays");
        return dealer.decide(message.seat, message.phase, message.action);
      case "withdraw":
        rooms.ownSeat(room, message.seat);
        return dealer.withdraw(message.seat, message.phase);
      case "undo":
        rooms.ownSeat(room, message.seat);
        return dealer.undo(message.seat, message.phase); // who shares a device agrees aloud
      case "hint":
        return this.giveHint(tell, message.seat, message.phase);
      case "roll":
        return dealer.roll(message.dice);
      case "why":
        return this.sayWhy(tell, message.seat, message.action);
      case "sit":
        return void rooms.addPerson(room, this.game, message.name);
      case "rename":
        return rooms.rename(room, message.seat, message.name);
      case "stand":
        return rooms.vacate(room, message.seat, "person");
      case "addBot":
        return rooms.addBot(room, this.game, message.level);
      case "removeBot":
        return rooms.vacate(room, message.seat, "bot");
      case "options":
        return rooms.setOptions(room, this.game, message);
      case "start":
        rooms.checkLobby(room);
        return dealer.begin(this.around.kernel);
      case "toBot":
        return this.handOver(message.seat, usualBot(this.game) ?? null);
      case "takeBack":
        return this.handOver(message.seat, null);
      case "forgetName":
        return rooms.forgetName(room, message.seat);
      case "rematch":
        return this.openNext();
      case "delete":
        return this.remove();
      case "ping":
        tell({ t: "pong" });
        return "quiet";
      case "hello":
        return "tell";
      default:
        throw new Refused("not-now"); // there is nobody to be sent away, and nobody to vote
    }
  }

  private get game(): GameEntry {
    return this.around.kernel.catalogue.games.find((game) => game.id === this.room.variant)!;
  }

  private sayWhy(tell: Tell, seat: number, action: string): After {
    rooms.ownSeat(this.room, seat);
    if (!this.dealer.game) throw new Refused("not-now");
    const found = this.dealer.game.whyNot(seat, action);
    if (found?.error === "unreadable") throw refused(found);
    const { code, rule, details } = found ?? { code: "allowed", rule: "", details: {} };
    tell({ t: "why", seat, action, code, rule, details });
    return "quiet";
  }

  /** Note a hint and keep that, then give it; the same again in the same window costs nothing. */
  private async giveHint(tell: Tell, seat: number, phase: number): Promise<After> {
    const { room, dealer } = this;
    if (!rooms.isPerson(rooms.ownSeat(room, seat))) throw new Refused("bot-plays");
    if (!rooms.hasHints(room)) throw new Refused("no-hints");
    const isNews = this.hinted !== `${phase}/${seat}`;
    await this.learn();
    const game = isNews ? dealer.noteHint(seat, phase) : dealer.game;
    const hint = game?.hint(seat);
    if (!hint) throw new Refused("no-hint");
    this.hinted = `${phase}/${seat}`;
    this.post(() => {
      tell({ t: "hint", phase, ...hint });
      return "quiet";
    });
    return isNews ? "keep" : "quiet";
  }

  /** Get what it takes to say what choices are worth. */
  private async learn(): Promise<void> {
    const { variant, seats, options } = this.room;
    const isLearned = await this.around.kernel
      .learn(variant, seats.length, options.sheet || undefined)
      .catch(() => null);
    if (isLearned === null) throw new Refused("no-hint-weights");
    if (!isLearned) throw new Refused("no-hint");
  }

  private handOver(seat: number, level: rooms.Level | null): void {
    rooms.handOver(this.room, seat, level);
    this.bots.forget();
  }

  private async decideForBot(seat: number, phase: number): Promise<After> {
    const level = this.room.seats[seat]?.level;
    if (!level || phase !== this.dealer.phase || !this.dealer.game?.deciders().includes(seat)) return "quiet";
    await this.prepare(level);
    try {
      this.dealer.decide(seat, phase, this.dealer.game.choose(level, seat));
    } catch (error) {
      console.error(error); // whatever a bot does, the game goes on
      this.dealer.decideSomehow(seat);
    }
    return "keep";
  }

  /** Get a bot ready; where its weights cannot be had, a rule of thumb stands in and they are asked for again next time. */
  private async prepare(level: rooms.Level): Promise<void> {
    const { variant, seats, options } = this.room;
    await this.around.kernel.prepare(level, variant, seats.length, options.sheet || undefined).catch(console.warn);
  }

  private async openNext(): Promise<After> {
    if (this.room.stage !== "over") throw new Refused("not-now");
    if (this.room.next) return "tell";
    const room = rooms.nextRoom(rooms.newCode(), this.room);
    const dealer = new Dealer(room, null, 0);
    dealer.begin(this.around.kernel);
    await this.around.keeper.write(rowOf(room, dealer, 1));
    this.room.next = room.code;
    return "keep";
  }

  private async remove(): Promise<After> {
    await this.around.keeper.remove(this.room.code);
    this.around.wrote(this.room.code);
    this.takeOver(undefined);
    return "quiet";
  }

  // ---- keep, then tell

  /** Keep the game as it stands; false if another tab has gone on with it, and then so does this one. */
  private async keep(): Promise<boolean> {
    const row = rowOf(this.room, this.dealer, this.kept.count + 1);
    try {
      if (!(await this.around.keeper.write(row))) {
        this.takeOver(await this.around.keeper.read(row.code));
        return false;
      }
      this.kept = row;
      this.around.wrote(row.code);
    } catch {
      this.warn(); // the disk is full, or the browser forbids it: the game goes on as long as the tab is open
    }
    return true;
  }

  private warn(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    for (const tell of this.ends) tell({ t: "error", code: "not-kept" });
  }

  private takeOver(found: Kept | undefined): void {
    if (found) return this.adopt(found);
    this.isGone = true;
    this.bots.stop();
    this.clock.stop();
    for (const tell of this.ends) tell({ t: "error", code: "no-such-table" });
  }

  private adopt(kept: Kept): void {
    const room = structuredClone(kept.room);
    this.dealer = Dealer.resume(this.around.kernel, room, kept.record, kept.phase);
    this.kept = kept;
    this.room = room;
    this.dealer.letChance();
    this.bots.forget();
  }

  private tellAll(): void {
    const { room, dealer, bots, clock } = this;
    const table = tableMessage(room);
    const text = JSON.stringify(table);
    clock.set(dealer.phase, dealer.game && !dealer.game.isOver ? room.options.timer : 0);
    const state = stateMessage(room, dealer, clock.left());
    if (state && this.hasNewcomer) state.story = storyOf(this.around.kernel, dealer.record());
    if (state) this.hasNewcomer = false;
    for (const tell of this.ends) {
      if (text !== this.toldRoom) tell(table);
      if (state) tell(state);
    }
    this.toldRoom = text;
    dealer.events = [];
    if (!this.isEmpty)
      bots.look(
        (dealer.game?.deciders() ?? []).filter((seat) => !rooms.isPerson(room.seats[seat])),
        dealer.phase,
      );
  }
}
