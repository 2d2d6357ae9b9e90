/** Rows of mixed colors: the notation names them A to D, people count them from 1 at the top. */
const KEYS = "ABCD";

/** Return the number of a row of mixed colors, or its key if it is another letter. */
export function rowNumber(key: string): string {
  const place = KEYS.indexOf(key);
  return place < 0 ? key : String(place + 1);
}
