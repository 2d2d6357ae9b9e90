/** A hash as a number, and random digits from it, in mixed bases. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/**
 * Return the SHA-256 digest of a text, in hexadecimal digits.
 *
 * Browsers offer it to secure origins only, and a server in a home network is none; so a library computes it.
 */
export function hexOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** Return the digest of a text as one number, big-endian. */
export function hashOf(text: string): bigint {
  return BigInt(`0x${hexOf(text)}`);
}

/** Return the digits of a number from its end, each in its own base. */
export function digitsOf(number: bigint, bases: readonly number[]): number[] {
  let rest = number;
  return bases.map((base) => {
    const digit = Number(rest % BigInt(base));
    rest /= BigInt(base);
    return digit;
  });
}

/** Return the faces of dice with these numbers of sides. */
export function facesOf(number: bigint, sides: readonly number[]): number[] {
  return digitsOf(number, sides).map((digit) => 1 + digit);
}
