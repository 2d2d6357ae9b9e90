/** Tables that were opened with "play now": the game starts as soon as the page is connected. */
const toStart = new Set<string>();

export function startOnArrival(code: string): void {
  toStart.add(code);
}

/** Return whether to start a table at once, and forget it. */
export function wantsStart(code: string): boolean {
  return toStart.delete(code);
}
