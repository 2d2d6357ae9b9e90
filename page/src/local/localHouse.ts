/** The tables of this device, as the page sees them: a house whose lines lead to a worker. Nothing is sent anywhere. */
import type { Paper } from "../kernel/counting.ts";
import type { House, Line, Listener } from "../lib/house.ts";
import type { FromPage } from "../lib/protocol.ts";
import { settings } from "../lib/settings.svelte.ts";
import type { CallName, Calls, FromWorker, Script, Sight, ToWorker } from "./calls.ts";

/** A call that was refused; an empty code: something went wrong, or this browser cannot play here. */
export class HereError extends Error {
  constructor(
    readonly code: string,
    readonly details: Record<string, number | string> = {},
  ) {
    super(code || "trouble");
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: HereError): void;
}

let worker: Worker | null = null;
let isBroken = false;
let count = 0;
const waiting = new Map<number, Waiting>();
const listeners = new Map<number, Listener>();

/** Whether this browser has what local tables need; whether it really works shows when it is tried. */
export function canPlayHere(): boolean {
  return !isBroken && typeof WebAssembly === "object" && typeof Worker === "function" && typeof BigInt === "function";
}

function post(message: ToWorker): void {
  if (isBroken) return;
  worker ??= begin();
  worker.postMessage(JSON.parse(JSON.stringify(message))); // what comes from a screen may be a proxy, which cannot travel
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
      waiting.get(message.id)?.reject(new HereError(message.code, message.details));
      return void waiting.delete(message.id);
    case "broken":
      isBroken = true;
      for (const each of waiting.values()) each.reject(new HereError(""));
      waiting.clear();
      for (const each of listeners.values()) each.receive({ t: "error", code: "no-kernel" });
  }
}

function call<N extends CallName>(name: N, ...args: Parameters<Calls[N]>): ReturnType<Calls[N]> {
  const answer = new Promise((resolve, reject) => {
    if (!canPlayHere()) return reject(new HereError(""));
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
      if (!canPlayHere()) return listener.receive({ t: "error", code: "no-kernel" });
      post({ k: "join", line: this.line, code, pace: settings.pace });
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

export const here = {
  place: "here",
  games: () => call("games"),
  open: (wish) => {
    // An installed page asks that its games are not cleared away when space runs short; a tab would be in the way with a question.
    if (matchMedia("(display-mode: standalone)").matches) void navigator.storage?.persist?.();
    return call("open", wish);
  },
  openDay: (date: string, variant: string, name: string) => call("openDay", date, variant, name),
  dayMaster: (date: string, variant: string) => call("dayMaster", date, variant),
  exists: (code) => call("exists", code),
  replay: (code) => call("replay", code),
  record: (code) => call("record", code),
  /** Take a game in from a file. */
  take: (file: string, person: string) => call("take", file, person),
  remove: (code: string) => call("remove", code),
  analyse: (file: string) => call("analyse", file),
  verify: (record: string, promise: string) => call("verify", record, promise),
  playOn: (file: string, steps: number, seat: number, person: string) => call("playOn", file, steps, seat, person),
  why: (sight: Sight, action: string) => call("why", sight, action),
  preview: (sight: Sight, action: string) => call("preview", sight, action),
  count: (paper: Paper) => call("count", paper),
  stand: (script: Script, seat: number) => call("stand", script, seat),
  reasons: (script: Script, seat: number) => call("reasons", script, seat),
  whyThere: (script: Script, seat: number, action: string) => call("whyThere", script, seat, action),
  connect: (code, listener) => new WorkerLine(code, listener),
} satisfies House & Record<string, unknown>;
