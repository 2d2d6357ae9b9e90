import { expect, test } from "vitest";
import { notedPromise, notePromise } from "../../src/fair/notedPromises.ts";

test("the first promise of a next table counts", () => {
  expect(notedPromise("AAAAAAAA")).toBe("");
  notePromise("AAAAAAAA", "first");
  notePromise("AAAAAAAA", "second");
  expect(notedPromise("AAAAAAAA")).toBe("first");
});
