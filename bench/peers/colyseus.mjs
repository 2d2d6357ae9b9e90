// Two rooms on Colyseus. `simple` plays the simpler game: changes of the state are encoded once and sent to both players.
// `same` does the work of our server, by the complete rules (our npm package): each player gets the events, the changed
// parts of the view, and the own legal actions with what they lead to.
// With the path of a file as its argument every move is on disk before it is sent. Colyseus has nothing for that.
import { randomBytes, randomInt } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { isRefusal, loadRules } from "qwixx";
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
    for (const [, , , publish] of now) publish();
  };
  return (room, line, publish) => {
    if (!waiting.length) setImmediate(commit);
    waiting.push([room, room.steps++, line, publish]);
  };
}

const keep = process.argv[2] ? keeper(process.argv[2]) : (_room, _line, publish) => publish();

class Table extends Room {
  steps = 0;

  onCreate() {
    this.maxClients = 2;
    this.patchRate = null; // by default changes wait for up to 50 ms; here they are sent after each move
    this.begin();
    this.onMessage("decide", (client, choice) => this.decide(client.userData.seat, choice));
  }

  onJoin(client, options) {
    client.userData = { seat: options.seat, sent: {} };
  }
}

class SimpleTable extends Table {
  begin() {
    this.state = freshState();
    game.rollAll(this.state, die);
  }

  decide(seat, row) {
    if (!game.decide(this.state, seat, row, die)) return;
    keep(this, `${seat} ${row} ${this.state.dice.join("")}`, () => this.broadcastPatch());
  }
}

const rules = await loadRules();

class SameTable extends Table {
  begin() {
    this.game = rules.begin({ variant: "classic", seats: 2, seed: randomBytes(8).readBigUInt64LE() });
    return this.game.roll();
  }

  onJoin(client, options) {
    super.onJoin(client, options);
    if (this.clients.length === 2) this.publish([]);
  }

  decide(seat, action) {
    let events = this.game.decide(seat, action);
    if (isRefusal(events)) return;
    const { lastStep } = this.game;
    if (this.game.awaitsChance) events = [...events, ...this.game.roll()];
    if (this.game.isOver) events = this.begin();
    keep(this, `${lastStep} ${this.game.lastStep}`, () => this.publish(events));
  }

  publish(events) {
    for (const client of this.clients) {
      const { seat, sent } = client.userData;
      const view = {};
      for (const [name, part] of Object.entries(this.game.view(seat))) {
        const text = JSON.stringify(part);
        if (sent[name] !== text) view[name] = part;
        sent[name] = text;
      }
      client.send("state", { phase: this.steps, events, view, mine: { [seat]: this.game.mine(seat) } });
    }
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false });
server.define("simple", SimpleTable);
server.define("same", SameTable);
await server.listen(0, "127.0.0.1");
console.log(`http://127.0.0.1:${transport.server.address().port}/`);
