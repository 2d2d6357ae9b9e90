/**
 * SHA-256 (FIPS 180-4). Browsers offer it to secure origins only, and a server in a home network is none.
 *
 * The constants are the first bits of the fractional parts of square and cube roots of the first primes.
 */
const ROUNDS = 64;
const BLOCK = 64;
const PRIMES = firstPrimes(ROUNDS);
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROOTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let n = 2; found.length < count; n++) if (found.every((prime) => n % prime)) found.push(n);
  return found;
}

function fraction(root: number): number {
  return ((root % 1) * 2 ** 32) | 0;
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}

/** The message, a one, zeros, and its length in bits: whole blocks. */
function padded(message: Uint8Array): DataView {
  const size = Math.ceil((message.length + 9) / BLOCK) * BLOCK;
  const bytes = new Uint8Array(size);
  bytes.set(message);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setBigUint64(size - 8, BigInt(message.length) * 8n);
  return view;
}

/** Return the digest as one number, big-endian. */
export function sha256(text: string): bigint {
  const view = padded(new TextEncoder().encode(text));
  const hash = [...START];
  const words = new Int32Array(ROUNDS);
  for (let begin = 0; begin < view.byteLength; begin += BLOCK) {
    for (let i = 0; i < ROUNDS; i++) words[i] = i < 16 ? view.getInt32(begin + 4 * i) : expanded(words, i);
    mix(hash, words);
  }
  return hash.reduce((number, word) => (number << 32n) | BigInt(word >>> 0), 0n);
}

function expanded(words: Int32Array, i: number): number {
  const [near, far] = [words[i - 2]!, words[i - 15]!];
  const small = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
  const large = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
  return (words[i - 16]! + small + words[i - 7]! + large) | 0;
}

function mix(hash: number[], words: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < ROUNDS; i++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + ROOTS[i]! + words[i]!) | 0;
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (hash[i] = (hash[i]! + word) | 0));
}
