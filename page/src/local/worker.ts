/** The web worker: runs the rules and the tables of this device outside the main thread. */
import { loadKernel } from "../engine/index.ts";
import url from "../engine/kernel.wasm?url";
import { library } from "../engine/coach/netAssets.ts";
import type { FromWorker, ToWorker } from "./workerMessages.ts";
import { openGameStore } from "./gameStore.ts";
import { Refused } from "./room.ts";
import { TableRegistry } from "./registry.ts";

type Joined = ReturnType<TableRegistry["join"]>;

const news = "BroadcastChannel" in self ? new BroadcastChannel("qwixx-games") : null;
const lines = new Map<number, Joined>();

function post(message: FromWorker): void {
  self.postMessage(message);
}

async function load(): Promise<TableRegistry> {
  const [kernel, store] = await Promise.all([loadKernel(fetch(url), library), openGameStore()]);
  const tables = new TableRegistry(kernel, store, (code) => news?.postMessage(code));
  if (news) news.onmessage = (event: MessageEvent<string>) => void tables.refresh(event.data);
  return tables;
}

const loading = load();
loading.catch((error: unknown) => {
  console.warn(error); // an old browser, or missing files: the page shows an error
  post({ k: "broken" });
});

async function answer({ id, name, args }: Extract<ToWorker, { k: "call" }>): Promise<void> {
  try {
    const tables = await loading;
    const calls = tables as unknown as Record<typeof name, (...args: unknown[]) => Promise<unknown>>;
    post({ k: "answer", id, value: await calls[name](...args) });
  } catch (error) {
    if (error instanceof Refused) post({ k: "refused", id, code: error.code, details: error.details });
    else post({ k: "refused", id, code: "" });
  }
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>): Promise<void> => {
  if (data.k === "call") return answer(data);
  const tables = await loading.catch(() => null);
  if (!tables) return;
  if (data.k === "join") {
    const { line } = data;
    lines.set(
      line,
      tables.join(data.code, (message) => post({ k: "tell", line, message }), data.delays),
    );
  } else if (data.k === "say") {
    lines.get(data.line)?.say(data.message);
  } else {
    lines.get(data.line)?.leave();
    lines.delete(data.line);
  }
};
