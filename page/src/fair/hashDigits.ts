/** Random digits from a hash, in mixed bases. */

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
