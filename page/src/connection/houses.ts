/** All hosts of tables. */
import { localHouse } from "../local/localHouse.ts";
import type { GameEntry } from "../protocol.ts";
import { gameOf, type House, type HostKind } from "../house.ts";
import { serverHouse } from "./serverHouse.ts";
import { isSite } from "../device/origin.ts";

export const houses: Record<HostKind, House> = { server: serverHouse, here: localHouse };

/** Return a game from the server, or without a server from the rules in this page. */
export async function gameAnywhere(id: string): Promise<GameEntry> {
  if (isSite) return gameOf(localHouse, id);
  return gameOf(serverHouse, id).catch(() => gameOf(localHouse, id));
}
