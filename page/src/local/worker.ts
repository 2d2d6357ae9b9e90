/** The worker: the rules and the tables of this device, away from the screen. */
import { loadKernel } from "../kernel/index.ts";
import url from "../kernel/kernel.wasm?url";
import { library } from "../kernel/library.ts";
import type { FromWorker, ToWorker } from "./calls.ts";
import { openKeeper } from "./keeper.ts";
import { Refused } from "./room.ts";
import { Tables } from "./tables.ts";

type Joined = ReturnType<Tables["join"]>;

const news = "BroadcastChannel" in self ? new BroadcastChannel("qwixx-games") : null;
const lines = new Map<number, Joined>();

function post(message: FromWorker): void {
  self.postMessage(message);
}

async function load(): Promise<Tables> {
  const [kernel, keeper] = await Promise.all([loadKernel(fetch(url), library), openKeeper()]);
  const tables = new Tables(kernel, keeper, (code) => news?.postMessage(code));
  if (news) news.onmessage = (event: MessageEvent<string>) => void tables.reread(event.data);
  return tables;
}

const loading = load();
loading.catch((error: unknown) => {
  console.warn(error); // an old browser, or files that are not there: the page says so
  post({ k: "broken" });
});

async function answer({ id, name, args }: Extract<ToWorker, { k: "call" }>): Promise<void> {
  try {
    const tables = await loading;
    const call = tables[name] as (...args: unknown[]) => Promise<unknown>;
    post({ k: "answer", id, value: await call.apply(tables, args) });
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
      tables.join(data.code, (message) => post({ k: "tell", line, message }), data.pace),
    );
  } else if (data.k === "say") {
    lines.get(data.line)?.say(data.message);
  } else {
    lines.get(data.line)?.leave();
    lines.delete(data.line);
  }
};
