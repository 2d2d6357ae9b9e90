/** Games as files: saving one on this device, reading one, importing one here or at the server. */
import type { House, HostKind } from "../house.ts";
import { localHouse, LocalError } from "../local/localHouse.ts";
import { t } from "../words/i18n.svelte.ts";
import { uploadRecord } from "./httpApi.ts";
import { rememberToken } from "./knownTables.ts";
import { saveFile } from "../device/saveFile.ts";

/** Save the record of a game as a file. */
export async function saveRecord(house: House, code: string, variant: string): Promise<void> {
  const text = await house.record(code);
  saveFile(new Blob([text], { type: "text/plain" }), `qwixx-${variant}-${code}.txt`);
}

/** Return the code of a refusal; empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export interface ImportedGame {
  code: string;
  isOver: boolean;
}

const MAX_FILE_BYTES = 4 * 1024 * 1024;

/** Read a file that the reader chose; refuse one that is too large without reading it. */
export async function readFile(file: File): Promise<string> {
  if (file.size > MAX_FILE_BYTES) throw new LocalError("no-record");
  return file.text();
}

/** Import a game from its record, on this device or at the server. */
export async function importRecord(place: HostKind, text: string): Promise<ImportedGame> {
  if (place === "here") return localHouse.take(text, t("name.default"));
  const { code, tokens, over } = await uploadRecord(text);
  if (tokens.length) rememberToken(code, "", ...tokens);
  return { code, isOver: over };
}
