/** A zip archive of several texts, without compression. */

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let rest = byte;
  for (let bit = 0; bit < 8; bit++) rest = rest & 1 ? (rest >>> 1) ^ 0xedb88320 : rest >>> 1;
  return rest;
});

function checksum(data: Uint8Array): number {
  let rest = 0xffffffff;
  for (const byte of data) rest = CRC[(rest ^ byte) & 0xff]! ^ (rest >>> 8);
  return (rest ^ 0xffffffff) >>> 0;
}

/** Encode numbers of two or four bytes, little-endian. */
function numbers(...values: [value: number, bytes: 2 | 4][]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(
    values.flatMap(([value, bytes]) => Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 0xff)),
  );
}

const VERSION = 20;
const NAMES_ARE_UTF8 = 0x800;
/** The first date of the format: the archive stores no dates. */
const DAY = 0x21;

/** Return an archive of texts by their names. */
export function zip(texts: Map<string, string>): Blob {
  const encoder = new TextEncoder();
  const files: Uint8Array<ArrayBuffer>[] = [];
  const contents: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const [name, text] of texts) {
    const [title, data] = [encoder.encode(name), encoder.encode(text)];
    const about = numbers(
      [VERSION, 2],
      [NAMES_ARE_UTF8, 2],
      [0, 2],
      [0, 2],
      [DAY, 2],
      [checksum(data), 4],
      [data.length, 4],
      [data.length, 4],
      [title.length, 2],
      [0, 2],
    );
    files.push(numbers([0x04034b50, 4]), about, title, data);
    contents.push(
      numbers([0x02014b50, 4], [VERSION, 2]),
      about,
      numbers([0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]),
      title,
    );
    offset += 4 + about.length + title.length + data.length;
  }
  const size = contents.reduce((sum, part) => sum + part.length, 0);
  const end = numbers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [texts.size, 2],
    [texts.size, 2],
    [size, 4],
    [offset, 4],
    [0, 2],
  );
  return new Blob([...files, ...contents, end], { type: "application/zip" });
}
