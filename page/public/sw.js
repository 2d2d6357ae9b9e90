// Keeps the page's own files, so that it opens and plays without a network. Tables of a server are never touched.
//
// A new version is fetched beside the one in use and waits until the reader asks for it, or until no page is open: nobody's game
// is interrupted by an update. The build fills in the version and the names of the files.
const VERSION = "VERSION";
const FILES = ["FILES"];
const KEPT = `qwixx-${VERSION}`;
const ROOT = self.registration.scope;
const DOCUMENT = "index.html";
const PAGES = /^(index\.html)?$|^(here\/)?[tr]\/|^(rules|learn|train)\/|^(count|train|today|privacy)\/?$/;
// The name has a hash of the content in it: what is kept is never stale.
const HASHED = /-[\w-]{8,}\.\w+$/;
const AT_ONCE = 4;

self.addEventListener("install", (event) => event.waitUntil(keepAll()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("message", (event) => {
  if (event.data === "update") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(ROOT)) return;
  const name = request.url.slice(ROOT.length).replace(/[?#].*$/, "");
  if (request.mode === "navigate") {
    event.respondWith(
      PAGES.test(name)
        ? keptElseFresh(DOCUMENT, request)
        : fetch(request).catch(() => keptElseFresh(DOCUMENT, request)),
    );
  } else if (FILES.includes(name) || name.startsWith("assets/")) {
    event.respondWith(keptElseFresh(name, request));
  }
});

async function keepAll() {
  const kept = await caches.open(KEPT);
  const names = [...FILES];
  // A few at a time: whoever plays meanwhile needs the line as well.
  const fetchSome = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await keep(kept, name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetchSome));
}

async function keep(kept, name) {
  const address = new URL(name, ROOT);
  const known = HASHED.test(name) ? await caches.match(address) : undefined;
  await kept.put(address, known ?? (await fetched(address)));
}

async function fetched(address) {
  const answer = await fetch(address, HASHED.test(address.pathname) ? {} : { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${address.pathname}: ${answer.status}`);
  // A host may have sent us on; a document that was redirected is not shown.
  return answer.redirected ? new Response(await answer.blob(), { headers: answer.headers }) : answer;
}

// The version before this one stays kept: another tab may still play in it, and ask for a file of it.
async function takeOver() {
  const others = (await caches.keys()).filter((name) => name.startsWith("qwixx-") && name !== KEPT);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function keptElseFresh(name, request) {
  const address = new URL(name, ROOT);
  const kept = await caches.open(KEPT);
  const found = (await kept.match(address)) ?? (name === DOCUMENT ? undefined : await caches.match(address));
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && HASHED.test(name)) await kept.put(address, answer.clone());
  return answer;
}
