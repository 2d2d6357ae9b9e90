/** List the bits that are set in a mask. */
export function bits(mask: number, size = 32): number[] {
  const found: number[] = [];
  for (let place = 0; place < size; place++) if ((mask >>> place) & 1) found.push(place);
  return found;
}
