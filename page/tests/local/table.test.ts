/** The local table: it sends the messages of a server, stores a move before it sends it, and respects other tabs. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FromPage, FromServer, State, TableState } from "../../src/protocol.ts";
import { type StoredGame, MemoryStore } from "../../src/local/gameStore.ts";
import { TableRegistry } from "../../src/local/registry.ts";
import { fakeKernel } from "../support/fakeKernel.ts";

/** A store that can be slow, and full. */
class SlowKeeper extends MemoryStore {
  override readonly isPersistent: boolean = true;
  gate: Promise<void> = Promise.resolve();
  isFull = false;
  override async write(...rows: StoredGame[]): Promise<boolean> {
    await this.gate;
    if (this.isFull) throw new Error("full");
    return super.write(...rows);
  }
}

let store: SlowKeeper;
let tabs: TableRegistry[];

/** One tab of the browser; all share the storage, and are notified of writes of the others. */
function newTab(): TableRegistry {
  const tab: TableRegistry = new TableRegistry(fakeKernel, store, (code) =>
    tabs.forEach((other) => other !== tab && void other.refresh(code)),
  );
  tabs.push(tab);
  return tab;
}

/** A client at a table, with all messages. */
class Guest {
  readonly received: FromServer[] = [];
  private readonly line: ReturnType<TableRegistry["join"]>;

  constructor(tab: TableRegistry, code: string, pace = 0) {
    this.line = tab.join(code, (message) => this.received.push(message), pace);
  }
  async say(...messages: FromPage[]): Promise<void> {
    for (const message of messages) this.line.say(message);
    await settled();
  }
  async decide(seat: number, action: string, phase = this.state!.phase): Promise<void> {
    await this.say({ t: "decide", seat, phase, action });
  }
  leave(): void {
    this.line.leave();
  }
  get room(): TableState {
    return this.received.filter((message) => message.t === "table").at(-1)!;
  }
  get state(): State | undefined {
    return this.received.filter((message) => message.t === "state").at(-1);
  }
  get refusals(): string[] {
    return this.received.flatMap((message) => (message.t === "error" ? [message.code] : []));
  }
}

async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(5);
}

async function begun(tab: TableRegistry, names: string[], bots: string[] = []): Promise<Guest> {
  const { code } = await tab.open({ variant: "classic", bots, name: names[0] ?? null });
  const guest = new Guest(tab, code);
  await guest.say(...names.slice(1).map((name): FromPage => ({ t: "sit", name })), { t: "start" });
  return guest;
}

