/** One WebSocket that keeps itself alive: it says hello again whenever the way is free. */
import type { Line, Listener } from "./house.ts";
import type { FromPage, FromServer } from "./protocol.ts";

export interface Caller extends Listener {
  /** What to say first: who this device is. */
  hello(): FromPage;
}

const FIRST_WAIT = 300;
const LONGEST_WAIT = 8_000;
const PING_EVERY = 25_000;
/** A ping that stays unanswered this long means that the line is dead, whatever the browser believes. */
const PATIENCE = 10_000;

export class Socket implements Line {
  private socket: WebSocket | undefined;
  private wait = FIRST_WAIT;
  private retry: number | undefined;
  private heart: number | undefined;
  private heard = 0;
  private closed = false;

  constructor(
    private readonly code: string,
    private readonly listener: Caller,
  ) {
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.open();
  }

  send(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.closed = true;
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.rest();
    this.socket?.close();
  }

  private open(): void {
    this.rest();
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/ws/${encodeURIComponent(this.code)}`);
    this.socket = socket;
    socket.onopen = () => {
      if (socket !== this.socket) return;
      this.wait = FIRST_WAIT;
      this.heard = Date.now();
      this.heart = window.setInterval(() => this.beat(socket), PING_EVERY);
      this.send(this.listener.hello());
      this.listener.connected(true);
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.heard = Date.now();
      this.listener.receive(JSON.parse(String(event.data)) as FromServer);
    };
    // An old socket may close late: only the present one counts.
    socket.onclose = () => socket === this.socket && this.lost();
  }

  private lost(): void {
    this.rest();
    if (this.closed) return;
    this.listener.connected(false);
    // A little chance in the wait keeps a restarted server from being greeted by all at once.
    this.retry = window.setTimeout(() => this.open(), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT);
  }

  private beat(socket: WebSocket): void {
    this.send({ t: "ping" });
    const asked = Date.now();
    window.setTimeout(() => {
      if (socket === this.socket && this.heard < asked) socket.close();
    }, PATIENCE);
  }

  /** Back from sleep or back in reach: do not sit out the rest of the wait. */
  private readonly hurry = (): void => {
    if (this.closed || document.visibilityState === "hidden") return;
    const state = this.socket?.readyState;
    if (state === WebSocket.CLOSED || state === WebSocket.CLOSING) {
      this.wait = FIRST_WAIT;
      this.open();
    } else if (state === WebSocket.OPEN && this.socket) {
      this.beat(this.socket);
    }
  };

  private rest(): void {
    clearTimeout(this.retry);
    clearInterval(this.heart);
  }
}
