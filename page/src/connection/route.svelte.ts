/** Routing: which screen an address shows. */
import type { HostKind } from "../house.ts";
import { currentPath, linkTo, screenPath } from "../device/origin.ts";

export type Route =
  | { screen: "start" }
  | { screen: "table"; place: HostKind; code: string }
  /** By the short code of a table in its lobby. */
  | { screen: "join"; code: string }
  | { screen: "television"; code: string }
  | { screen: "replay"; place: HostKind; code: string }
  | { screen: "review"; place: HostKind; code: string }
  | { screen: "rules"; variant: string }
  | { screen: "count" }
  | { screen: "today" }
  | { screen: "board" }
  | { screen: "privacy" }
  | { screen: "learn"; variant: string }
  /** Without a game: the one that is played most on this device. */
  | { screen: "train"; variant: string }
  | { screen: "missing" };

const PATTERNS: [RegExp, (name: string, place: HostKind) => Route][] = [
  [/^()\/t\/([A-Za-z0-9]{5})\/?$/, (name) => ({ screen: "join", code: name.toUpperCase() })],
  [/^()\/t\/([A-Za-z0-9]+)\/tv\/?$/, (name) => ({ screen: "television", code: name.toUpperCase() })],
  [/^(\/here)?\/t\/([A-Za-z0-9]+)\/?$/, (name, place) => ({ screen: "table", place, code: name.toUpperCase() })],
  [/^(\/here)?\/r\/([A-Za-z0-9]+)\/?$/, (name, place) => ({ screen: "replay", place, code: name.toUpperCase() })],
  [
    /^(\/here)?\/r\/([A-Za-z0-9]+)\/review\/?$/,
    (name, place) => ({ screen: "review", place, code: name.toUpperCase() }),
  ],
  [/^()\/rules\/([a-z-]+)\/?$/, (name) => ({ screen: "rules", variant: name })],
  [/^()\/train(?:\/([a-z-]+))?\/?$/, (name) => ({ screen: "train", variant: name })],
  [/^()\/learn\/([a-z-]+)\/?$/, (name) => ({ screen: "learn", variant: name })],
];

const TODAY = /^\/today\/?$/;
const BOARD = /^\/board\/?$/;
const COUNT = /^\/count\/?$/;
const PRIVACY = /^\/privacy\/?$/;
const HOME = /^\/?(index\.html|rules\/?)?$/;

function read(path: string): Route {
  for (const [pattern, make] of PATTERNS) {
    const match = pattern.exec(path);
    if (match) return make(match[2] ?? "", match[1] ? "here" : "server");
  }
  if (TODAY.test(path)) return { screen: "today" };
  if (BOARD.test(path)) return { screen: "board" };
  if (COUNT.test(path)) return { screen: "count" };
  if (PRIVACY.test(path)) return { screen: "privacy" };
  return { screen: HOME.test(path) ? "start" : "missing" };
}

const current = $state<{ route: Route }>({ route: read(currentPath()) });

/** The screen to show. */
export function route(): Route {
  return current.route;
}

/** Go to another screen without reloading the page. */
export function go(path: string): void {
  history.pushState(null, "", linkTo(path));
  current.route = read(path.split("?")[0]!);
  scrollTo(0, 0);
}

/** Go to another screen in place of this one: the way back skips it. */
export function replace(path: string): void {
  history.replaceState(null, "", linkTo(path));
  current.route = read(path);
}

addEventListener("popstate", () => (current.route = read(currentPath())));

/** Click handler of links to screens of this page: a plain click does not reload; opening a new tab still works. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  go(link.hash.slice(1) || screenPath(link.pathname) + link.search);
}