beforeEach(() => {
  vi.useFakeTimers();
  store = new SlowKeeper();
  tabs = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("people sit down, bots join, and the game starts", async () => {
  const anna = await begun(newTab(), ["Anna", "Ben"]);
  expect(anna.room.seats.map((seat) => [seat.name, seat.kind])).toEqual([
    ["Anna", "person"],
    ["Ben", "person"],
  ]);
  expect(anna.room.mine).toEqual([0, 1]);
  expect(anna.room.stage).toBe("playing");
  expect(anna.state!.events.map((event) => event.e)).toEqual(["rolled", "phase"]);
  expect(Object.keys(anna.state!.mine)).toEqual(["0", "1"]);
});

test("the lobby refuses with the server's codes", async () => {
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic" });
  const anna = new Guest(tab, code);
  await anna.say({ t: "start" }, { t: "sit", name: "  " }, { t: "sit", name: "Anna" }, { t: "sit", name: "anna" });
  await anna.say(
    { t: "addBot", level: "strong" },
    { t: "options", sheet: "other" },
    { t: "stand", seat: 4 },
    { t: "vote", seat: 0 },
  );
  expect(anna.refusals).toEqual([
    "too-few",
    "bad-name",
    "name-taken",
    "bad-options",
    "bad-options",
    "not-your-seat",
    "not-now",
  ]);
  await expect(tab.open({ variant: "chess" })).rejects.toMatchObject({ code: "no-such-game" });
  for (const name of ["B", "C", "D", "E", "F"]) await anna.say({ t: "sit", name });
  expect(anna.refusals.at(-1)).toBe("full");
});

test("a move is sent only after it is stored", async () => {
  const anna = await begun(newTab(), ["Anna"]);
  let open: () => void = () => undefined;
  store.gate = new Promise((resolve) => (open = resolve));
  const before = anna.received.length;
  await anna.decide(0, "a");
  expect(anna.received.length).toBe(before);
  open();
  await settled();
  expect(anna.state!.phase).toBe(3); // white, roll, white again
  expect((await store.read(anna.room.code))!.record).toContain("0 a");
});

test("a killed tab loses nothing, not even a choice in an open window", async () => {
  const anna = await begun(newTab(), ["Anna", "Ben"]);
  await anna.decide(1, "pass");
  const again = new Guest(newTab(), anna.room.code);
  await settled();
  expect(again.state).toMatchObject({ phase: 1, events: [], mine: { 0: { choice: null }, 1: { choice: "pass" } } });
  await again.decide(0, "a");
  expect(again.state!.phase).toBe(3);
});

test("two tabs at one table see the same, and nothing is overwritten", async () => {
  const anna = await begun(newTab(), ["Anna", "Ben"]);
  const other = new Guest(newTab(), anna.room.code);
  await settled();
  await anna.decide(0, "a");
  expect(other.state!.mine[0]!.choice).toBe("a");
  // Both write at the same time: the second is late, and continues from the state of the first.
  let open: () => void = () => undefined;
  store.gate = new Promise((resolve) => (open = resolve));
  await Promise.all([anna.decide(1, "a", 1), other.decide(1, "pass", 1)]);
  open();
  await settled();
  expect([anna.state!.phase, other.state!.phase]).toEqual([3, 3]);
  expect([anna.refusals, other.refusals]).toEqual([[], ["late"]]);
  expect((await store.read(anna.room.code))!.record).toContain("1 a\n");
});

test("invalid moves are refused as by a server, and nothing changes", async () => {
  const anna = await begun(newTab(), ["Anna"], ["easy"]);
  await anna.decide(0, "b");
  expect(anna.received.filter((message) => message.t === "error")).toEqual([
    { t: "error", code: "illegal", rule: "C1", details: {} },
  ]);
  await anna.decide(0, "a", 0);
  await anna.decide(1, "a");
  await anna.say({ t: "roll", dice: "11/1111" });
  expect(anna.refusals).toEqual(["illegal", "late", "not-your-seat", "not-your-turn"]);
  await anna.say({ t: "why", seat: 0, action: "b" }, { t: "why", seat: 0, action: "a" });
  expect(anna.received.filter((message) => message.t === "why").map((why) => why.code)).toEqual([
    "left-of-cross",
    "allowed",
  ]);
});

test("bots decide, and a bot that cannot decide passes", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const anna = await begun(newTab(), ["Anna"], ["easy", "normal"]);
  await anna.decide(0, "a");
  expect(anna.state!.phase).toBe(3);
  expect((await store.read(anna.room.code))!.record).toContain("1 pass\n2 pass");
});

test("bots pause while nobody is connected, and continue after a reconnect", async () => {
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", bots: ["easy"], name: "Anna" });
  const anna = new Guest(tab, code, 1);
  await anna.say({ t: "start" });
  await anna.decide(0, "a");
  anna.leave();
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await store.read(code))!.phase).toBe(1);
  const back = new Guest(tab, code, 1);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(back.state!.phase).toBe(3);
});

test("the active player enters real dice, and a clock decides for late players", async () => {
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", name: "Anna" });
  const anna = new Guest(tab, code);
  await anna.say({ t: "options", realDice: true, timer: 30 }, { t: "start" });
  expect(anna.state).toMatchObject({ phase: 0, rollers: [0], deadline: 30 });
  await anna.say({ t: "roll", dice: "seven" }, { t: "roll", dice: "34/2615" });
  expect(anna.refusals).toEqual(["unreadable"]);
  expect(anna.state!.events[0]).toEqual({ e: "rolled", roll: "34/2615" });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(anna.state).toMatchObject({ phase: 2, rollers: [0] });
});

