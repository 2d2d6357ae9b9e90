/** What only a local table does: it shares a store with other tabs, and rests while nobody looks. Talks prove the rest. */
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import type { FromPage, FromServer, State, TableState } from "../../src/protocol.ts";
import { type StoredGame, MemoryStore } from "../../src/local/gameStore.ts";
import { TableRegistry } from "../../src/local/registry.ts";
import type { Kernel } from "../../src/engine/index.ts";
import { builtRules } from "../support/builtEngine.ts";

/** A store that can be slow, and full. */
class SlowStore extends MemoryStore {
  override readonly isPersistent: boolean = true;
  gate: Promise<void> = Promise.resolve();
  isFull = false;
  override async write(...rows: StoredGame[]): Promise<boolean> {
    await this.gate;
    if (this.isFull) throw new Error("full");
    return super.write(...rows);
  }
}

const AT_ONCE = { bot: 0, undo: 0 };
const SLOW = { bot: 1, undo: 1 };

let kernel: Kernel;
let store: SlowStore;
let tabs: TableRegistry[];

/** One tab of the browser; all share the storage, and are notified of writes of the others. */
function newTab(): TableRegistry {
  const tab: TableRegistry = new TableRegistry(kernel, store, (code) =>
    tabs.forEach((other) => other !== tab && void other.refresh(code)),
  );
  tabs.push(tab);
  return tab;
}

/** A person at a table, with all messages that they got. */
class Guest {
  readonly received: FromServer[] = [];
  private readonly line: ReturnType<TableRegistry["join"]>;

