/** The tables of the server that this page came from. */
import { canPlayHere, here } from "../local/here.ts";
import { announced } from "./announcement.svelte.ts";
import { games, openTable, record, replay, tableExists } from "./api.ts";
import { changed } from "./changes.ts";
import type { House, Line, Listener } from "./house.ts";
import { forgetTable, rememberTable, rememberToken, tokensOf } from "./memory.ts";
import type { AskWhy, FromPage, FromServer, Opened, OpenTable, State, TableState } from "./protocol.ts";
import { Socket } from "./socket.ts";

/**
 * A socket that shows the tokens of this device's seats, and keeps those it is given.
 *
 * Why something is not possible is answered by the rules in this page where they can tell, without a way to the server and
 * back. What is decided is decided there.
 */
class ServerLine implements Line {
  private readonly socket: Socket;
  private room: TableState | null = null;
  private state: State | null = null;
  /** The line before this one, whose socket leads on to the next table: another game begins without opening a new one. */
  private static last: ServerLine | null = null;

  constructor(
    private readonly code: string,
    private readonly listener: Listener,
  ) {
    const caller = {
      hello: (): FromPage => ({ t: "hello", tokens: tokensOf(code), changes: true, table: code }),
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
    void this.answer(message).then((answered) => answered || this.socket.send(message));
    return true;
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: FromServer): void {
    if (message.t === "announcement") return announced(message);
    if (!this.room) {
      // The table that was left may have said something before it heard of that.
      const answered = message.t === "table" && message.code === this.code;
      if ((!answered && message.t !== "error") || !this.socket.settle(answered)) return;
    }
    if (message.t === "change") return this.state ? this.receive(changed(this.state, message)) : undefined;
    if (message.t === "table") this.note(message);
    else if (message.t === "state") this.follow(message);
    else if (message.t === "seated") rememberToken(this.code, this.room?.variant ?? "", message.token);
    else if (message.t === "error" && message.code === "no-such-table") forgetTable(this.code);
    this.listener.receive(message);
  }

  /** Answer from what this device sees; false if that is not enough. */
  private async answer({ seat, action }: AskWhy): Promise<boolean> {
    const { room, state } = this;
    if (!room || !state?.mine[seat] || !canPlayHere()) return false;
    const view = state.mine[seat].view ?? state.view;
    const found = await here.why({ view, sheet: room.sheet, seat }, action).catch(() => null);
    if (found) this.listener.receive({ t: "why", seat, action, ...found });
    return found !== null;
  }

  private follow(state: State): void {
    // The rules are fetched when a game is here to be asked about, not with the first tap.
    if (!this.state && canPlayHere()) here.games().catch(() => undefined);
    this.state = state;
  }

  private note(room: TableState): void {
    this.room = room;
    rememberTable(this.code, room.variant, room.stage === "over");
    // The same people sit at the next table, and their tokens open it.
    if (room.next && room.mine.length) rememberToken(room.next, room.variant, ...tokensOf(this.code));
  }
}

async function open(wish: OpenTable): Promise<Opened> {
  const opened = await openTable(wish);
  if (opened.token) rememberToken(opened.code, wish.variant, opened.token);
  return opened;
}

async function exists(code: string): Promise<boolean> {
  const found = await tableExists(code);
  if (!found) forgetTable(code);
  return found;
}

export const server: House = {
  place: "server",
  games,
  open,
  exists,
  replay: (code) => replay(code, tokensOf(code)),
  record: (code) => record(code, tokensOf(code)),
  connect: (code, listener) => new ServerLine(code, listener),
};
