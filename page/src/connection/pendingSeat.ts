/** Tables where whoever comes has already said who they are: they sit down as soon as they are there. */
const coming = new Set<string>();

export function sitAtOnce(code: string): void {
  coming.add(code);
}

/** Whether this device wants to sit down at a table at once; asked once. */
export function wantsSeat(code: string): boolean {
  return coming.delete(code);
}
