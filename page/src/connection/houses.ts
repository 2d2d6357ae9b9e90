/** The houses a reader can play in. */
import { here } from "../local/here.ts";
import type { GameEntry } from "./protocol.ts";
import { gameOf, type House, type Place } from "./house.ts";
import { server } from "./server.ts";
import { isSite } from "./site.ts";

export const houses: Record<Place, House> = { server, here };

/** Give a game wherever it is known: at the server, or without one from the rules in this page. */
export async function gameAnywhere(id: string): Promise<GameEntry> {
  if (isSite) return gameOf(here, id);
  return gameOf(server, id).catch(() => gameOf(here, id));
}
