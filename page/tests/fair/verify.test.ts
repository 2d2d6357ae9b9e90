/** Verifiable dice: the recipe by hand, as in `tests/library/test_fair.py`. */
import { expect, test } from "vitest";
import { isRefusal } from "../../src/engine/index.ts";
import { digitsOf, facesOf } from "../../src/fair/hashDigits.ts";
import { numberOf, promiseOf } from "../../src/fair/verify.ts";
import { builtRules } from "../support/builtEngine.ts";

const seed = "0".repeat(64);
const DICE = [6, 6, 6, 6, 6, 6];

test("the recipe by hand, computed with sha256sum and a calculator", () => {
  const fair = { seed, words: ["", ""] };
  expect(promiseOf(seed)).toBe("9c73475d315c683ecae7a58b7cd893a10ec25461edfb7e7c5db862606ce50080");
  expect(digitsOf(numberOf(fair, 0), [2])).toEqual([1]);
  expect(digitsOf(numberOf(fair, 2), DICE)).toEqual([3, 5, 3, 5, 1, 2]);
  expect(facesOf(numberOf(fair, 2), DICE)).toEqual([4, 6, 4, 6, 2, 3]);
  expect(digitsOf(numberOf({ seed, words: ["mine", ""] }, 2), DICE)).not.toEqual([3, 5, 3, 5, 1, 2]);
});

test("a deck is sorted by color, then by number, jokers last (K1, K9)", async () => {
  const kernel = await builtRules();
  const cardsOf = (variant: string): string[] => {
    const game = kernel.begin({ variant, seats: 2, first: 0 });
    if (isRefusal(game)) throw new Error(variant);
    return game.cards();
  };
  const numbers = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];
  const colors = [..."rygb"].flatMap((color) => numbers.map((number) => `${color}${number}`));
  expect(cardsOf("cards")).toEqual(colors);
  expect(cardsOf("cards-joker")).toEqual([...colors, ...numbers.map((number) => `j${number}`)]);
});
