/**
 * Sealed words: a table gets their hash, and this device keeps them until the game starts.
 *
 * Words are opened at one table only, and only together with the seals that this device saw there first. So a server
 * cannot choose words of its own after it has seen ours: the record has to show the same seals.
 */
import { hexOf } from "./hashDigits.ts";
import { read, write } from "../device/storage.ts";
import { TABLE } from "../protocol.ts";

interface Kept {
  /** The nonce, a blank, the words. */
  text: string;
  /** The table where they were opened. */
  at?: string;
  /** The seals of all seats there. */
  seals?: string[];
}

const KEY = "qwixx.words";
const MAX_KEPT = 50;
const NONCE_BYTES = 16;
let kept: Record<string, Kept> | null = null;

function all(): Record<string, Kept> {
  if (!kept) {
    try {
      kept = JSON.parse(read(KEY) ?? "{}") as Record<string, Kept>;
    } catch {
      kept = {};
    }
  }
  return kept;
}

function keep(seal: string, entry: Kept): void {
  const entries = Object.entries(all()).filter(([known]) => known !== seal);
  kept = Object.fromEntries([...entries, [seal, entry] as const].slice(-MAX_KEPT));
  write(KEY, JSON.stringify(kept)); // without storage they are kept as long as the page is open
}

/** Return the hash of words with their nonce. */
export function sealOf(text: string): string {
  return hexOf(`qwixx words ${text}`);
}

/** Seal words with a random nonce, and keep them; return the hash, empty without words. */
export function sealWords(words: string): string {
  const clean = [...words.replace(/[\p{C}\p{Z}]+/gu, " ").trim()].slice(0, TABLE.maxWords).join("").trim();
  if (!clean) return "";
  const nonce = [...crypto.getRandomValues(new Uint8Array(NONCE_BYTES))].map((byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  const text = `${nonce.join("")} ${clean}`;
  keep(sealOf(text), { text });
  return sealOf(text);
}

/** Return the words of a seal without their nonce; empty if another device has them. */
export function wordsOf(seal: string): string {
  return all()[seal]?.text.slice(2 * NONCE_BYTES + 1) ?? "";
}

/** Return what opens a seal at a table, and note the seals of all seats there; null if it must not be opened. */
export function opening(code: string, seal: string, seals: string[]): string | null {
  const found = all()[seal];
  if (!found || (found.at ?? code) !== code || String(found.seals ?? seals) !== String(seals)) return null;
  keep(seal, { text: found.text, at: code, seals });
  return found.text;
}

/** Return the seals that this device saw at a table before it opened its words; null if it opened none. */
export function notedSeals(code: string): string[] | null {
  return Object.values(all()).find(({ at }) => at === code)?.seals ?? null;
}
