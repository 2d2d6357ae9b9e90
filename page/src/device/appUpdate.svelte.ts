/** The page keeps itself for use without a network; a newer version is offered, and taken when the reader says so. */
import { fileOf } from "./site.ts";

const found = $state<{ waiting: ServiceWorker | null }>({ waiting: null });
let registration: ServiceWorkerRegistration | undefined;

/** Have the page's files kept. Without a service worker (plain http, an old browser) the page works as well. */
export async function keepPage(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  try {
    registration = await navigator.serviceWorker.register(fileOf("sw.js"), { updateViaCache: "none" });
  } catch {
    return;
  }
  note(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const coming = registration?.installing;
    coming?.addEventListener("statechange", () => coming.state === "installed" && note(coming));
  });
}

/** A worker that waits is an update only where another one is in use; the very first does not wait. */
function note(worker: ServiceWorker | null): void {
  if (worker && navigator.serviceWorker.controller) found.waiting = worker;
}

/** Ask whether there is a newer version. */
export function lookForUpdate(): void {
  registration?.update().catch(() => undefined); // no network: later
}

/** Whether a newer version is here and waits. */
export function isUpdateReady(): boolean {
  return found.waiting !== null;
}

/** Go over to the newer version. Other tabs go on in the one they have. */
export function update(): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  found.waiting?.postMessage("update");
}
