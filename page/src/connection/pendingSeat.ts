/** Tables where this player has entered a name already: they take a seat as soon as the table is connected. */
const pending = new Set<string>();

export function sitAtOnce(code: string): void {
  pending.add(code);
}

/** Return whether to take a seat at once, and forget it. */
export function wantsSeat(code: string): boolean {
  return pending.delete(code);
}
