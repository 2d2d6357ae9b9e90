/** The tables of the server that this page came from. */
import { games, openTable, record, replay, tableExists } from "./api.ts";
import type { House, Line, Listener } from "./house.ts";
import { forgetTable, rememberTable, rememberToken, tokensOf } from "./memory.ts";
import type { FromPage, FromServer, Opened, OpenTable, TableState } from "./protocol.ts";
import { Socket } from "./socket.ts";

/** A socket that shows the tokens of this device's seats, and keeps those it is given. */
class ServerLine implements Line {
  private readonly socket: Socket;
  private variant = "";

  constructor(
    private readonly code: string,
    private readonly listener: Listener,
  ) {
    this.socket = new Socket(code, {
      hello: () => ({ t: "hello", tokens: tokensOf(code) }),
      receive: (message) => this.receive(message),
      connected: (up) => listener.connected(up),
    });
  }

  send(message: FromPage): boolean {
    return this.socket.send(message);
  }

  close(): void {
    this.socket.close();
  }

  private receive(message: FromServer): void {
    if (message.t === "table") this.note(message);
    else if (message.t === "seated") rememberToken(this.code, this.variant, message.token);
    else if (message.t === "error" && message.code === "no-such-table") forgetTable(this.code);
    this.listener.receive(message);
  }

  private note(room: TableState): void {
    this.variant = room.variant;
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
  replay,
  record,
  connect: (code, listener) => new ServerLine(code, listener),
};