  constructor(tab: TableRegistry, code: string, delays = AT_ONCE) {
    this.line = tab.join(code, (message) => this.received.push(message), delays);
  }
  async say(...messages: FromPage[]): Promise<void> {
    for (const message of messages) this.line.say(message);
    await settled();
  }
  async pass(seat: number, phase = this.state!.phase): Promise<void> {
    await this.say({ t: "decide", seat, phase, action: "pass" });
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

async function begun(tab: TableRegistry, names: string[], bots: string[] = [], delays = AT_ONCE): Promise<Guest> {
  const { code } = await tab.open({ variant: "classic", bots, name: names[0] ?? null });
  const guest = new Guest(tab, code, delays);
  await guest.say(...names.slice(1).map((name): FromPage => ({ t: "sit", name })), { t: "start" });
  return guest;
}

beforeAll(async () => {
  kernel = await builtRules();
});
beforeEach(() => {
  vi.useFakeTimers();
  store = new SlowStore();
  tabs = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a move is sent only after it is stored", async () => {
  const anna = await begun(newTab(), ["Anna"]);
  let open: () => void = () => undefined;
  store.gate = new Promise((resolve) => (open = resolve));
  const before = anna.received.length;
  await anna.pass(0);
  expect(anna.received.length).toBe(before);
  open();
  await settled();
  expect(anna.state!.phase).toBe(2);
  expect((await store.read(anna.room.code))!.record).toContain("0 pass");
});

test("a killed tab loses nothing, not even a choice in an open window", async () => {
  const anna = await begun(newTab(), ["Anna", "Ben"]);
  await anna.pass(1);
  const again = new Guest(newTab(), anna.room.code);
  await settled();
  expect(again.state).toMatchObject({ phase: 1, events: [], mine: { 0: { choice: null }, 1: { choice: "pass" } } });
  await again.pass(0);
  expect(again.state!.phase).toBe(2);
});

test("two tabs at one table see the same, and nothing is overwritten", async () => {
  const anna = await begun(newTab(), ["Anna", "Ben"]);
  const other = new Guest(newTab(), anna.room.code);
  await settled();
  await anna.pass(0);
  expect(other.state!.mine[0]!.choice).toBe("pass");
  // Both write at the same moment: the second comes late, and continues from the version of the first.
  let open: () => void = () => undefined;
  store.gate = new Promise((resolve) => (open = resolve));
  await Promise.all([anna.pass(1, 1), other.pass(1, 1)]);
  open();
  await settled();
  expect([anna.state!.phase, other.state!.phase]).toEqual([2, 2]);
  expect([anna.refusals, other.refusals]).toEqual([[], ["late"]]);
});

test("only one of two tabs rolls after the time to undo", async () => {
  const anna = await begun(newTab(), ["Anna"], [], SLOW);
  const other = new Guest(newTab(), anna.room.code, SLOW);
  await settled();
  await anna.pass(0);
  await anna.pass(0);
  expect([anna, other].map(({ state }) => [state!.view.phase, state!.undoLeft])).toEqual([
    ["roll", 1],
    ["roll", 1],
  ]);
  await vi.advanceTimersByTimeAsync(1000);
  await settled();
  expect(anna.state!.view.phase).toBe("white");
  expect(other.state!.view).toEqual(anna.state!.view);
  expect((await store.read(anna.room.code))!.record.match(/^roll/gm)).toHaveLength(2);
});

test("bots rest while nobody looks, and continue when somebody comes back", async () => {
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", bots: ["easy"], name: "Anna" });
  const anna = new Guest(tab, code, SLOW);
  await anna.say({ t: "start" });
  await anna.pass(0);
  anna.leave();
  await vi.advanceTimersByTimeAsync(5_000);
  expect((await store.read(code))!.phase).toBe(1);
  const back = new Guest(tab, code, SLOW);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(back.state!.phase).toBeGreaterThan(1);
});

test("a person who comes back in the moment of leaving finds bots and clock running", async () => {
  vi.spyOn(Math, "random").mockReturnValue(1); // bots take their longest moment, 1.4 of a second
  const tab = newTab();
  const { code } = await tab.open({ variant: "classic", bots: ["easy"], name: "Anna" });
  const anna = new Guest(tab, code, SLOW);
  await anna.say({ t: "options", timer: 30 }, { t: "start" });
  anna.leave();
  const back = new Guest(tab, code, SLOW);
  await vi.advanceTimersByTimeAsync(30_500);
  expect(back.state!.phase).toBe(2); // the bot has chosen, and the clock has passed for Anna
  const other = new Guest(tab, code, SLOW);
  await other.say({ t: "toBot", seat: 0 });
  expect(back.room.seats[0]!.level).toBe("normal"); // the same table, not a second one
});

test("after the game: names, rematch, replay, deleting", async () => {
  const tab = newTab();
  const anna = await begun(tab, ["Anna"]);
  for (let choice = 0; choice < 8; choice++) await anna.pass(0);
  expect(anna.state!.outcome!.ending).toBe("misses");
  await anna.say({ t: "rematch" });
  const next = new Guest(tab, anna.room.next!);
  await settled();
  expect(next.room).toMatchObject({ stage: "playing", mine: [0] });
  await anna.say({ t: "forgetName", seat: 0 });
  expect((await tab.replay(anna.room.code)).names).toEqual(["—"]);
  expect((await store.all()).map(({ room }) => room.stage).sort()).toEqual(["over", "playing"]);
  await anna.say({ t: "delete" });
  expect(anna.refusals).toEqual(["no-such-table"]);
  expect(await tab.exists(anna.room.code)).toBe(false);
});

test("a file brings a game back, with its people and bots", async () => {
  const tab = newTab();
  await expect(tab.open({ variant: "chess" })).rejects.toMatchObject({ code: "no-such-game" });
  const anna = await begun(tab, ["Anna"], ["easy"]);
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
  await expect(tab.take("something else", "Player")).rejects.toMatchObject({ code: "no-record" });
  const head = file.split("\n")[0]!;
  const four = `${head}\nvariant classic\nseats 4\nfirst 0\n# person 1 Player\n# person 3 \u200b\n# bot 2 nobody\n`;
  const { room } = (await store.read((await tab.take(four, "Player")).code))!;
  expect(room.seats.map((seat) => seat.name)).toEqual(["Player", "Player 2", "Player 3", "Player 4"]);
});

test("a record of an older version, with every choice that was changed", async () => {
  const tab = newTab();
  const anna = await begun(tab, ["Anna", "Ben"]);
  const stored = (await store.read(anna.room.code))!;
  const record = `${stored.record}0 pass\n# hint: 1\n1 pass\n# taken back: 1 pass\n0 pass\n`;
  await store.write({ ...stored, record: record.replace("1 pass\n", ""), count: stored.count + 1 });
  const again = new Guest(newTab(), anna.room.code);
  await settled();
  await again.say({ t: "withdraw", seat: 0, phase: 1 });
  expect(again.state!.mine[0]!.choice).toBeNull();
  const kept = (await store.read(anna.room.code))!.record;
  expect(kept).toBe(`${stored.record}# hint: 1\n# taken back: 1 pass\n`);
});

test("a full disk is reported once, and the game continues", async () => {
  const anna = await begun(newTab(), ["Anna"]);
  store.isFull = true;
  await anna.pass(0);
  await anna.pass(0);
  expect(anna.refusals).toEqual(["not-kept"]);
  expect(anna.state!.phase).toBe(4);
  store.isFull = false;
  await anna.pass(0);
  expect((await store.read(anna.room.code))!.phase).toBe(5);
});
