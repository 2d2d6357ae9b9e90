/** The service worker: it caches the page for offline use. A new version is offered, and installed when the reader agrees. */
import { fileOf } from "./origin.ts";

const found = $state<{ waiting: ServiceWorker | null }>({ waiting: null });
let registration: ServiceWorkerRegistration | undefined;

/** Register the service worker. Without one (plain http, an old browser) the page works too, but not offline. */
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
  // A worker that becomes active claims only pages that are open. One that is being loaded at that moment has no worker from the
  // start and is not claimed, so it asks.
  const { active } = await navigator.serviceWorker.ready;
  if (!navigator.serviceWorker.controller) active?.postMessage("claim");
}

/** A waiting worker is an update only if another one is in use; the first one does not wait. */
function note(worker: ServiceWorker | null): void {
  if (worker && navigator.serviceWorker.controller) found.waiting = worker;
}

/** Check for a newer version. */
export function lookForUpdate(): void {
  registration?.update().catch(() => undefined); // no network: the next check will do
}

/** Return whether a newer version is ready. */
export function isUpdateReady(): boolean {
  return found.waiting !== null;
}

/** Switch to the newer version. Other tabs keep theirs. */
export function update(): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  found.waiting?.postMessage("update");
}
