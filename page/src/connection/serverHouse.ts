/** The host of tables at the server that this page came from. */
import { canPlayLocally, localHouse } from "../local/localHouse.ts";
import { showAnnouncement } from "./announcement.svelte.ts";
import { games, openTable, record, replay, findTable } from "./httpApi.ts";
import { applyDelta } from "./stateDelta.ts";
import type { House, Line, Listener } from "../house.ts";
import { forgetTable, rememberTable, rememberToken, tokensOf } from "./knownTables.ts";
import type { AskWhy, FromPage, FromServer, OpenedTable, OpenTable, State, TableState } from "../protocol.ts";
import { Socket } from "./socket.ts";

/**
 * A line over a socket. It sends the tokens of this device's seats and stores those that it receives.
 *
 * Questions of `why` are answered by the rules in this page where the view is enough, without a round trip. Decisions are always
 * made by the server.
 */
class ServerLine implements Line {
  private readonly socket: Socket;
  private room: TableState | null = null;
  private state: State | null = null;
  /** The previous line. Its socket can continue to the next table, so that a rematch needs no new connection. */
  private static last: ServerLine | null = null;

  constructor(
    private readonly code: string,
    private readonly listener: Listener,
    /** Whether this device watches only, though it may have seats. */
    isSpectator = false,
  ) {
    const tokens = (): string[] => (isSpectator ? [] : tokensOf(code));
    const caller = {
      hello: (): FromPage => ({ t: "hello", tokens: tokens(), changes: true, table: code }),
      receive: (message: FromServer) => this.receive(message),
      connected: (up: boolean) => listener.connected(up),
    };
    const { last } = ServerLine;
    this.socket = new Socket(code, caller, last?.leadsTo(code) ? last.socket.release() : undefined);
    ServerLine.last = this;
  }

  private leadsTo(code: string): boolean {
    return this.room?.next === code && this.room.follows;
  }

  send(message: FromPage): boolean {
    if (message.t !== "why") return this.socket.send(message);
    void this.answerLocally(message).then((answered) => answered || this.socket.send(message));
    return true;
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: FromServer): void {
    if (message.t === "announcement") return showAnnouncement(message);
    if (!this.room) {
      // The previous table may have sent something before it knew that we left.
      const answered = message.t === "table" && message.code === this.code;
      if ((!answered && message.t !== "error") || !this.socket.confirmTable(answered)) return;
    }
    if (message.t === "change") return this.state ? this.receive(applyDelta(this.state, message)) : undefined;
    if (message.t === "table") this.rememberRoom(message);
    else if (message.t === "state") this.trackState(message);
    else if (message.t === "seated") rememberToken(this.code, this.room?.variant ?? "", message.token);
    else if (message.t === "error" && message.code === "no-such-table") forgetTable(this.code);
    this.listener.receive(message);
  }

  /** Answer from the view of this device; return false if that is not enough. */
  private async answerLocally({ seat, action }: AskWhy): Promise<boolean> {
    const { room, state } = this;
    if (!room || !state?.mine[seat] || !canPlayLocally()) return false;
    const view = state.mine[seat].view ?? state.view;
    const found = await localHouse.why({ view, sheet: room.sheet, seat }, action).catch(() => null);
    if (found) this.listener.receive({ t: "why", seat, action, ...found });
    return found !== null;
  }

  private trackState(state: State): void {
    // Load the rules when a game is here, not with the first tap.
    if (!this.state && canPlayLocally()) localHouse.games().catch(() => undefined);
    this.state = state;
  }

  private rememberRoom(room: TableState): void {
    this.room = room;
    rememberTable(this.code, room.variant, room.stage === "over");
    // The next table accepts the tokens of the same seats.
    if (room.next && (room.mine.length || room.waits.length))
      rememberToken(room.next, room.variant, ...tokensOf(this.code));
  }
}

async function open(wish: OpenTable): Promise<OpenedTable> {
  const opened = await openTable(wish);
  if (opened.token) rememberToken(opened.code, wish.variant, opened.token);
  return opened;
}

async function exists(code: string): Promise<boolean> {
  const found = await findTable(code);
  if (!found) forgetTable(code);
  return found !== null;
}

export const serverHouse: House = {
  place: "server",
  games,
  open,
  exists,
  replay: (code) => replay(code, tokensOf(code)),
  record: (code) => record(code, tokensOf(code)),
  connect: (code, listener) => new ServerLine(code, listener),
};

/** The server as a spectator sees it: a screen for everybody shows no hand of this device's seats. */
export const spectatorHouse: House = {
  ...serverHouse,
  connect: (code, listener) => new ServerLine(code, listener, true),
};
