/** All games of this device as one file: those that it sat in at the server, once they are over, and those that are kept here. */
import { codeOf } from "./files.ts";
import { houses } from "./houses.ts";
import { tokensOf } from "./memory.ts";
import { type Recent, recent } from "./recent.ts";
import { saveFile } from "./saving.ts";
import { isSite } from "./site.ts";
import { zip } from "./zip.ts";

export interface Gathered {
  /** How many games are in the file. */
  found: number;
  /** How many could not be fetched now. */
  missing: number;
}

/** What a server answers about games that have no record: they are not over yet, or they are gone. */
const NO_RECORD = new Set(["not-now", "no-such-table"]);

async function wanted(): Promise<Recent[]> {
  const isMine = ({ place, code, begun }: Recent): boolean =>
    place === "here" ? begun : !isSite && tokensOf(code).length > 0;
  return (await recent()).filter(isMine);
}

/** Fetch all games and save them as one file; tells on the way how many have been looked at. */
export async function saveMine(progress: (done: number, all: number) => void): Promise<Gathered> {
  const tables = await wanted();
  const texts = new Map<string, string>();
  let missing = 0;
  for (const [at, { place, code, variant }] of tables.entries()) {
    progress(at, tables.length);
    try {
      texts.set(`qwixx-${variant}-${code}.txt`, await houses[place].record(code));
    } catch (error) {
      if (!NO_RECORD.has(codeOf(error))) missing += 1;
    }
  }
  if (texts.size) saveFile(zip(texts), "qwixx-games.zip");
  return { found: texts.size, missing };
}
