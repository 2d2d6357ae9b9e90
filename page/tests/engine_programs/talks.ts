/** `node talks.ts kernel.wasm talks.json`: plays talks at local tables with the real rules; writes everything that was sent. */
import { readFileSync } from "node:fs";
import { mock } from "node:test";
import { PageGame } from "../../src/engine/game.ts";
import { loadKernel, type BeginOptions, type Kernel } from "../../src/engine/index.ts";
import { MemoryStore } from "../../src/local/gameStore.ts";
import { TableRegistry } from "../../src/local/registry.ts";
import { BotTimers } from "../../src/local/timers.ts";
import type { FromPage, FromServer } from "../../src/protocol.ts";

interface Act {
  who: string;
  do: "open" | "join" | "leave" | "follow" | "say" | "dice" | "bot" | "wait" | "restart" | "record";
  name: string | null;
  message: FromPage;
  texts: string[];
  seat: number;
  action: string;
  seconds: number;
}

interface Script {
  variant: string;
  sheet: string;
  first: number;
  undo: number;
  steps: Act[][];
}

type Told = FromServer | { t: "ledger"; lines: string[] };

class KeptStore extends MemoryStore {
  override readonly isPersistent: boolean = true;
}

/** Dice and choices that the talk has named; bots that wait for their turn. */
const throws: string[] = [];
const asked = new Map<number, () => void>();
let choice = "";

PageGame.prototype.roll = function (this: PageGame) {
  return this.setRoll(throws.shift()!);
};
PageGame.prototype.choose = () => {
  if (!choice) throw new Error("no answer");
  return choice;
};
PageGame.prototype.hint = function (this: PageGame, seat: number) {
  const choices = this.legal(seat).map((action) => ({ action, value: 0.5, points: 60, loss: 0, reasons: [] }));
  return { seat, source: "learned", measure: "win", choices };
};
BotTimers.prototype.schedule = function (this: BotTimers, seats: number[], phase: number) {
  for (const seat of seats)
    asked.set(seat, () => (this as unknown as { think(seat: number, phase: number): void }).think(seat, phase));
};

/** The rules, with a first seat that the talk names, and without nets. */
function scripted(kernel: Kernel, first: number): Kernel {
  const begin = (options: BeginOptions) => kernel.begin({ ...options, first });
  const own = { begin, prepare: async () => undefined, learn: async () => true };
  return new Proxy(kernel, {
    get(target, name) {
      if (name in own) return own[name as keyof typeof own];
      const found: unknown = Reflect.get(target, name);
      return typeof found === "function" ? (found.bind(target) as unknown) : found;
    },
  });
}

class Player {
  private readonly store = new KeptStore();
  private readonly lines = new Map<string, ReturnType<TableRegistry["join"]>>();
  private readonly phases = new Map<string, number>();
  private told: Record<string, Told[]> = {};
  private tables: TableRegistry;
  private code = "";
  private next = "";

  constructor(
    private readonly kernel: Kernel,
    private readonly script: Script,
  ) {
    this.tables = this.newTables();
  }

  async play(): Promise<Record<string, Told[]>[]> {
    const transcript = [];
    for (const acts of this.script.steps) {
      this.told = {};
      for (const act of acts) {
        await this.act(act);
        await settled();
      }
      transcript.push(this.told);
    }
    for (const line of this.lines.values()) line.leave(); // stops the clock
    await settled();
    return transcript;
  }

  private newTables(): TableRegistry {
    return new TableRegistry(this.kernel, this.store, () => undefined);
  }

  private async act(act: Act): Promise<void> {
    const { who } = act;
    switch (act.do) {
      case "open": {
        const { variant, sheet } = this.script;
        this.code = (await this.tables.open({ variant, sheet, name: act.name, bots: [] })).code;
        return this.join(who);
      }
      case "join":
        return this.join(who);
      case "leave":
        return this.lines.get(who)!.leave();
      case "follow":
        this.lines.get(who)!.leave();
        this.code = this.next;
        return this.join(who);
      case "say": {
        const message = { ...act.message } as FromPage & { phase?: number | null };
        if (message.phase === null) message.phase = this.phases.get(who) ?? 0;
        return this.lines.get(who)!.say(message as FromPage);
      }
      case "dice":
        return void throws.push(...act.texts);
      case "bot":
        choice = act.action;
        asked.get(act.seat)?.(); // a talk may have given the seat to a bot at the server alone
        return void asked.delete(act.seat);
      case "wait":
        return mock.timers.tick(act.seconds * 1000);
      case "restart":
        this.tables = this.newTables();
        for (const each of this.lines.keys()) {
          this.lines.get(each)!.leave();
          this.join(each);
          await settled();
        }
        return;
      case "record": {
        const { record } = (await this.store.read(this.code))!;
        const lines = record
          .split("\n")
          .filter((line) => /^(roll|deal|shuffle|[0-9]|# (taken back|hint):) ?/.test(line));
        this.told.ledger = [{ t: "ledger", lines }];
      }
    }
  }

  private join(who: string): void {
    const line = this.tables.join(this.code, (message) => this.receive(who, message), {
      bot: 0,
      undo: this.script.undo,
    });
    this.lines.set(who, line);
  }

  private receive(who: string, message: FromServer): void {
    (this.told[who] ??= []).push(JSON.parse(JSON.stringify(message)) as FromServer);
    if (message.t === "state") this.phases.set(who, message.phase);
    if (message.t === "table" && message.next) this.next = message.next;
  }
}

/** Wait until the queues of all tables are empty: everything in them is in memory. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const [, , kernelFile, talksFile] = process.argv;
const kernel = await loadKernel(readFileSync(kernelFile!));
mock.timers.enable({ apis: ["setTimeout", "Date"] });
console.error = () => undefined; // a bot without an answer is part of a talk
const transcripts = [];
for (const script of JSON.parse(readFileSync(talksFile!, "utf8")) as Script[]) {
  throws.length = 0;
  asked.clear();
  transcripts.push(await new Player(scripted(kernel, script.first), script).play());
}
process.stdout.write(JSON.stringify(transcripts));
