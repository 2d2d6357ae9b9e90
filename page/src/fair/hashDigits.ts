/** Chance out of a hash: a large number, taken apart digit by digit. */

/** The digits of a number from its end, each to its own base. */
export function digitsOf(number: bigint, bases: readonly number[]): number[] {
  let rest = number;
  return bases.map((base) => {
    const digit = Number(rest % BigInt(base));
    rest /= BigInt(base);
    return digit;
  });
}

/** What dice of so many sides show. */
export function facesOf(number: bigint, sides: readonly number[]): number[] {
  return digitsOf(number, sides).map((digit) => 1 + digit);
}
