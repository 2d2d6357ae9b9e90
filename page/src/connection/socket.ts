/** A WebSocket with heartbeat and automatic reconnect; it sends hello after every connect. */
import { atServer } from "../device/origin.ts";
import type { Line, Listener } from "../house.ts";
import type { FromPage, FromServer } from "../protocol.ts";

export interface SocketListener extends Listener {
  /** Return the first message: it identifies this device. */
  hello(): FromPage;
}

const MIN_BACKOFF = 300;
const MAX_BACKOFF = 8_000;

/** Heartbeat settings, in milliseconds. */
interface Heartbeat {
  /** A ping is sent after so much silence. */
  idle: number;
  /** A ping without an answer after this time means that the connection is dead, even if the browser has not noticed. */
  timeout: number;
}
/** In a visible tab a dead connection is noticed within three seconds; a hidden tab has more time. */
const VISIBLE: Heartbeat = { idle: 1_000, timeout: 1_500 };
const HIDDEN: Heartbeat = { idle: 25_000, timeout: 10_000 };
/** A silent connection is replaced only after this further time: a busy server should not get a new connection at once. */
const RECONNECT_AFTER = 6_000;
/** A table that does not answer over a handed-over socket within this time gets a new socket. */
const HANDOVER_TIMEOUT = 3_000;
/** A timer that fires this late means that the page was busy or asleep, not that the connection is dead. */
const TIMER_SLACK = 500;

export class Socket implements Line {
  private socket: WebSocket | undefined;
  /** A socket that is being closed, and may be handed over while it is open. */
  private released: WebSocket | undefined;
  private backoff = MIN_BACKOFF;
  private reconnectTimer: number | undefined;
  private heartbeatTimer: number | undefined;
  private lastHeard = 0;
  /** Whether nothing has arrived since the last ping; any message counts as an answer. */
  private awaitsPong = false;
  /** Whether the connection is open for the browser but the server does not answer. */
  private isSilent = false;
  private isClosed = false;
  /** Whether the socket came from another table, and this table has not answered over it yet. */
  private isHandedOver = false;

  /** Connect to a table: over an existing socket, which a hello leads to this table, or over a new one. */
  constructor(
    private readonly code: string,
    private readonly listener: SocketListener,
    existing?: WebSocket,
  ) {
    addEventListener("online", this.checkNow);
    addEventListener("offline", this.checkNow);
    document.addEventListener("visibilitychange", this.checkNow);
    if (existing) queueMicrotask(() => this.takeOver(existing));
    else this.open();
  }

  send(message: FromPage): boolean {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return !this.isSilent;
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    removeEventListener("online", this.checkNow);
    removeEventListener("offline", this.checkNow);
    document.removeEventListener("visibilitychange", this.checkNow);
    this.clearTimers();
    this.released = this.socket;
    this.socket = undefined;
    // Not at once: the next table may take the socket over a moment later.
    setTimeout(() => this.released?.close());
  }

  /** Hand the socket over to another table; undefined if it is not open, or the server has not answered lately. */
  release(): WebSocket | undefined {
    if (!this.isClosed) this.close();
    const socket = this.isSilent || this.released?.readyState !== WebSocket.OPEN ? undefined : this.released;
    if (socket) this.released = undefined;
    return socket;
  }

  /**
   * Note whether this table has answered. Return false if another message came first over a handed-over socket: the previous
   * table may have sent it, so a new socket is opened for this table.
   */
  confirmTable(answered: boolean): boolean {
    const isOther = this.isHandedOver && !answered;
    this.isHandedOver = false;
    if (isOther) this.open();
    return !isOther;
  }

  private open(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = this.adopt(
      new WebSocket(`${scheme}://${location.host}${atServer(`/ws/${encodeURIComponent(this.code)}`)}`),
    );
    this.heartbeatTimer = window.setTimeout(() => this.replace(socket), MAX_BACKOFF);
    socket.onopen = () => socket === this.socket && this.sayHello(socket);
  }

