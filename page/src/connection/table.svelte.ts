/** A table as this page knows it: the room, the state of the game, the event feed, and answers to requests. */
import { canPlayLocally, localHouse } from "../local/localHouse.ts";
import { type FeedItem, gameOf, type House, type Line, type Reply } from "../house.ts";
import { t } from "../words/i18n.svelte.ts";
import { notedPromise, notePromise } from "../fair/notedPromises.ts";
import { opening } from "../fair/sealedWords.ts";
import { Outbox } from "./outbox.svelte.ts";
import type {
  AnyEvent,
  FromPage,
  FromServer,
  GameEntry,
  Hint,
  Layout,
  Pointer,
  Reaction,
  State,
  TableState,
} from "../protocol.ts";
import { toFeedItems } from "./eventFeed.ts";

const FEED_LENGTH = 400;
const BAN_CODES = new Set(["banned", "barred", "closed", "damaged"]);

export class Table {
  isConnected = $state(false);
  /** Whether there has ever been a connection: before that we are connecting, afterwards reconnecting. */
  wasConnected = $state(false);
  missing = $state(false);
  /** Why this device may not enter: the code of a ban by the host of the table or by the operator; else empty. */
  banned = $state("");
  room = $state.raw<TableState | null>(null);
  state = $state.raw<State | null>(null);
  game = $state.raw<GameEntry | null>(null);
  feed = $state.raw<FeedItem[]>([]);
  /** Items that the latest state added to the feed, for screen readers; a feed that is sent again is not read out. */
  newItems = $state.raw<FeedItem[]>([]);
  /** The events of the latest state alone: for sounds, announcements and animations. */
  latest = $state.raw<AnyEvent[]>([]);
  reply = $state.raw<Reply | null>(null);
  /** A hint for the open decision window. */
  hint = $state.raw<Hint | null>(null);
  /** The latest reaction of a player. */
  reaction = $state.raw<(Reaction & { id: number }) | null>(null);
  /** Where the leader of the review points; null if nobody leads, or before the first move. */
  pointer = $state.raw<Pointer | null>(null);
  /** When the open decision window ends, by this device's clock. */
  endsAt = $state<number | null>(null);
  /** How many rolls this page has received: each one is animated once. */
  rollCount = $state(0);
  /** The hash of the seed, as this page first received it: a later change would be noticed. */
  commitment = $state("");
  /** After the game: the promise of the next table, as it was first shown here. */
  nextCommitment = $state("");
  readonly outbox = new Outbox((message) => this.line.send(message));
  private lastId = 0;
  /** States that wait until the dice have landed; null while none has to wait. */
  private held: State[] | null = null;
  private readonly line: Line;

  constructor(
    readonly code: string,
    readonly house: House,
  ) {
    this.line = house.connect(code, {
      receive: (message) => this.receive(message),
      connected: (up) => this.connected(up),
    });
  }

  get layout(): Layout | null {
    const layouts = this.game?.layouts;
    if (!layouts || !this.room) return null;
    return layouts[this.room.sheet] ?? layouts[this.room.variant] ?? Object.values(layouts)[0] ?? null;
  }

  get mine(): number[] {
    return this.room?.mine ?? [];
  }

  /** How the screen calls a seat: "You" for the only seat of this device, else by its name. */
  name(seat: number): string {
    return this.mine.length === 1 && this.mine[0] === seat ? t("name.you") : this.fullName(seat);
  }

  /** The name of a seat for others: in pictures and texts that are shared. */
  fullName(seat: number): string {
    const seats = this.room?.seats ?? [];
    const found = seats.find((s) => s.seat === seat);
    // The server sends no texts, so a bot has no name: it gets one in the reader's language.
    const bots = seats.filter((s) => s.kind === "bot" && s.seat <= seat).length;
    return found?.name || t("bot.name", { n: bots || 1 });
  }

  /** Return an unused name for a player who gave none. */
  freeName(): string {
    const plain = t("name.default");
    const taken = new Set(this.room?.seats.map((seat) => seat.name));
    let name = plain;
    for (let n = 2; taken.has(name); n++) name = `${plain} ${n}`;
    return name;
  }

  /** Send a message; show an error if it cannot be delivered. */
  send(message: FromPage): void {
    if (!this.line.send(message) && this.wasConnected) this.reply = { t: "error", code: "no-line" };
  }

  decide(seat: number, action: string): void {
    this.choose(seat, action);
  }

  /** Withdraw a choice while its window is open. */
  withdraw(seat: number): void {
    this.choose(seat, null);
  }

  /** Send what the real dice show. */
  roll(dice: string): void {
    if (this.state) this.outbox.roll(this.state, dice);
  }

  private choose(seat: number, action: string | null): void {
    if (!this.state) return;
    this.reply = null;
    this.outbox.choose(this.state, seat, action);
  }

  /** Return the cells that a decision would cross on its own sheet; none where that is unknown. */
  async preview(seat: number, action: string): Promise<string[]> {
    const { room, state } = this;
    if (!room || !state || !canPlayLocally()) return [];
    const view = state.mine[seat]?.view ?? state.view;
    return localHouse.preview({ view, sheet: room.sheet, seat }, action).catch(() => []);
  }

