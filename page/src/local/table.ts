/**
 * A table on this device. It speaks the protocol of a server's table and, like it, saves a move before it shows it.
 *
 * All work waits in one queue, so this table is the only writer of its game in this tab. If another tab has written meanwhile,
 * the stored game wins, and this table continues from it.
 */
import { isRefusal, type LocalGame } from "../engine/index.ts";
import { TABLE, type FromPage, type GameEntry } from "../protocol.ts";
import { Core, done } from "./core.ts";
import { Dealer } from "./dealer.ts";
import type { StoredGame } from "./gameStore.ts";
import { BotTimers, Clock } from "./timers.ts";
import * as rooms from "./room.ts";
import { Refused, type Room } from "./room.ts";
import { errorMessage, rowOf, type Delays, type Send, type TableChange, type TableContext } from "./tableContext.ts";
import { stateMessage, storyOf, tableMessage, defaultBot } from "./outgoing.ts";

type Work = () => TableChange | Promise<TableChange>;

/** The room has changed. */
const ROOM: TableChange = { room: true };

export class LocalTable {
  private readonly listeners = new Set<Send>();
  private readonly bots: BotTimers;
  private readonly clock = new Clock((phase) => this.enqueue(() => this.dealer.timeUp(phase)));
  private readonly rollTimer = new Clock((phase) => this.enqueue(() => this.dealer.rollAfterWait(phase)));
  private queue: Promise<void> = Promise.resolve();
  private room!: Room;
  private dealer!: Dealer;
  private sentRoom = "";
  /** The decision window and the seat of the last hint. */
  private hinted = "";
  private isDeleted = false;
  private hasWarned = false;

  /** Load a stored table; throws `Refused` if these rules cannot replay its record. */
  constructor(
    private readonly context: TableContext,
    private stored: StoredGame,
    private readonly delays: Delays,
  ) {
    this.bots = new BotTimers((seat, phase) => this.enqueue(() => this.decideForBot(seat, phase)));
    this.restore(stored);
  }

  get isEmpty(): boolean {
    return !this.listeners.size;
  }

  join(send: Send): void {
    this.listeners.add(send);
    this.enqueue(() => {
      if (!this.context.store.isPersistent) this.warn();
      // A table that was loaded rolls, and saves the roll: a page that is loaded again shows the same dice.
      const isDue = this.listeners.size === 1 && this.dealer.game?.awaitsChance;
      return { ...(isDue ? this.dealer.rollAfterWait(this.dealer.phase) : {}), events: [], ...this.welcome(send) };
    });
  }

  /** Send everything to a listener, and the room to all. */
  private welcome(send: Send): TableChange {
    this.sentRoom = "";
    return { resync: send };
  }

  leave(send: Send): void {
    this.listeners.delete(send);
    if (!this.isEmpty) return;
    this.bots.stop();
    this.bots.reset();
    this.stopClocks();
  }

  private stopClocks(): void {
    this.clock.stop();
    this.rollTimer.stop();
  }

  receive(send: Send, message: FromPage): void {
    this.enqueue(() => this.handle(send, message), send);
  }

  /** Reload the game if another tab has written it. */
  refresh(): void {
    this.enqueue(async () => {
      const found = await this.context.store.read(this.stored.code);
      if (found?.count === this.stored.count) return {};
      this.reload(found);
      return { state: true, isStored: true };
    });
  }

  /** Run work after everything that is queued. Then save, and then send. */
  private enqueue(work: Work, send?: Send): void {
    this.queue = this.queue
      .then(() => this.run(work, send))
      .catch((error: unknown) => {
        console.error(error); // a bug: memory may be ahead of the stored game, so restore that
        this.restore(this.stored);
        this.broadcast({ state: true });
      });
  }