test("after an immediate reconnect bots and clock are running", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1); // bots take their longest time, 1.4 seconds
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", bots: ["easy"], name: "Anna" });
  const anna = new Guest(tab, code, 1);
  await anna.say({ t: "options", timer: 30 }, { t: "start" });
  anna.leave();
  const back = new Guest(tab, code, 1);
  await vi.advanceTimersByTimeAsync(31_000);
  expect(back.state!.phase).toBe(3); // the bot has chosen, and the clock has passed for Anna
  const other = new Guest(tab, code, 1);
  await settled();
  await other.decide(0, "a");
  expect(back.state!.mine[0]!.choice).toBe("a"); // the same table, not a second one
});

test("open windows show choices, sealed ones do not", async () => {
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", name: "Anna" });
  const anna = new Guest(tab, code);
  await anna.say({ t: "sit", name: "Ben" }, { t: "options", sealed: false }, { t: "start" });
  await anna.decide(1, "pass");
  expect(anna.state!.choices).toEqual({ 1: "pass" });
});

test("after the game: names, rematch, replay, deleting", async () => {
  const tab = newTab();
  const anna = await begun(tab, ["Anna"], ["easy"]);
  for (let turn = 0; turn < 3; turn++) await anna.decide(0, "a");
  expect(anna.room.stage).toBe("over");
  expect(anna.state!.outcome!.ending).toBe("rows");
  await anna.say({ t: "rematch" });
  const next = new Guest(tab, anna.room.next!);
  await settled();
  expect(next.room).toMatchObject({ stage: "playing", mine: [0] });
  await anna.say({ t: "forgetName", seat: 0 });
  expect((await tab.replay(anna.room.code)).names).toEqual(["—", ""]);
  expect((await store.all()).map(({ room }) => room.stage).sort()).toEqual(["over", "playing"]);
  await anna.say({ t: "delete" });
  expect(anna.refusals).toEqual(["no-such-table"]);
  expect(await tab.exists(anna.room.code)).toBe(false);
});

test("a file restores a game, with its people and bots", async () => {
  const tab = newTab();
  const anna = await begun(tab, ["Anna"], ["easy"]);
  await anna.decide(0, "a");
  const file = await tab.record(anna.room.code);
  expect(file).toContain("# person 0 Anna\n# bot 1 easy\n");
  const { code, isOver } = await tab.take(file, "Player");
  expect(isOver).toBe(false);
  const back = new Guest(tab, code);
  await settled();
  expect(back.room.seats.map((seat) => [seat.name, seat.level])).toEqual([
    ["Anna", null],
    ["", "easy"],
  ]);
  await back.decide(0, "a");
  await back.decide(0, "a");
  expect(back.room.stage).toBe("over");
  await expect(tab.take("something else", "Player")).rejects.toMatchObject({ code: "no-record" });
  const strangers = await tab.take("fake 4\n# person 1 Player\n# person 3 \u200b\n# bot 2 nobody\n", "Player");
  const { room } = (await store.read(strangers.code))!;
  expect(room.seats.map((seat) => seat.name)).toEqual(["Player", "Player 2", "Player 3", "Player 4"]);
});

test("a full disk is reported once, and the game continues", async () => {
  const anna = await begun(newTab(), ["Anna"]);
  store.isFull = true;
  await anna.decide(0, "a");
  await anna.decide(0, "a");
  expect(anna.refusals).toEqual(["not-kept"]);
  expect(anna.state!.phase).toBe(5);
  store.isFull = false;
  await anna.decide(0, "a");
  expect((await store.read(anna.room.code))!.room.stage).toBe("over");
});