  askWhy(seat: number, action: string): void {
    this.send({ t: "why", seat, action });
  }

  /** Ask for a hint for a seat in the open window. */
  askHint(seat: number): void {
    if (!this.state || this.outbox.awaits("hint") || this.hint?.seat === seat) return;
    this.hint = null;
    this.reply = null;
    this.outbox.ask(this.state, { t: "hint", seat, phase: this.state.phase });
  }

  /** Vote for a rematch; with `now`, start it without the players who have not voted. */
  askRematch(now: boolean): void {
    if (this.state) this.outbox.ask(this.state, { t: "rematch", now });
  }

  /** Close the hint; it can be asked for again. */
  dropHint(): void {
    this.hint = null;
    this.outbox.forget("hint");
  }

  close(): void {
    this.line.close();
  }

  private connected(up: boolean): void {
    this.isConnected = up;
    if (!up) this.outbox.disconnected();
    if (up) this.wasConnected = true;
    else if (!this.wasConnected) void this.checkExists();
  }

  /** The socket was refused: check whether the table exists. */
  private async checkExists(): Promise<void> {
    try {
      this.missing = !(await this.house.exists(this.code));
    } catch {
      return; // the server is not reachable; the socket keeps trying
    }
    if (this.missing) this.markMissing();
  }

  private markMissing(): void {
    this.missing = true;
    this.close();
  }

  private markBanned(code: string): void {
    this.banned = code;
    this.close();
  }

  private receive(message: FromServer): void {
    switch (message.t) {
      case "table":
        return this.receiveRoom(message);
      case "state":
        return this.receiveState(message);
      case "why":
        this.reply = message;
        return;
      case "hint":
        if (this.outbox.awaits("hint") && message.phase === this.state?.phase) this.hint = message;
        this.outbox.forget("hint");
        return;
      case "reaction":
        this.reaction = { ...message, id: ++this.lastId };
        return;
      case "pointer":
        this.pointer = message;
        return;
      case "error":
        if (message.code === "no-such-table") this.markMissing();
        else if (BAN_CODES.has(message.code)) this.markBanned(message.code);
        else this.reply = message;
        this.outbox.refused();
    }
  }

  private receiveRoom(room: TableState): void {
    this.room = room;
    if (room.leader === null) this.pointer = null;
    this.commitment ||= notedPromise(room.code) || room.promise;
    this.nextCommitment ||= room.nextPromise;
    if (room.next && this.nextCommitment) notePromise(room.next, this.nextCommitment);
    if (room.locked) this.openWords(room);
    if (this.game?.id !== room.variant) {
      gameOf(this.house, room.variant)
        .then((entry) => (this.game = entry))
        .catch(() => undefined); // after the next hello we try again
    }
  }

  /** Open the sealed words of this device: the game starts when all are opened. */
  private openWords({ code, seats, mine }: TableState): void {
    const seals = seats.map(({ seal }) => seal);
    for (const { seat, seal, words } of seats) {
      const text = mine.includes(seat) && !words ? opening(code, seal, seals) : null;
      if (text) this.line.send({ t: "openWords", seat, words: text });
    }
  }

  /** Hold states back, or show the last of those that have waited: what follows a roll must not reveal it. */
  holdStates(holds: boolean): void {
    if (holds) this.held ??= [];
    else {
      const [last, unread] = [this.held?.pop(), this.newItems];
      if (last) {
        this.showState(last);
        this.newItems = [...unread, ...this.newItems]; // the roll could not be read out yet
      }
      this.held = null;
    }
  }

  /** Show a state, unless dice still fly; the next roll, or a new connection, waits for nothing. */
  private receiveState(state: State): void {
    if (this.held && state.story === undefined && !state.events.some((event) => event.e === "rolled"))
      this.held.push(state);
    else this.showState(state);
  }

  /** Show a state, with the events of those that have waited. */
  private showState(shown: State): void {
    const waited = shown.story === undefined ? (this.held ?? []) : [];
    this.held = null;
    const state = { ...shown, events: [...waited, shown].flatMap(({ events }) => events) };
    const phaseBefore = this.state?.phase;
    if (state.events.some((event) => event.e === "rolled")) this.rollCount += 1;
    this.state = state;
    this.latest = state.events;
    this.endsAt = state.deadline === null ? null : Date.now() + state.deadline * 1000;
    if (phaseBefore !== state.phase) {
      this.reply = null;
      this.dropHint();
    }
    this.reply = this.outbox.acknowledge(state) ?? this.reply;
    this.extendFeed(state);
  }

  /** Extend the feed. After a connect or reconnect the server sends the latest turns as `story`. */
  private extendFeed({ events, story, view }: State): void {
    const isNew = story !== undefined || !this.feed.length;
    const known = isNew ? [] : this.feed;
    const isWhole = story !== undefined || events.some((event) => event.e === "turn");
    const told: AnyEvent[] = story ?? (isNew && !isWhole ? [{ e: "turn", seat: view.active }, ...events] : events);
    const items = toFeedItems(told, known.at(-1)?.by ?? null, this.lastId + 1);
    this.lastId += items.length;
    this.newItems = story ? [] : items;
    this.feed = [...known, ...items].slice(-FEED_LENGTH);
  }
}
