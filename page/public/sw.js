// A small keeper of the page's own files: the page opens without the network and then says that it waits for it.
// Tables, rules and moves always come from the server.
const KEPT = "qwixx-1";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
  if (request.mode === "navigate") event.respondWith(freshElseKept(request, "/"));
  else if (url.pathname.startsWith("/assets/")) event.respondWith(keptElseFresh(request));
});

async function freshElseKept(request, name) {
  const kept = await caches.open(KEPT);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(name, answer.clone());
    return answer;
  } catch {
    return (await kept.match(name)) ?? Response.error();
  }
}

// Files in /assets/ carry a hash of their content in their name: what is kept is never stale.
async function keptElseFresh(request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await kept.put(request, answer.clone());
  return answer;
}
