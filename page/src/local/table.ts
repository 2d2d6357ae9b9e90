/**
 * A table on this device. It speaks the protocol of a server's table and, like it, saves a move before it shows it.
 *
 * All work waits in one queue, so this table is the only writer of its game in this tab. If another tab has written meanwhile,
 * the stored game wins, and this table continues from it.
 */
import { isRefusal } from "../engine/index.ts";
import type { FromPage, GameEntry } from "../protocol.ts";
import { Dealer, refused } from "./dealer.ts";
import type { StoredGame } from "./gameStore.ts";
import { BotTimers, Clock } from "./timers.ts";
import * as rooms from "./room.ts";
import { Refused, type Room } from "./room.ts";
import { errorMessage, rowOf, type TableContext, type Send } from "./tableContext.ts";
import { stateMessage, storyOf, tableMessage, defaultBot } from "./outgoing.ts";

/** What follows a piece of work: save the changes and send them to all, only send them, answer those who need it, or nothing. */
type After = "save" | "send" | "answer" | "nothing";
type Work = () => After | void | Promise<After | void>;

export class LocalTable {
  private readonly listeners = new Set<Send>();
  private readonly bots: BotTimers;
  private readonly clock = new Clock((phase) => this.enqueue(() => this.dealer.timeUp(phase)));
  private queue: Promise<void> = Promise.resolve();
  private room!: Room;
  private dealer!: Dealer;
  private sentRoom = "";
  /** Listeners that get the whole state with the past events, whether or not it has changed. */
  private readonly resync = new Set<Send>();
  /** The decision window and the seat of the last hint. */
  private hinted = "";
  private isDeleted = false;
  private hasWarned = false;

  /** Load a stored table; throws `Refused` if these rules cannot replay its record. */
  constructor(
    private readonly context: TableContext,
    private stored: StoredGame,
    pace: number,
  ) {
    this.bots = new BotTimers(pace, (seat, phase) => this.enqueue(() => this.decideForBot(seat, phase)));
    this.restore(stored);
  }

  get isEmpty(): boolean {
    return !this.listeners.size;
  }

  join(send: Send): void {
    this.listeners.add(send);
    this.enqueue(() => {
      if (!this.context.store.isPersistent) this.warn();
      return this.welcome(send);
    });
  }

  /** Send everything to a listener, and the room to all. */
  private welcome(send: Send): After {
    this.sentRoom = "";
    this.resync.add(send);
    return "answer";
  }

  leave(send: Send): void {
    this.listeners.delete(send);
    if (!this.isEmpty) return;
    this.bots.stop();
    this.bots.reset();
    this.clock.stop();
  }

  receive(send: Send, message: FromPage): void {
    this.enqueue(() => this.handle(send, message), send);
  }

  /** Reload the game if another tab has written it. */
  refresh(): void {
    this.enqueue(async () => {
      const found = await this.context.store.read(this.stored.code);
      if (found?.count === this.stored.count) return "nothing";
      this.reload(found);
      return "send";
    });
  }

  /** Run work after everything that is queued. Then save, and then send. */
  private enqueue(work: Work, send?: Send): void {
    this.queue = this.queue
      .then(() => this.run(work, send))
      .catch((error: unknown) => {
        console.error(error); // a bug: memory may be ahead of the stored game, so restore that
        this.restore(this.stored);
        this.broadcast(true);
      });
  }

  private async run(work: Work, send?: Send): Promise<void> {
    if (this.isDeleted) return;
    let after: After;
    try {
      after = (await work()) || "save";
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      send?.(errorMessage(error));
      if (send) this.resync.add(send); // its page may be out of date
      after = this.dealer.events.length ? "save" : "answer";
    }
    // If another tab has written meanwhile, its version wins and the sender gets a refusal.
    if (after === "save" && !(await this.save())) send?.(errorMessage(new Refused("late")));
    if (after !== "nothing" && !this.isDeleted) this.broadcast(after !== "answer");
  }

  private handle(send: Send, message: FromPage): ReturnType<Work> {
    const { room, dealer } = this;
    switch (message.t) {
      case "decide":
        rooms.checkPlayer(room, message.seat);
        return dealer.decide(message.seat, message.phase, message.action);
      case "withdraw":
        rooms.checkPlayer(room, message.seat);
        return dealer.withdraw(message.seat, message.phase);
      case "undo":
        rooms.checkPlayer(room, message.seat);
        return dealer.undo(message.seat, message.phase); // people at one device agree aloud, so no vote is needed
      case "hint":
        return this.giveHint(send, message.seat, message.phase);
      case "roll":
        return dealer.roll(message.dice);
      case "why":
        return this.answerWhy(send, message.seat, message.action);
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
        if (message.lucky) this.checkLucky(message.lucky);
        return rooms.setOptions(room, this.game, message);
      case "start":
        rooms.checkLobby(room);
        return dealer.begin(this.context.kernel);
      case "toBot":
        return this.handOver(message.seat, defaultBot(this.game) ?? null);
      case "takeBack":
        return this.handOver(message.seat, null);
      case "forgetName":
        return rooms.forgetName(room, message.seat);
      case "rematch":
        return this.openRematch();
      case "delete":
        return this.remove();
      case "ping":
        send({ t: "pong" });
        return "nothing";
      case "hello":
        return this.welcome(send);
      default:
        throw new Refused("not-now"); // moderation and votes exist only at a server
    }
  }

  private get game(): GameEntry {
    return this.context.kernel.catalogue.games.find((game) => game.id === this.room.variant)!;
  }

