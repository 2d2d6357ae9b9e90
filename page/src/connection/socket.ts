/** One WebSocket that keeps itself alive: it says hello again whenever the way is free. */
import type { Line, Listener } from "./house.ts";
import type { FromPage, FromServer } from "./protocol.ts";

export interface Caller extends Listener {
  /** What to say first: who this device is. */
  hello(): FromPage;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8_000;

/** How the heart beats, in milliseconds. */
interface Beat {
  /** After so much silence the other end is asked whether it is there. */
  quiet: number;
  /** A ping that stays unanswered this long means that nobody hears us, whatever the browser believes. */
  patience: number;
}
/** While somebody looks, a dead line is noticed within three seconds; a tab that nobody sees need not know so soon. */
const SEEN: Beat = { quiet: 1_000, patience: 1_500 };
const UNSEEN: Beat = { quiet: 25_000, patience: 10_000 };
/** A line that is silent for so much longer is given up for a new one; a busy server is not called anew at once. */
const GIVE_UP = 6_000;
/** A table that does not answer this soon over a way that led to another one is called over a way of its own. */
const GOING_ON = 3_000;
/** Timers that come this late say that this page was busy or asleep, not that the line is dead. */
const OVERSLEPT = 500;

export class Socket implements Line {
  private socket: WebSocket | undefined;
  /** A way that is being given up, and may be taken over as long as it stands. */
  private parting: WebSocket | undefined;
  private wait = FIRST_WAIT;
  private retry: number | undefined;
  private heart: number | undefined;
  private heard = 0;
  /** Whether a ping has not been answered yet, by whatever. */
  private isAsking = false;
  /** The line stands, as far as the browser knows, and nobody answers. */
  private silent = false;
  private closed = false;
  /** The way led to another table, and this one has not answered over it yet. */
  private borrowed = false;

  /** Be the way to a table: over one that stands, if it leads there by saying hello, else over one of its own. */
  constructor(
    private readonly code: string,
    private readonly listener: Caller,
    standing?: WebSocket,
  ) {
    addEventListener("online", this.hurry);
    addEventListener("offline", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    if (standing) queueMicrotask(() => this.goOn(standing));
    else this.open();
  }

  send(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return !this.silent;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    removeEventListener("online", this.hurry);
    removeEventListener("offline", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.rest();
    this.parting = this.socket;
    this.socket = undefined;
    // Not at once: whoever goes on to another table with it may come a moment later.
    setTimeout(() => this.parting?.close());
  }

  /** Give up the way to somebody who goes on with it; nothing if nobody has answered lately, or it does not stand. */
  release(): WebSocket | undefined {
    if (!this.closed) this.close();
    const way = this.silent || this.parting?.readyState !== WebSocket.OPEN ? undefined : this.parting;
    if (way) this.parting = undefined;
    return way;
  }

  /**
   * Take note whether this table has answered. False if something else came over a way that led to another table: that
   * may have been the other one's word, and a way of its own is opened, over which this table says its own.
   */
  settle(answered: boolean): boolean {
    const isOther = this.borrowed && !answered;
    this.borrowed = false;
    if (isOther) this.open();
    return !isOther;
  }

  private open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = this.take(new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.code)}`));
    this.heart = window.setTimeout(() => this.giveUp(socket), LONGEST_WAIT);
    socket.onopen = () => socket === this.socket && this.greet(socket);
  }

  /** Go on with a way that stands; if it broke in this very moment, over another. */
  private goOn(standing: WebSocket): void {
    if (this.closed) return standing.close();
    if (standing.readyState !== WebSocket.OPEN) return this.open();
    standing.onopen = null;
    this.borrowed = true;
    this.greet(this.take(standing));
    setTimeout(() => !this.closed && this.settle(false), GOING_ON);
  }

  private greet(socket: WebSocket): void {
    this.wait = FIRST_WAIT;
    this.heard = Date.now();
    this.isAsking = false;
    this.listen(socket);
    this.send(this.listener.hello());
    this.listener.connected(true);
  }

  private take(socket: WebSocket): WebSocket {
    this.rest();
    this.socket?.close();
    this.socket = socket;
    this.silent = false;
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      this.isAsking = false;
      if (this.silent) this.wake();
      this.listener.receive(JSON.parse(String(event.data)) as FromServer);
    };
    // An old socket may close late: only the present one counts.
    socket.onclose = () => socket === this.socket && this.lost();
    return socket;
  }

  private lost(): void {
    this.rest();
    this.socket = undefined;
    if (this.closed) return;
    this.listener.connected(false);
    // A little chance in the wait keeps a restarted server from being greeted by all at once.
    this.retry = window.setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT);
  }

  /** Do not wait until the browser has closed a dead line: that may take minutes. */
  private giveUp(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.lost();
    socket.close();
  }

  // ---- the heart

  private get beat(): Beat {
    return document.visibilityState === "hidden" ? UNSEEN : SEEN;
  }

  /** Ask after some silence whether anybody is there. */
  private listen(socket: WebSocket): void {
    clearTimeout(this.heart);
    const quiet = this.heard + this.beat.quiet - Date.now();
    this.heart = window.setTimeout(
      () => (Date.now() - this.heard < this.beat.quiet ? this.listen(socket) : this.ask(socket)),
      Math.max(quiet, 0),
    );
  }

  private ask(socket: WebSocket): void {
    clearTimeout(this.heart);
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ t: "ping" } satisfies FromPage));
    this.isAsking = true;
    this.expectAnswer(socket);
  }

  private expectAnswer(socket: WebSocket): void {
    const { patience } = this.beat;
    const due = Date.now() + patience;
    this.heart = window.setTimeout(() => {
      if (!this.isAsking) this.listen(socket);
      else if (Date.now() > due + OVERSLEPT) this.expectAnswer(socket);
      else this.fallSilent(socket);
    }, patience);
  }

  private fallSilent(socket: WebSocket): void {
    this.silent = true;
    this.listener.connected(false);
    this.heart = window.setTimeout(() => this.giveUp(socket), GIVE_UP);
  }

  /** Somebody speaks again: ask for all that was said meanwhile. */
  private wake(): void {
    this.silent = false;
    this.listen(this.socket!);
    this.send(this.listener.hello());
    this.listener.connected(true);
  }

  /** Back from sleep, or the network came or went: look at once, and do not sit out the rest of the wait. */
  private readonly hurry = (): void => {
    if (this.closed || document.visibilityState === "hidden") return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      if (!this.silent) this.ask(this.socket);
    } else if (this.socket?.readyState !== WebSocket.CONNECTING) {
      this.wait = FIRST_WAIT;
      this.open();
    }
  };

  private rest(): void {
    clearTimeout(this.retry);
    clearTimeout(this.heart);
  }
}
