/** What this device keeps for this server: texts in localStorage. Servers at other paths of the same host have their own. */
import { atServer } from "./origin.ts";

const path = atServer("");

/** Return the name under which something is kept: at the root of a host it is the name itself. */
export function keyOf(name: string): string {
  return path ? `${path}:${name}` : name;
}

/** Return a kept text; null if there is none, or if storage is blocked. */
export function read(name: string): string | null {
  try {
    return localStorage.getItem(keyOf(name));
  } catch {
    return null;
  }
}

/** Keep a text. Return false if it cannot be kept: storage is blocked or full. */
export function write(name: string, text: string): boolean {
  try {
    localStorage.setItem(keyOf(name), text);
    return true;
  } catch {
    return false;
  }
}

/** Forget a text. */
export function remove(name: string): void {
  try {
    localStorage.removeItem(keyOf(name));
  } catch {
    // Nothing was kept either.
  }
}