  private async run(work: Work, send?: Send): Promise<void> {
    if (this.isDeleted) return;
    let change: TableChange;
    try {
      change = await work();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      send?.(errorMessage(error));
      change = { resync: send }; // its page may be out of date
    }
    // If another tab has written meanwhile, its version wins and the sender gets a refusal.
    const isNews = (change.room || change.state) && !change.isStored;
    if (isNews && !(await this.save())) {
      send?.(errorMessage(new Refused("late")));
      change = { state: true };
    }
    if (!this.isDeleted) this.broadcast(change);
  }

  private handle(send: Send, message: FromPage): ReturnType<Work> {
    const { room, dealer } = this;
    switch (message.t) {
      case "decide":
        rooms.checkPlayer(room, message.seat);
        return dealer.decide(message.seat, message.phase, message.action, this.delays.undo);
      case "withdraw":
        rooms.checkPlayer(room, message.seat);
        return dealer.withdraw(message.seat, message.phase);
      case "undo":
        rooms.checkPlayer(room, message.seat);
        dealer.running().checkUndo(message.seat, message.phase);
        return { ...dealer.running().undo(message.seat), state: true }; // people at one device agree aloud
      case "hint":
        return this.giveHint(send, message.seat, message.phase, message.quiet);
      case "roll":
        return dealer.roll(message.dice);
      case "why":
        return this.answerWhy(send, message.seat, message.action);
      case "sit":
        rooms.addPerson(room, this.game, message.name);
        return ROOM;
      case "rename":
        rooms.rename(room, message.seat, message.name);
        return ROOM;
      case "stand":
        rooms.vacate(room, message.seat, "person");
        return ROOM;
      case "addBot":
        rooms.addBot(room, this.game, message.level);
        return ROOM;
      case "removeBot":
        rooms.vacate(room, message.seat, "bot");
        return ROOM;
      case "options":
        if (message.lucky) this.checkLucky(message.lucky);
        rooms.setOptions(room, this.game, message);
        return ROOM;
      case "start":
        rooms.checkLobby(room);
        return dealer.begin(this.context.kernel);
      case "toBot":
        return this.handOver(message.seat, defaultBot(this.game) ?? null);
      case "takeBack":
        return this.handOver(message.seat, null);
      case "forgetName":
        rooms.forgetName(room, message.seat);
        return ROOM;
      case "rematch":
        return this.openRematch();
      case "delete":
        return this.remove();
      case "ping":
        send({ t: "pong" });
        return {};
      case "hello":
        return this.welcome(send);
      case "agreeUndo": // these exist only at a server
      case "lead":
      case "makeHost":
      case "move":
      case "openWords":
      case "point":
      case "react":
      case "remove":
      case "sealWords":
      case "stopLeading":
      case "vote":
        throw new Refused("not-now");
      default:
        return message satisfies never;
    }
  }

  private get game(): GameEntry {
    return this.context.kernel.catalogue.games.find((game) => game.id === this.room.variant)!;
  }

  private checkLucky(lucky: string[]): void {
    const { variant } = this.room;
    if (isRefusal(this.context.kernel.begin({ variant, seats: lucky.length, lucky }))) throw new Refused("bad-options");
  }

  private answerWhy(send: Send, seat: number, action: string): TableChange {
    rooms.ownSeat(this.room, seat);
    if (!this.dealer.game) throw new Refused("not-now");
    const found = this.dealer.game.whyNot(seat, action);
    if (found?.error === "unreadable") done(found);
    const { code, rule, details } = found ?? { code: "allowed", rule: "", details: {} };
    send({ t: "why", seat, action, code, rule, details });
    return {};
  }