  /** Take over an existing socket; open a new one if it has closed in this moment. */
  private takeOver(existing: WebSocket): void {
    if (this.isClosed) return existing.close();
    if (existing.readyState !== WebSocket.OPEN) return this.open();
    existing.onopen = null;
    this.isHandedOver = true;
    this.sayHello(this.adopt(existing));
    setTimeout(() => !this.isClosed && this.confirmTable(false), HANDOVER_TIMEOUT);
  }

  private sayHello(socket: WebSocket): void {
    this.backoff = MIN_BACKOFF;
    this.lastHeard = Date.now();
    this.awaitsPong = false;
    this.scheduleHeartbeat(socket);
    this.send(this.listener.hello());
    this.listener.connected(true);
  }

  private adopt(socket: WebSocket): WebSocket {
    this.clearTimers();
    this.socket?.close();
    this.socket = socket;
    this.isSilent = false;
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.lastHeard = Date.now();
      this.awaitsPong = false;
      if (this.isSilent) this.resume();
      this.listener.receive(JSON.parse(String(event.data)) as FromServer);
    };
    // An old socket may close late: only the current one counts.
    socket.onclose = () => socket === this.socket && this.scheduleReconnect();
    return socket;
  }

  private scheduleReconnect(): void {
    this.clearTimers();
    this.socket = undefined;
    if (this.isClosed) return;
    this.listener.connected(false);
    // Random jitter prevents that all clients reconnect to a restarted server at once.
    this.reconnectTimer = window.setTimeout(() => this.open(), this.backoff * (0.75 + Math.random() / 2));
    this.backoff = Math.min(this.backoff * 1.7, MAX_BACKOFF);
  }

  /** Replace a dead socket without waiting until the browser closes it: that may take minutes. */
  private replace(socket: WebSocket): void {
    if (socket !== this.socket) return;
    this.scheduleReconnect();
    socket.close();
  }

  // ---- heartbeat

  private get heartbeat(): Heartbeat {
    return document.visibilityState === "hidden" ? HIDDEN : VISIBLE;
  }

  /** Ping after some silence. */
  private scheduleHeartbeat(socket: WebSocket): void {
    clearTimeout(this.heartbeatTimer);
    const idle = this.lastHeard + this.heartbeat.idle - Date.now();
    this.heartbeatTimer = window.setTimeout(
      () => (Date.now() - this.lastHeard < this.heartbeat.idle ? this.scheduleHeartbeat(socket) : this.ping(socket)),
      Math.max(idle, 0),
    );
  }

  private ping(socket: WebSocket): void {
    clearTimeout(this.heartbeatTimer);
    if (socket.readyState !== WebSocket.OPEN) return;
    socket.send(JSON.stringify({ t: "ping" } satisfies FromPage));
    this.awaitsPong = true;
    this.awaitPong(socket);
  }

  private awaitPong(socket: WebSocket): void {
    const { timeout } = this.heartbeat;
    const due = Date.now() + timeout;
    this.heartbeatTimer = window.setTimeout(() => {
      if (!this.awaitsPong) this.scheduleHeartbeat(socket);
      else if (Date.now() > due + TIMER_SLACK) this.awaitPong(socket);
      else this.markSilent(socket);
    }, timeout);
  }

  private markSilent(socket: WebSocket): void {
    this.isSilent = true;
    this.listener.connected(false);
    this.heartbeatTimer = window.setTimeout(() => this.replace(socket), RECONNECT_AFTER);
  }

  /** The server answers again: say hello, to receive everything that was missed. */
  private resume(): void {
    this.isSilent = false;
    this.scheduleHeartbeat(this.socket!);
    this.send(this.listener.hello());
    this.listener.connected(true);
  }

  /** After sleep, or a change of the network: check or reconnect at once, without waiting for the backoff. */
  private readonly checkNow = (): void => {
    if (this.isClosed || document.visibilityState === "hidden") return;
    if (this.socket?.readyState === WebSocket.OPEN) {
      if (!this.isSilent) this.ping(this.socket);
    } else if (this.socket?.readyState !== WebSocket.CONNECTING) {
      this.backoff = MIN_BACKOFF;
      this.open();
    }
  };

  private clearTimers(): void {
    clearTimeout(this.reconnectTimer);
    clearTimeout(this.heartbeatTimer);
  }
}
