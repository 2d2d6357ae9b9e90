/** The host of tables on this device: its lines lead to a web worker. Nothing is sent over the network. */
import type { Paper } from "../engine/paperScore.ts";
import type { Setup } from "../engine/setup.ts";
import type { House, Line, Listener } from "../house.ts";
import type { FromPage } from "../protocol.ts";
import { settings } from "../device/settings.svelte.ts";
import type { CallName, Calls, FromWorker, Script, SeatView, ToWorker } from "./workerMessages.ts";

/** A refused call. An empty code means an unexpected error, or that this browser cannot run the rules. */
export class LocalError extends Error {
  constructor(
    readonly code: string,
    readonly details: Record<string, number | string> = {},
  ) {
    super(code || "trouble");
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: LocalError): void;
}

let worker: Worker | null = null;
let isBroken = false;
let count = 0;
const waiting = new Map<number, Waiting>();
const listeners = new Map<number, Listener>();

/** Return whether this browser has the features that local tables need; loading may still fail. */
export function canPlayLocally(): boolean {
  return !isBroken && typeof WebAssembly === "object" && typeof Worker === "function" && typeof BigInt === "function";
}

function post(message: ToWorker): void {
  if (isBroken) return;
  worker ??= begin();
  worker.postMessage(JSON.parse(JSON.stringify(message))); // a value from a screen may be a Svelte proxy, which cannot be cloned
}

function begin(): Worker {
  const begun = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  begun.onmessage = ({ data }: MessageEvent<FromWorker>) => receive(data);
  begun.onerror = () => receive({ k: "broken" });
  return begun;
}

function receive(message: FromWorker): void {
  switch (message.k) {
    case "tell":
      return listeners.get(message.line)?.receive(message.message);
    case "answer":
      waiting.get(message.id)?.resolve(message.value);
      return void waiting.delete(message.id);
    case "refused":
      waiting.get(message.id)?.reject(new LocalError(message.code, message.details));
      return void waiting.delete(message.id);
    case "broken":
      isBroken = true;
      for (const each of waiting.values()) each.reject(new LocalError(""));
      waiting.clear();
      for (const each of listeners.values()) each.receive({ t: "error", code: "no-kernel" });
  }
}

function call<N extends CallName>(name: N, ...args: Parameters<Calls[N]>): ReturnType<Calls[N]> {
  const answer = new Promise((resolve, reject) => {
    if (!canPlayLocally()) return reject(new LocalError(""));
    const id = ++count;
    waiting.set(id, { resolve, reject });
    post({ k: "call", id, name, args });
  });
  return answer as ReturnType<Calls[N]>;
}

class WorkerLine implements Line {
  private readonly line = ++count;

  constructor(code: string, listener: Listener) {
    listeners.set(this.line, listener);
    queueMicrotask(() => {
      if (!canPlayLocally()) return listener.receive({ t: "error", code: "no-kernel" });
      post({ k: "join", line: this.line, code, delays: { bot: settings.botDelay, undo: settings.undoSeconds } });
      listener.connected(true);
    });
  }

  send(message: FromPage): boolean {
    post({ k: "say", line: this.line, message });
    return true;
  }

  close(): void {
    listeners.delete(this.line);
    if (worker) post({ k: "leave", line: this.line });
  }
}

export const localHouse = {
  place: "here",
  games: () => call("games"),
  open: (wish) => {
    // An installed page asks for persistent storage; in a tab the browser would interrupt with a question.
    if (matchMedia("(display-mode: standalone)").matches) void navigator.storage?.persist?.();
    return call("open", wish);
  },
  openDay: (date: string, variant: string, name: string) => call("openDay", date, variant, name),
  dayMaster: (date: string, variant: string) => call("dayMaster", date, variant),
  exists: (code) => call("exists", code),
  replay: (code) => call("replay", code),
  record: (code) => call("record", code),
  /** Import a game from a file. */
  take: (file: string, person: string) => call("take", file, person),
  remove: (code: string) => call("remove", code),
  analyse: (file: string) => call("analyse", file),
  verify: (record: string, promise: string, seals: string[] | null) => call("verify", record, promise, seals),
  continueFrom: (file: string, steps: number, seat: number, person: string) =>
    call("continueFrom", file, steps, seat, person),
  positionIn: (file: string, steps: number) => call("positionIn", file, steps),
  setUp: (position: string | Setup) => call("setUp", position),
  valueOf: (line: string, seat: number) => call("valueOf", line, seat),
  playFrom: (line: string, seat: number, person: string) => call("playFrom", line, seat, person),
  reasonsIn: (file: string, steps: number, seat: number) => call("reasonsIn", file, steps, seat),
  why: (sight: SeatView, action: string) => call("why", sight, action),
  preview: (sight: SeatView, action: string) => call("preview", sight, action),
  losses: (sight: SeatView, here: string) => call("losses", sight, here),
  finalScores: (sight: SeatView) => call("finalScores", sight),
  count: (paper: Paper) => call("count", paper),
  stand: (script: Script, seat: number) => call("stand", script, seat),
  reasons: (script: Script, seat: number) => call("reasons", script, seat),
  whyInScript: (script: Script, seat: number, action: string) => call("whyInScript", script, seat, action),
  connect: (code, listener) => new WorkerLine(code, listener),
} satisfies House & Record<string, unknown>;