  /** Save that a hint was taken, then send it unless it is quiet; asking again in the same window adds no remark. */
  private async giveHint(send: Send, seat: number, phase: number, quiet = false): Promise<TableChange> {
    const { room, dealer } = this;
    rooms.checkPlayer(room, seat);
    if (!rooms.hasHints(room)) throw new Refused("no-hints");
    const game = dealer.running().inPhase(phase);
    if (!game.deciders().includes(seat)) throw new Refused("not-your-turn");
    const isNews = this.hinted !== `${phase}/${seat}`;
    if (!quiet) {
      await this.loadNet();
      const hint = game.hint(seat);
      if (!hint) throw new Refused("no-hint");
      this.enqueue(() => {
        send({ t: "hint", phase, ...hint });
        return {};
      });
    }
    this.hinted = `${phase}/${seat}`;
    return isNews ? { ...dealer.running().noteHint(seat), state: true } : {};
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

  /** The running game, for questions that change nothing; null before the start. */
  get running(): LocalGame | null {
    return this.dealer.game;
  }

  private handOver(seat: number, level: rooms.Level | null): TableChange {
    rooms.handOver(this.room, seat, level);
    this.bots.reset();
    return { room: true, state: true };
  }

  private async decideForBot(seat: number, phase: number): Promise<TableChange> {
    const level = this.room.seats[seat]?.level;
    if (!level || phase !== this.dealer.phase || !this.dealer.game?.deciders().includes(seat)) return {};
    const isNews = !(await this.prepare(level)) && !this.room.seats[seat]!.plain;
    if (isNews) this.room.seats[seat]!.plain = true;
    try {
      const change = this.dealer.decide(seat, phase, this.dealer.game.choose(level, seat));
      return isNews ? { ...change, room: true } : change;
    } catch (error) {
      console.error(error); // the game must continue even if a bot fails
      return this.dealer.decideByDefault(seat);
    }
  }

  /** Load the weights of a bot; return whether it has them. If not, a heuristic decides, and the next decision tries again. */
  private async prepare(level: rooms.Level): Promise<boolean> {
    const { variant, seats, options } = this.room;
    try {
      await this.context.kernel.prepare(level, variant, seats.length, options.sheet || undefined);
      return true;
    } catch (error) {
      console.warn(error);
      return false;
    }
  }

  private async openRematch(): Promise<TableChange> {
    if (this.room.stage !== "over") throw new Refused("not-now");
    if (this.room.next) return {};
    const room = rooms.nextRoom(rooms.newCode(), this.room);
    const dealer = new Dealer(room, null);
    dealer.begin(this.context.kernel);
    await this.context.store.write(rowOf(room, dealer, 1));
    this.room.next = room.code;
    return ROOM;
  }

  private async remove(): Promise<TableChange> {
    await this.context.store.remove(this.room.code);
    this.context.notifyTabs(this.room.code);
    this.reload(undefined);
    return {};
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
    this.stopClocks();
    for (const send of this.listeners) send({ t: "error", code: "no-such-table" });
  }

  private restore(stored: StoredGame): void {
    const room = structuredClone(stored.room);
    room.options = { ...rooms.DEFAULTS, ...room.options }; // a newer page may have more of them
    const { record, phase } = stored;
    this.dealer = new Dealer(room, record ? Core.resume(this.context.kernel, record, phase) : null);
    this.stored = stored;
    this.room = room;
    this.dealer.waitToRoll(this.delays.undo);
    this.bots.reset();
  }

  /** Send the room if it has changed, and the state: to all if it has changed, else to those who need it. */
  private broadcast({ events = [], state: isNews, resync }: TableChange): void {
    const { room, dealer, bots, clock } = this;
    const table = tableMessage(room);
    const text = JSON.stringify(table);
    clock.set(dealer.phase, dealer.game && !dealer.game.isOver ? room.options.timer : 0);
    this.rollTimer.set(dealer.phase, this.isEmpty ? 0 : dealer.undoLeft());
    const state = stateMessage(room, dealer, events, clock.secondsLeft());
    for (const send of this.listeners) {
      if (text !== this.sentRoom) send(table);
      if (!state) continue;
      if (send === resync) send({ ...state, story: storyOf(this.context.kernel, dealer.record()) });
      else if (isNews) send(state);
    }
    this.sentRoom = text;
    if (!this.isEmpty)
      bots.schedule(
        (dealer.game?.deciders() ?? []).filter((seat) => !rooms.isPerson(room.seats[seat])),
        dealer.phase,
        this.delays.bot * TABLE.paces[room.options.pace],
      );
  }
}
