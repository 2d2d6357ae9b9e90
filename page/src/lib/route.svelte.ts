/** Which screen the address asks for. */
import type { Place } from "./house.ts";
import { currentPath, linkTo } from "./site.ts";

export type Route =
  | { screen: "start" }
  | { screen: "table"; place: Place; code: string }
  | { screen: "replay"; place: Place; code: string }
  | { screen: "rules"; variant: string }
  | { screen: "missing" };

const PATTERNS: [RegExp, (name: string, place: Place) => Route][] = [
  [/^(\/here)?\/t\/([A-Za-z0-9]+)\/?$/, (name, place) => ({ screen: "table", place, code: name.toUpperCase() })],
  [/^(\/here)?\/r\/([A-Za-z0-9]+)\/?$/, (name, place) => ({ screen: "replay", place, code: name.toUpperCase() })],
  [/^()\/rules\/([a-z-]+)\/?$/, (name) => ({ screen: "rules", variant: name })],
];

const HOME = /^\/?(index\.html|rules\/?)?$/;

function read(path: string): Route {
  for (const [pattern, make] of PATTERNS) {
    const match = pattern.exec(path);
    if (match) return make(match[2]!, match[1] ? "here" : "server");
  }
  return { screen: HOME.test(path) ? "start" : "missing" };
}

const current = $state<{ route: Route }>({ route: read(currentPath()) });

/** The screen to show. */
export function route(): Route {
  return current.route;
}

/** Go to another screen without loading the page again. */
export function go(path: string): void {
  history.pushState(null, "", linkTo(path));
  current.route = read(path);
  scrollTo(0, 0);
}

addEventListener("popstate", () => (current.route = read(currentPath())));

/** Let a plain link lead to another screen of this page; new tabs keep working. */
export function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = event.currentTarget as HTMLAnchorElement;
  event.preventDefault();
  go(link.hash.slice(1) || link.pathname);
}
