/** Games as files: saving one on this device, reading one, and putting one on the server. */
import type { House, Place } from "./house.ts";
import { here, HereError } from "../local/here.ts";
import { t } from "./i18n.svelte.ts";
import { bringRecord } from "./api.ts";
import { rememberToken } from "./memory.ts";
import { saveFile } from "./saving.ts";

/** Save a game's record as a file of the reader's. */
export async function saveRecord(house: House, code: string, variant: string): Promise<void> {
  const text = await house.record(code);
  saveFile(new Blob([text], { type: "text/plain" }), `qwixx-${variant}-${code}.txt`);
}

/** The code of a refusal; empty for anything else that went wrong. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export interface Taken {
  code: string;
  isOver: boolean;
}

const LONGEST_FILE = 4 * 1024 * 1024;

/** Read a file that the reader chose; one that is too large is not read at all. */
export async function readFile(file: File): Promise<string> {
  if (file.size > LONGEST_FILE) throw new HereError("no-record");
  return file.text();
}

/** Take a game in from its record, on this device or at the server. */
export async function takeRecord(place: Place, text: string): Promise<Taken> {
  if (place === "here") return here.take(text, t("name.default"));
  const { code, tokens, over } = await bringRecord(text);
  if (tokens.length) rememberToken(code, "", ...tokens);
  return { code, isOver: over };
}
