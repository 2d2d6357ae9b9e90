/** Rule pages as data: drawings are named, and the ids of rules are separate pieces. */
import { expect, test } from "vitest";
import { readMarkdown, readSpans, rulesIn } from "../../src/words/markdown.ts";

test("ids include the space before them, so that they can be left out", () => {
  const spans = readSpans("You may cross **one** cell (C3, R10). Then (as said) stop.");
  expect(
    spans
      .filter((span) => span.kind !== "rule")
      .map((span) => span.text)
      .join(""),
  ).toBe("You may cross one cell. Then (as said) stop.");
  expect(spans.filter((span) => span.kind === "rule").map((span) => span.text)).toEqual(["C3, R10"]);
});

test("blocks have a kind and the rules that they cite", () => {
  const page =
    "# Title\n\nA rule (C1).\nAnother (C2).\n\n- a (C3)\n- b (BA4, BB3a)\n\n```example one-roll\nclassic | -\n```\n\n| a | b |\n|---|---|\n| x (G1) | y |\n";
  const blocks = readMarkdown(page);
  expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph", "list", "code", "table"]);
  expect(blocks.map(rulesIn)).toEqual([[], ["C1", "C2"], ["C3", "BA4", "BB3a"], [], ["G1"]]);
  expect(blocks[3]).toEqual({ kind: "code", info: "example one-roll", text: "classic | -" });
});
