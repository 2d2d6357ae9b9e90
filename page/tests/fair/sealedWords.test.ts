/** Sealed words: hashed as a server does, kept on the device, opened at one table and with the seals that were seen first. */
import { expect, test } from "vitest";
import { notedSeals, opening, sealOf, sealWords, wordsOf } from "../../src/fair/sealedWords.ts";

test("the hash by hand, as in tests/library/test_fair.py", () => {
  expect(sealOf(`${"0".repeat(32)} mine`)).toBe("1fa971e9537d4a1e28550c1f173520dfc8b7d5e82cd9063ea4d705afd5f53484");
});

test("words are cleaned, and no hash is the same twice", () => {
  const seal = sealWords("  drei\n\tkleine  \u2028 Katzen ");
  expect(wordsOf(seal)).toBe("drei kleine Katzen");
  expect(wordsOf(sealWords("🐈".repeat(70)))).toBe("🐈".repeat(60));
  expect(sealWords("drei kleine Katzen")).not.toBe(seal);
  expect(sealWords(" \u200b ")).toBe("");
  expect(wordsOf("0".repeat(64))).toBe("");
});

test("a seal is opened at one table, with the seals that were seen there first", () => {
  const seal = sealWords("mine");
  const seals = [seal, "a".repeat(64)];
  expect(notedSeals("AAAA")).toBeNull();
  const text = opening("AAAA", seal, seals)!;
  expect(sealOf(text)).toBe(seal);
  expect(opening("AAAA", seal, seals)).toBe(text); // after a reconnect
  expect(opening("AAAA", seal, [seal, "b".repeat(64)])).toBeNull(); // a seal chosen after our words were known
  expect(opening("BBBB", seal, seals)).toBeNull();
  expect(notedSeals("AAAA")).toEqual(seals);
  expect(opening("AAAA", "c".repeat(64), seals)).toBeNull();
});