test("a choice is undone while the window is open, also after a reload", async () => {
  const guest = await begun(newTab(), ["Anna", "Ben"]);
  await guest.decide(0, "a");
  await guest.say({ t: "withdraw", seat: 0, phase: guest.state!.phase });
  expect(guest.state!.mine[0]!.choice).toBeNull();
  await guest.decide(1, "a");
  await guest.decide(0, "pass");
  const late = guest.state!.phase - 1;
  await guest.decide(1, "pass");
  const again = new Guest(newTab(), guest.room.code);
  await settled();
  expect(again.state!.mine[1]!.choice).toBe("pass");
  await again.say({ t: "withdraw", seat: 1, phase: again.state!.phase });
  expect([again.state!.mine[0]!.choice, again.state!.mine[1]!.choice]).toEqual([null, null]);
  expect((await store.read(guest.room.code))!.record).toBe("fake 2\nroll 11/1111\n1 a\n0 pass\nroll 11/1111\n");
  await again.say({ t: "withdraw", seat: 1, phase: late });
  expect(again.refusals).toEqual(["late"]);
});

test("a decision is undone before the next roll, and stays in the record", async () => {
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", name: "Anna" });
  const guest = new Guest(tab, code);
  await guest.say(
    { t: "sit", name: "Ben" },
    { t: "options", realDice: true },
    { t: "start" },
    { t: "roll", dice: "12/3456" },
  );
  await guest.say({ t: "undo", seat: 0, phase: guest.state!.phase });
  expect(guest.refusals).toEqual(["no-undo"]); // no decision since the roll
  await guest.decide(0, "a");
  await guest.decide(1, "pass");
  expect([guest.state!.view.phase, guest.state!.undoable]).toEqual(["roll", [0, 1]]);
  const { phase } = guest.state!;
  const again = new Guest(newTab(), code); // nothing is lost by a reload
  await settled();
  await again.say({ t: "undo", seat: 0, phase });
  expect(again.state!.view.phase).toBe("white");
  expect(again.state!.phase).toBeGreaterThan(phase);
  expect([again.state!.mine[0]!.choice, again.state!.mine[1]!.choice]).toEqual([null, "pass"]);
  expect(again.state!.events).toEqual([{ e: "undone", seat: 0 }]);
  await again.decide(0, "pass");
  await again.say({ t: "roll", dice: "12/3456" });
  expect(again.state!.undoable).toEqual([]);
  const kept = "fake 2\nroll 12/3456\n# taken back: 0 a\n1 pass\n0 pass\nroll 12/3456\n";
  expect((await store.read(code))!.record).toBe(kept);
});

test("a hint is stored and announced before it is sent, once a window, and survives an undo", async () => {
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", name: "Anna", bots: ["easy"] });
  const guest = new Guest(tab, code);
  await guest.say({ t: "options", realDice: true }, { t: "start" }, { t: "roll", dice: "12/3456" });
  expect(guest.room.hints).toBe(true);
  const { phase } = guest.state!;
  await guest.say(
    { t: "hint", seat: 0, phase },
    { t: "hint", seat: 0, phase },
    { t: "hint", seat: 0, phase: phase - 1 },
  );
  const order = guest.received.flatMap((message) =>
    message.t === "hint"
      ? ["hint"]
      : message.t === "state" && message.events.some(({ e }) => e === "hinted")
        ? ["announced"]
        : [],
  );
  expect(order).toEqual(["announced", "hint", "hint"]);
  expect(guest.refusals).toEqual(["late"]);
  expect((await store.read(code))!.record).toMatch(/# hint: 0\n$/); // after the decision of the bot
  await guest.decide(0, "a");
  await guest.say({ t: "undo", seat: 0, phase: guest.state!.phase });
  expect((await store.read(code))!.record.split("\n").filter((line) => line.startsWith("#"))).toEqual([
    "# hint: 0",
    "# taken back: 0 a",
  ]);
  const shared = await begun(tab, ["Anna", "Ben"]);
  expect(shared.room.hints).toBe(false);
  await shared.say({ t: "hint", seat: 0, phase: shared.state!.phase });
  expect(shared.refusals).toEqual(["no-hints"]);
});
