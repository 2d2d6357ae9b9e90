// Caches the files of the page, so that it opens and plays offline. Requests to tables of a server are never intercepted.
//
// A new version is fetched in the background and waits until the reader accepts it, or until no page is open: an update never
// interrupts a game. The build fills in the version and the names of the files.
const VERSION = "VERSION";
const FILES = ["FILES"];
const ROOT = self.registration.scope;
// Other copies of the page below other paths of the same host have caches of their own.
const COPY = `qwixx-${new URL(ROOT).pathname}`;
const CACHE = COPY + VERSION;
const DOCUMENT = "index.html";
const PAGES = /^(index\.html)?$|^(here\/)?[tr]\/|^(rules|learn|train)\/|^(count|train|today|privacy)\/?$/;
// The name contains a hash of the content, so a cached file is never stale.
const HASHED = /-[\w-]{8,}\.\w+$/;
const PARALLEL = 4;

self.addEventListener("install", (event) => event.waitUntil(cacheAll()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === "update") self.skipWaiting();
  if (event.data === "claim") event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(ROOT)) return;
  const name = request.url.slice(ROOT.length).replace(/[?#].*$/, "");
  if (request.mode === "navigate") {
    event.respondWith(
      PAGES.test(name)
        ? cachedElseFetched(DOCUMENT, request)
        : fetch(request).catch(() => cachedElseFetched(DOCUMENT, request)),
    );
  } else if (FILES.includes(name) || name.startsWith("assets/")) {
    event.respondWith(cachedElseFetched(name, request));
  }
});

async function cacheAll() {
  const cache = await caches.open(CACHE);
  const names = [...FILES];
  // A few at a time, to leave bandwidth for a running game.
  const fetchSome = async () => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) await store(cache, name);
  };
  await Promise.all(Array.from({ length: PARALLEL }, fetchSome));
}

async function store(cache, name) {
  const address = new URL(name, ROOT);
  const known = HASHED.test(name) ? await caches.match(address) : undefined;
  await cache.put(address, known ?? (await fetched(address)));
}

async function fetched(address) {
  const answer = await fetch(address, HASHED.test(address.pathname) ? {} : { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${address.pathname}: ${answer.status}`);
  // A host may have redirected the request; browsers do not show a redirected document.
  return answer.redirected ? new Response(await answer.blob(), { headers: answer.headers }) : answer;
}

// The previous version stays cached: another tab may still use it and need one of its files. Open pages come first: they are
// served even if the cache cannot be tidied.
async function activate() {
  await self.clients.claim();
  const others = (await caches.keys()).filter((name) => isOurs(name) && name !== CACHE);
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

// Older versions of the page have no path in the names of their caches.
function isOurs(name) {
  return name.startsWith("qwixx-") && ["", COPY].includes(name.slice(0, name.lastIndexOf("/") + 1));
}

async function cachedElseFetched(name, request) {
  const address = new URL(name, ROOT);
  const cache = await caches.open(CACHE);
  const found = (await cache.match(address)) ?? (name === DOCUMENT ? undefined : await caches.match(address));
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok && HASHED.test(name)) await cache.put(address, answer.clone());
  return answer;
}
