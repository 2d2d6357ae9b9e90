/** The catalogues of texts: read from gettext files, with singular and plural. */
import { expect, test } from "vitest";
import { readCatalogue } from "../../build/catalogues.ts";
import messages from "catalogue:de";

test("ids, forms, long texts and quotes are read; header and comments are not", () => {
  const text = [
    'msgid ""\nmsgstr "Language: xx\\n"',
    "# nothing but a comment",
    '# said at the end\nmsgid "end.won"\nmsgstr "{name} \\"won\\""',
    'msgid "points"\nmsgid_plural "points"\nmsgstr[0] "one point"\nmsgstr[1] "{n} points"',
    'msgid "long"\nmsgstr ""\n"two "\n"parts"',
  ].join("\n\n");
  expect(readCatalogue(text)).toEqual({
    "end.won": '{name} "won"',
    points: ["one point", "{n} points"],
    long: "two parts",
  });
});

test("each language is a separate module", () => {
  expect(messages["color.r"]).toBe("Rot");
});