  private checkLucky(lucky: string[]): void {
    const { variant } = this.room;
    if (isRefusal(this.context.kernel.begin({ variant, seats: lucky.length, lucky }))) throw new Refused("bad-options");
  }

  private answerWhy(send: Send, seat: number, action: string): After {
    rooms.ownSeat(this.room, seat);
    if (!this.dealer.game) throw new Refused("not-now");
    const found = this.dealer.game.whyNot(seat, action);
    if (found?.error === "unreadable") throw refused(found);
    const { code, rule, details } = found ?? { code: "allowed", rule: "", details: {} };
    send({ t: "why", seat, action, code, rule, details });
    return "nothing";
  }

  /** Save that a hint was taken, then send it; asking again in the same window adds no remark. */
  private async giveHint(send: Send, seat: number, phase: number): Promise<After> {
    const { room, dealer } = this;
    rooms.checkPlayer(room, seat);
    if (!rooms.hasHints(room)) throw new Refused("no-hints");
    const game = dealer.checkDecider(seat, phase);
    const isNews = this.hinted !== `${phase}/${seat}`;
    await this.loadNet();
    const hint = game.hint(seat);
    if (!hint) throw new Refused("no-hint");
    if (isNews) dealer.noteHint(seat);
    this.hinted = `${phase}/${seat}`;
    this.enqueue(() => {
      send({ t: "hint", phase, ...hint });
      return "nothing";
    });
    return isNews ? "save" : "nothing";
  }

  /** Load the net that rates choices. */
  private async loadNet(): Promise<void> {
    const { variant, seats, options } = this.room;
    const isLearned = await this.context.kernel
      .learn(variant, seats.length, options.sheet || undefined)
      .catch(() => null);
    if (isLearned === null) throw new Refused("no-hint-weights");
    if (!isLearned) throw new Refused("no-hint");
  }

  private handOver(seat: number, level: rooms.Level | null): void {
    rooms.handOver(this.room, seat, level);
    this.bots.reset();
  }

  private async decideForBot(seat: number, phase: number): Promise<After> {
    const level = this.room.seats[seat]?.level;
    if (!level || phase !== this.dealer.phase || !this.dealer.game?.deciders().includes(seat)) return "nothing";
    await this.prepare(level);
    try {
      this.dealer.decide(seat, phase, this.dealer.game.choose(level, seat));
    } catch (error) {
      console.error(error); // the game must continue even if a bot fails
      this.dealer.decideByDefault(seat);
    }
    return "save";
  }

  /** Load the weights of a bot. If that fails, a heuristic decides, and the next decision tries again. */
  private async prepare(level: rooms.Level): Promise<void> {
    const { variant, seats, options } = this.room;
    await this.context.kernel.prepare(level, variant, seats.length, options.sheet || undefined).catch(console.warn);
  }

  private async openRematch(): Promise<After> {
    if (this.room.stage !== "over") throw new Refused("not-now");
    if (this.room.next) return "send";
    const room = rooms.nextRoom(rooms.newCode(), this.room);
    const dealer = new Dealer(room, null, 0);
    dealer.begin(this.context.kernel);
    await this.context.store.write(rowOf(room, dealer, 1));
    this.room.next = room.code;
    return "save";
  }

  private async remove(): Promise<After> {
    await this.context.store.remove(this.room.code);
    this.context.notifyTabs(this.room.code);
    this.reload(undefined);
    return "nothing";
  }

  // ---- save, then send

  /** Save the game. If another tab has written it, reload that version and return false. */
  private async save(): Promise<boolean> {
    const row = rowOf(this.room, this.dealer, this.stored.count + 1);
    try {
      if (!(await this.context.store.write(row))) {
        this.reload(await this.context.store.read(row.code));
        return false;
      }
      this.stored = row;
      this.context.notifyTabs(row.code);
    } catch {
      this.warn(); // the disk is full, or the browser forbids it: the game continues while the tab is open
    }
    return true;
  }

  private warn(): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    for (const send of this.listeners) send({ t: "error", code: "not-kept" });
  }

  private reload(found: StoredGame | undefined): void {
    if (found) return this.restore(found);
    this.isDeleted = true;
    this.bots.stop();
    this.clock.stop();
    for (const send of this.listeners) send({ t: "error", code: "no-such-table" });
  }

  private restore(stored: StoredGame): void {
    const room = structuredClone(stored.room);
    this.dealer = Dealer.resume(this.context.kernel, room, stored.record, stored.phase);
    this.stored = stored;
    this.room = room;
    this.dealer.resolveChance();
    this.bots.reset();
  }

  /** Send the room if it has changed, and the state: to all, or to those who need it. */
  private broadcast(toAll: boolean): void {
    const { room, dealer, bots, clock } = this;
    const table = tableMessage(room);
    const text = JSON.stringify(table);
    clock.set(dealer.phase, dealer.game && !dealer.game.isOver ? room.options.timer : 0);
    const state = stateMessage(room, dealer, clock.secondsLeft());
    const whole =
      state && this.resync.size ? { ...state, story: storyOf(this.context.kernel, dealer.record()) } : state;
    for (const send of this.listeners) {
      if (text !== this.sentRoom) send(table);
      if (whole && this.resync.has(send)) send(whole);
      else if (state && toAll) send(state);
    }
    this.resync.clear();
    this.sentRoom = text;
    dealer.events = [];
    if (!this.isEmpty)
      bots.schedule(
        (dealer.game?.deciders() ?? []).filter((seat) => !rooms.isPerson(room.seats[seat])),
        dealer.phase,
      );
  }
}
