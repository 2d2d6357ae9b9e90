/** Export all games of this device as one zip file: its finished games at the server, and the games stored here. */
import { strToU8, zipSync } from "fflate";
import { codeOf } from "./gameFiles.ts";
import { houses } from "./houses.ts";
import { tokensOf } from "./knownTables.ts";
import { type RecentTable, recentTables } from "./recentTables.ts";
import { saveFile } from "../device/saveFile.ts";
import { isSite } from "../device/origin.ts";

export interface ExportResult {
  /** How many games are in the file. */
  found: number;
  /** How many games could not be fetched now. */
  missing: number;
}

/** The first date of the format: the archive stores no dates. */
const NO_DATE = new Date(1980, 0, 1);

/** Refusals for games without a record: they are not over yet, or they are deleted. */
const NO_RECORD = new Set(["not-now", "no-such-table"]);

async function ownTables(): Promise<RecentTable[]> {
  const isMine = ({ place, code, begun }: RecentTable): boolean =>
    place === "here" ? begun : !isSite && tokensOf(code).length > 0;
  return (await recentTables()).filter(isMine);
}

/** Fetch all games and save them as one file; report progress on the way. */
export async function exportAllGames(progress: (done: number, all: number) => void): Promise<ExportResult> {
  const tables = await ownTables();
  const files: Record<string, Uint8Array> = {};
  let missing = 0;
  for (const [at, { place, code, variant }] of tables.entries()) {
    progress(at, tables.length);
    try {
      files[`qwixx-${variant}-${code}.txt`] = strToU8(await houses[place].record(code));
    } catch (error) {
      if (!NO_RECORD.has(codeOf(error))) missing += 1;
    }
  }
  const found = Object.keys(files).length;
  if (found) {
    const archive = zipSync(files, { mtime: NO_DATE });
    saveFile(new Blob([archive], { type: "application/zip" }), "qwixx-games.zip");
  }
  return { found, missing };
}
