/** A table as this device knows it: the room, the state of the game, and the words exchanged about it. */
import { canPlayHere, here } from "../local/here.ts";
import { gameOf, type House, type Line } from "./house.ts";
import { t } from "./i18n.svelte.ts";
import { Outbox } from "./outbox.svelte.ts";
import type {
  AnyEvent,
  Error as Refused,
  FromPage,
  FromServer,
  GameEntry,
  Hint,
  Layout,
  Reaction,
  State,
  TableState,
  Why,
} from "./protocol.ts";
import { type FeedItem, noted } from "./story.ts";

export type Reply = Why | Refused;

const FEED_LENGTH = 400;
const SHUT = new Set(["banned", "barred", "closed"]);

export class Table {
  up = $state(false);
  /** Whether the connection has ever stood: before that we are arriving, afterwards we are coming back. */
  arrived = $state(false);
  missing = $state(false);
  /** Why this device may not come in: the host has banned it, or whoever runs the server keeps it out; else empty. */
  banned = $state("");
  room = $state.raw<TableState | null>(null);
  state = $state.raw<State | null>(null);
  game = $state.raw<GameEntry | null>(null);
  feed = $state.raw<FeedItem[]>([]);
  /** What the latest state added to the story, for those who listen; a story that is told again is not read out. */
  told = $state.raw<FeedItem[]>([]);
  /** The events of the latest state alone: for sounds, announcements and animations. */
  latest = $state.raw<AnyEvent[]>([]);
  reply = $state.raw<Reply | null>(null);
  /** A hint for the window that is open. */
  hint = $state.raw<Hint | null>(null);
  /** The latest sign that somebody has shown. */
  reaction = $state.raw<(Reaction & { id: number }) | null>(null);
  /** When the open window ends, by this device's clock. */
  endsAt = $state<number | null>(null);
  /** How often dice were thrown while this device watched: each throw is shown once. */
  throws = $state(0);
  /** The hash of the seed of all chance here, as it was when this device first heard of it: nobody can change it since. */
  promised = $state("");
  readonly outbox = new Outbox((message) => this.line.send(message));
  private lastId = 0;
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

  name(seat: number): string {
    const seats = this.room?.seats ?? [];
    const found = seats.find((s) => s.seat === seat);
    // The server sends no words, so a bot has no name of its own: it gets one in the reader's language.
    const bots = seats.filter((s) => s.kind === "bot" && s.seat <= seat).length;
    return found?.name || t("bot.name", { n: bots || 1 });
  }

  /** A name for somebody who gave none, which nobody here has. */
  freeName(): string {
    const plain = t("name.default");
    const taken = new Set(this.room?.seats.map((seat) => seat.name));
    let name = plain;
    for (let n = 2; taken.has(name); n++) name = `${plain} ${n}`;
    return name;
  }

  /** Say something; who cannot be heard is told so. */
  send(message: FromPage): void {
    if (!this.line.send(message) && this.arrived) this.reply = { t: "error", code: "no-line" };
  }

  decide(seat: number, action: string): void {
    this.choose(seat, action);
  }

  /** Take a choice back while its window is open. */
  withdraw(seat: number): void {
    this.choose(seat, null);
  }

  /** Say what the real dice show. */
  roll(dice: string): void {
    if (this.state) this.outbox.roll(this.state, dice);
  }

  private choose(seat: number, action: string | null): void {
    if (!this.state) return;
    this.reply = null;
    this.outbox.choose(this.state, seat, action);
  }

  /** The cells that a decision would cross on its own sheet; none where that cannot be told. */
  async preview(seat: number, action: string): Promise<string[]> {
    const { room, state } = this;
    if (!room || !state || !canPlayHere()) return [];
    const view = state.mine[seat]?.view ?? state.view;
    return here.preview({ view, sheet: room.sheet, seat }, action).catch(() => []);
  }

  ask(seat: number, action: string): void {
    this.send({ t: "why", seat, action });
  }

  /** Ask what is best for a seat in the open window. */
  askHint(seat: number): void {
    if (!this.state || this.outbox.awaits("hint") || this.hint?.seat === seat) return;
    this.hint = null;
    this.reply = null;
    this.outbox.ask(this.state, { t: "hint", seat, phase: this.state.phase });
  }

  /** Want another game, with `now` without those who have not said so. */
  askRematch(now: boolean): void {
    if (this.state) this.outbox.ask(this.state, { t: "rematch", now });
  }

  /** Put a hint away; the same one can be asked for again. */
  dropHint(): void {
    this.hint = null;
    this.outbox.forget("hint");
  }

  close(): void {
    this.line.close();
  }

  private connected(up: boolean): void {
    this.up = up;
    if (!up) this.outbox.lineLost();
    if (up) this.arrived = true;
    else if (!this.arrived) void this.lookFor();
  }

  /** The socket was refused: perhaps because there is no such table. */
  private async lookFor(): Promise<void> {
    try {
      this.missing = !(await this.house.exists(this.code));
    } catch {
      return; // the server is away; the socket keeps trying
    }
    if (this.missing) this.gone();
  }

  private gone(): void {
    this.missing = true;
    this.close();
  }

  private shut(code: string): void {
    this.banned = code;
    this.close();
  }

  private receive(message: FromServer): void {
    switch (message.t) {
      case "table":
        return this.enter(message);
      case "state":
        return this.proceed(message);
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
      case "error":
        if (message.code === "no-such-table") this.gone();
        else if (SHUT.has(message.code)) this.shut(message.code);
        else this.reply = message;
        this.outbox.refused();
    }
  }

  private enter(room: TableState): void {
    this.room = room;
    this.promised ||= room.promise;
    if (this.game?.id !== room.variant) {
      gameOf(this.house, room.variant)
        .then((entry) => (this.game = entry))
        .catch(() => undefined); // the next hello brings the table, and us here, again
    }
  }

  private proceed(state: State): void {
    const phaseBefore = this.state?.phase;
    if (state.events.some((event) => event.e === "rolled")) this.throws += 1;
    this.state = state;
    this.latest = state.events;
    this.endsAt = state.deadline === null ? null : Date.now() + state.deadline * 1000;
    if (phaseBefore !== state.phase) {
      this.reply = null;
      this.dropHint();
    }
    this.reply = this.outbox.settle(state) ?? this.reply;
    this.tell(state);
  }

  /** Go on with the story; whoever comes, or comes back, is told it from the latest turns on. */
  private tell({ events, story, view }: State): void {
    const isNew = story !== undefined || !this.feed.length;
    const known = isNew ? [] : this.feed;
    const isWhole = story !== undefined || events.some((event) => event.e === "turn");
    const told: AnyEvent[] = story ?? (isNew && !isWhole ? [{ e: "turn", seat: view.active }, ...events] : events);
    const items = noted(told, known.at(-1)?.by ?? null, this.lastId + 1);
    this.lastId += items.length;
    this.told = story ? [] : items;
    this.feed = [...known, ...items].slice(-FEED_LENGTH);
  }
}

/** Tables that were opened with "play now": the game begins as soon as the page is there. */
const hurried = new Set<string>();

export function startAtOnce(code: string): void {
  hurried.add(code);
}

/** Whether a table wants to begin at once; asked once. */
export function isHurried(code: string): boolean {
  return hurried.delete(code);
}
