/** The URL parameters of a replay: the moment, and the seat, such as `?at=37&seat=1`. */
import { isSite } from "../device/origin.ts";

export interface Spot {
  frame: number;
  seat: number;
}

function query(): URLSearchParams {
  return new URLSearchParams(isSite ? (location.hash.split("?")[1] ?? "") : location.search);
}

export function spotOf(): Spot {
  const asked = query();
  const read = (name: string): number => (/^\d{1,6}$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : 0);
  return { frame: read("at"), seat: read("seat") };
}

/** Write the moment into the address, so that it can be shared. */
export function nameSpot({ frame, seat }: Spot): void {
  const asked = new URLSearchParams({ at: String(frame), seat: String(seat) });
  const base = isSite ? `${location.pathname}${location.hash.split("?")[0]}` : location.pathname;
  history.replaceState(history.state, "", `${base}?${asked}`);
}
