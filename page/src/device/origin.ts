/** Where this page came from: a server with tables, or a folder of files on a host that only sends files. */

const told = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="qwixx-site"]');

/** Whether this is a static site, without a server. */
export const isSite = Boolean(told);

/** The server that a static site offers for games with friends; empty if there is none. */
export const friendsServer = told?.content ?? "";

/** The path below which a proxy shows the server, such as /games/qwixx; usually empty. */
const prefix = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="qwixx-path"]')?.content ?? "";

/** Return the URL of a file of the page. */
export function fileOf(name: string): string {
  return isSite ? `./${name}` : `${prefix}/${name}`;
}

/** Return the path of something that only a server has, such as /api/games. */
export function atServer(path: string): string {
  return prefix + path;
}

/** Return the start of a link to a screen of this server, as this browser reaches it. */
export function linkBase(): string {
  return location.origin + prefix;
}

/** Return the path of a screen in the path of a URL of this server. */
export function screenPath(pathname: string): string {
  return pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : "/";
}

/** Return the URL of a screen. A static host has one document only, so there the path comes after a #. */
export function linkTo(path: string): string {
  return isSite ? `#${path}` : prefix + path;
}

/**
 * Return the path of the current screen.
 *
 * The shortcuts of an installed page are the same everywhere, so a server's page reads a path after a # as well.
 */
export function currentPath(): string {
  if (!isSite && location.hash.startsWith("#/")) history.replaceState(null, "", prefix + location.hash.slice(1));
  return isSite ? location.hash.slice(1).split("?")[0] || "/" : screenPath(location.pathname);
}

/** Return the query parameters of the address. */
export function query(): URLSearchParams {
  return new URLSearchParams(isSite ? (location.hash.split("?")[1] ?? "") : location.search);
}
