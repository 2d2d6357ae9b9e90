/** Where this page came from: a server with tables, or a folder of files on a host that only sends files. */

const told = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="qwixx-site"]');

/** Whether this is a static site, without a server. */
export const isSite = Boolean(told);

/** The server that a static site offers for games with friends; empty if there is none. */
export const friendsServer = told?.content ?? "";

/** Return the URL of a file of the page. */
export function fileOf(name: string): string {
  return isSite ? `./${name}` : `/${name}`;
}

/** Return the URL of a screen. A static host has one document only, so there the path comes after a #. */
export function linkTo(path: string): string {
  return isSite ? `#${path}` : path;
}

/**
 * Return the path of the current screen.
 *
 * The shortcuts of an installed page are the same everywhere, so a server's page reads a path after a # as well.
 */
export function currentPath(): string {
  if (!isSite && location.hash.startsWith("#/")) history.replaceState(null, "", location.hash.slice(1));
  return isSite ? location.hash.slice(1).split("?")[0] || "/" : location.pathname;
}

/** Return the query parameters of the address. */
export function query(): URLSearchParams {
  return new URLSearchParams(isSite ? (location.hash.split("?")[1] ?? "") : location.search);
}
