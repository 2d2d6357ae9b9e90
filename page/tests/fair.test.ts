/** Dice that can be checked: the recipe by hand, as `tests/test_fair.py` has it. */
import { expect, test } from "vitest";
import { digitsOf, promiseOf } from "../src/local/fair.ts";

const seed = "0".repeat(64);

test("the recipe by hand, worked out with sha256sum and a calculator", () => {
  const fair = { seed, words: ["", ""] };
  expect(promiseOf(seed)).toBe("9c73475d315c683ecae7a58b7cd893a10ec25461edfb7e7c5db862606ce50080");
  expect(digitsOf(fair, 0, [2])).toEqual([1]);
  expect(digitsOf(fair, 2, [6, 6, 6, 6, 6, 6])).toEqual([3, 5, 3, 5, 1, 2]);
  expect(digitsOf({ seed, words: ["mine", ""] }, 2, [6, 6, 6, 6, 6, 6])).not.toEqual([3, 5, 3, 5, 1, 2]);
});
