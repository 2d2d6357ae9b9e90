/** Promises of next tables, as this page saw them before anybody agreed to a rematch. */
const noted = new Map<string, string>();

/** Note the promise of the next table, once its code is known. The first one counts. */
export function notePromise(code: string, promise: string): void {
  if (!noted.has(code)) noted.set(code, promise);
}

/** The promise that was noted for a table; empty if there is none. */
export const notedPromise = (code: string): string => noted.get(code) ?? "";
