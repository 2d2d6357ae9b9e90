/** The address of the analysis board: the position is a line in its query, such as `?p=classic+active=0+...`. */
import { boardPath } from "../house.ts";
import { currentPath, linkTo, query } from "../device/origin.ts";

/** Return the position that the address names; null if it names none. */
export function askedPosition(): string | null {
  return query().get("p");
}

/** Write the position into the address, so that it can be shared and survives a reload. */
export function namePosition(line: string): void {
  if (currentPath().startsWith("/board")) history.replaceState(history.state, "", linkTo(boardPath(line)));
}
