// The game on Colyseus: changes of the state are encoded once and sent to both players.
// With the path of a file as its argument every move is on disk before it is sent. Colyseus has nothing for that.
import { randomInt } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import game from "./game.cjs";

const Row = schema({ cells: t.array("uint8") }, "Row");
const Sheet = schema({ rows: t.array(Row), misses: t.uint8() }, "Sheet");
const State = schema(
  {
    sheets: t.array(Sheet),
    closed: t.array("boolean"),
    dice: t.array("uint8"),
    choices: t.array("uint8"),
    phase: t.uint32(),
    active: t.uint8(),
    isWhite: t.boolean(),
    hasCrossed: t.boolean(),
  },
  "State",
);

const die = () => randomInt(1, 7);

function freshState() {
  const plain = game.fresh();
  const state = new State();
  for (const { misses } of plain.sheets) {
    const sheet = new Sheet();
    sheet.misses = misses;
    for (let row = 0; row < plain.closed.length; row++) sheet.rows.push(new Row());
    state.sheets.push(sheet);
  }
  for (const name of ["closed", "dice", "choices"]) state[name].push(...plain[name]);
  for (const name of ["phase", "active", "isWhite", "hasCrossed"]) state[name] = plain[name];
  return state;
}

/** Return a function that writes a move and then sends it; moves that come together share a commit. */
function keeper(path) {
  const file = new DatabaseSync(path);
  file.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  file.exec("CREATE TABLE ledger (room TEXT, step INTEGER, line TEXT, PRIMARY KEY (room, step)) WITHOUT ROWID");
  const insert = file.prepare("INSERT INTO ledger VALUES (?, ?, ?)");
  let waiting = [];
  const commit = () => {
    const now = waiting;
    waiting = [];
    file.exec("BEGIN");
    for (const [room, step, line] of now) insert.run(room.roomId, step, line);
    file.exec("COMMIT");
    for (const [room] of now) room.broadcastPatch();
  };
  return (room, seat, row) => {
    if (!waiting.length) setImmediate(commit);
    waiting.push([room, room.steps++, `${seat} ${row} ${room.state.dice.join("")}`]);
  };
}

const keep = process.argv[2] ? keeper(process.argv[2]) : (room) => room.broadcastPatch();

class Table extends Room {
  steps = 0;

  onCreate() {
    this.maxClients = 2;
    this.patchRate = null; // by default changes wait for up to 50 ms; here they are sent after each move
    this.state = freshState();
    game.rollAll(this.state, die);
    this.onMessage("decide", (client, row) => {
      const { seat } = client.userData;
      if (game.decide(this.state, seat, row, die)) keep(this, seat, row);
    });
  }

  onJoin(client, options) {
    client.userData = { seat: options.seat };
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false });
server.define("qwixx", Table);
await server.listen(0, "127.0.0.1");
console.log(`http://127.0.0.1:${transport.server.address().port}/`);
