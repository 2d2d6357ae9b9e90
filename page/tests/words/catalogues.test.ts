/** The catalogues of texts: read from gettext files, with singular and plural, and divided for the start page. */
import { beforeAll, expect, test, vi } from "vitest";
import { readCatalogue } from "../../build/catalogues.ts";
import { filesOf } from "../../build/startTexts.ts";
import { has, begin, speak, t, withTexts } from "../../src/words/i18n.svelte.ts";
import messages from "catalogue:de";
import rest from "catalogue:de.rest";
import start from "catalogue:de.start";

beforeAll(() => vi.stubGlobal("document", { documentElement: {} }));

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

test("the start page comes with the texts that its files name, and with no others", () => {
  const files = [...filesOf("src/main.ts")].map((file) => file.replace(/^.*\//, ""));
  expect(files).toContain("GameShelf.svelte");
  expect(files).not.toContain("TableScreen.svelte");
  expect(start["start.play"]).toBe("Spielen");
  expect(start["game.longo.twist"]).toBe(messages["game.longo.twist"]); // composed: `game.${id}.twist`
  expect(start["review.thinking"]).toBeUndefined();
  expect({ ...start, ...rest }).toEqual(messages);
  expect(Object.keys(start).filter((id) => id in rest)).toEqual([]);
});

test("what is loaded on demand has all texts, in the language that was chosen last", async () => {
  await begin("de");
  expect([t("start.play"), has("review.thinking")]).toEqual(["Spielen", false]);
  expect(await withTexts(Promise.resolve("screen"))).toBe("screen");
  expect([t("start.play"), has("review.thinking")]).toEqual(["Spielen", true]);
  const slow = speak("fr");
  await Promise.all([slow, speak("it")]);
  expect(t("start.play")).toBe("Gioca");
});
