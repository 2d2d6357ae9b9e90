/** Where this page came from: a server with tables, or a folder of files on a host that only sends files. */

const told = globalThis.document?.querySelector<HTMLMetaElement>('meta[name="qwixx-site"]');

/** Whether there is no server behind this page. */
export const isSite = Boolean(told);

/** The server that the site's author offers for games with friends; empty if there is none. */
export const friendsServer = told?.content ?? "";

/** The address of one of the page's own files. */
export function fileOf(name: string): string {
  return isSite ? `./${name}` : `/${name}`;
}

/** The address of a screen. A host of files knows one document only, so there the screen stands behind a #. */
export function linkTo(path: string): string {
  return isSite ? `#${path}` : path;
}

/** The screen that the address bar asks for. */
export function currentPath(): string {
  return isSite ? location.hash.slice(1).split("?")[0] || "/" : location.pathname;
}

/** What the address says behind its question mark. */
export function query(): URLSearchParams {
  return new URLSearchParams(isSite ? (location.hash.split("?")[1] ?? "") : location.search);
}
