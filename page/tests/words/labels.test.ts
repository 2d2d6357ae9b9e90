/** Events in the reader's language: all placeholders are filled in. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { LANGUAGES, speak, t } from "../../src/words/i18n.svelte.ts";
import type { AnyEvent } from "../../src/protocol.ts";
import type { Reply } from "../../src/house.ts";
import { cellLabel, choiceName, eventText, replyText, rowLabel } from "../../src/words/labels.ts";

const name = (seat: number): string => ["Anna", "Ben"][seat]!;

beforeAll(() => vi.stubGlobal("document", { documentElement: {} }));
beforeEach(() => speak("en"));
afterAll(() => vi.unstubAllGlobals());

test.each<[AnyEvent, string]>([
  [{ e: "crossed", seat: 1, cell: "r7" }, "Ben crosses red 7."],
  [{ e: "bonus", seat: 0, barCell: 3 }, "Anna: bonus, cell 3 of the bar."],
  [{ e: "played", seat: 0, cards: ["r4", "j5"] }, "Anna plays red 4 and joker 5."],
  [{ e: "took", seat: 1, numbers: [3, 12] }, "Ben takes 3 and 12 from the display."],
  [{ e: "shuffled", cards: 33 }, "The discards are shuffled and become the new pile."],
  [{ e: "late", seat: 1 }, "Time is up: the table decides for Ben."],
  [{ e: "die-left", color: "b" }, "A die is removed: blue."],
])("%o", (event, text) => {
  expect(eventText({ event, by: null }, name)).toBe(text);
});

test("a roll on the screen is announced by its sum, otherwise by all dice", () => {
  const rolled: AnyEvent = { e: "rolled", roll: "34/26-5" };
  expect(eventText({ event: rolled, by: 1 }, name)).toBe("Ben rolls: white 3 + 4 = 7.");
  expect(eventText({ event: rolled, by: 1 }, name, true)).toMatch(/3 \+ 4.*7.*red 2, yellow 6, blue 5/);
});

test.each<[keyof typeof LANGUAGES, string, string, string]>([
  ["en", "You cross red 7.", "You roll: white 3 + 4 = 7.", "You: bonus, cell 3 of the bar."],
  ["de", "Du kreuzt die rote 7 an.", "Du würfelst: Weiß 3 + 4 = 7.", "Du: Bonus, Feld 3 der Leiste."],
  ["fr", "Tu coches le 7 rouge.", "Tu lances : blancs 3 + 4 = 7.", "Toi : bonus, case 3 de la barre."],
  ["it", "Segni il 7 rosso.", "Lanci: bianchi 3 + 4 = 7.", "Tu: bonus, casella 3 della barra."],
  ["nl", "Je kruist de rode 7 aan.", "Je gooit: wit 3 + 4 = 7.", "Jij: bonus, vakje 3 van de balk."],
])("%s speaks to the reader in the second person", async (language, cross, roll, bonus) => {
  await speak(language);
  const you = (): string => t("name.you");
  expect(eventText({ event: { e: "crossed", seat: 0, cell: "r7" }, by: 0 }, you)).toBe(cross);
  expect(eventText({ event: { e: "rolled", roll: "34/26-5" }, by: 0 }, you)).toBe(roll);
  expect(eventText({ event: { e: "bonus", seat: 0, barCell: 3 }, by: 0 }, you)).toBe(bonus);
});

test("events that the screen shows in other ways have no text", () => {
  expect(eventText({ event: { e: "decided", seat: 0 }, by: 0 }, name)).toBeNull();
  expect(eventText({ event: { e: "phase", phase: "white" }, by: 0 }, name)).toBeNull();
});

const why = (code: string, details: NonNullable<Reply["details"]>): string => replyText({ t: "error", code, details });

// [language, a cross, a closed row, a cross among mixed colors, a cell that is crossed, one that closes too early, labels]
const INFLECTED = [
  [
    "en",
    "Anna crosses red 7.",
    "The red row is closed for all.",
    "Anna crosses 7 in row 1.",
    "Red 5 is crossed already.",
    "at least 5 crosses in it first, and you have 2.",
    "red 7",
    "Red row",
  ],
  [
    "de",
    "Anna kreuzt die rote 7 an.",
    "Die rote Reihe ist für alle abgeschlossen.",
    "Anna kreuzt die 7 in Reihe 1 an.",
    "Die rote 5 ist schon angekreuzt.",
    "mindestens 5 Kreuze darin, und du hast 2.",
    "Rot 7",
    "Rote Reihe",
  ],
  [
    "fr",
    "Anna coche le 7 rouge.",
    "La rangée rouge est clôturée pour tous.",
    "Anna coche le 7 de la rangée 1.",
    "Le 5 rouge est déjà coché.",
    "au moins 5 croix, et tu en as 2.",
    "7 rouge",
    "Rangée rouge",
  ],
  [
    "it",
    "Anna segna il 7 rosso.",
    "La riga rossa è chiusa per tutti.",
    "Anna segna il 7 della riga 1.",
    "Il 5 rosso è già segnato.",
    "almeno 5 crocette, e ne hai 2.",
    "7 rosso",
    "Riga rossa",
  ],
  [
    "nl",
    "Anna kruist de rode 7 aan.",
    "De rode rij is voor iedereen gesloten.",
    "Anna kruist de 7 in rij 1 aan.",
    "De rode 5 is al aangekruist.",
    "minstens 5 kruisjes in staan, en je hebt er 2.",
    "rood 7",
    "Rode rij",
  ],
] as const;

test("every language has an example", () => {
  expect(INFLECTED.map(([language]) => language)).toEqual(Object.keys(LANGUAGES));
});

test.each(INFLECTED)(
  "%s inflects names of rows and cells correctly",
  async (language, crossed, closed, mixed, again, early, cell, row) => {
    await speak(language);
    const said = (event: AnyEvent): string | null => eventText({ event, by: 0 }, name);
    expect(said({ e: "crossed", seat: 0, cell: "r7" })).toBe(crossed);
    expect(said({ e: "closed", row: "r" })).toBe(closed);
    expect(said({ e: "crossed", seat: 0, cell: "A7" })).toBe(mixed);
    expect(why("left-of-cross", { row: "r", cell: "r5", crossed: 1 })).toBe(again);
    expect(why("left-of-cross", { row: "r", cell: "r5", crossed: 0 })).not.toBe(again);
    expect(why("too-few-crosses", { row: "r", cell: "r12", need: 5, have: 2 })).toContain(early);
    expect(why("too-few-crosses", { row: "r", cell: "r12", need: 5 })).not.toMatch(/2\.|\{/);
    expect([cellLabel("r7"), rowLabel("r")]).toEqual([cell, row]);
  },
);

test("a game ends with rows closed for all, or closed by one player", () => {
  const over: AnyEvent = { e: "over", ending: "rows" };
  expect(eventText({ event: over, by: 0 }, name, false, [{ event: { e: "closed", row: "r" } }])).toBe(
    "The game is over. The second row is closed.",
  );
  expect(eventText({ event: over, by: 0 }, name, false, [{ event: { e: "locked", seat: 0, row: "r" } }])).toBe(
    "The game is over. A player has closed two rows.",
  );
});

test("one second is singular", () => {
  expect(why("too-soon", { seconds: 1 })).toBe("Not yet: please wait 1 second.");
  expect(why("too-soon", { seconds: 3 })).toBe("Not yet: please wait 3 seconds.");
});

test("Italian articles follow the number", async () => {
  await speak("it");
  expect(eventText({ event: { e: "crossed", seat: 0, cell: "g8" }, by: 0 }, name)).toBe("Anna segna l’8 verde.");
  expect(eventText({ event: { e: "placed", seat: 0, cell: "b11" } as AnyEvent, by: 0 }, name)).toBe(
    "Anna piazza una pedina sull’11 blu.",
  );
  expect(why("too-few-crosses", { row: "r", cell: "r12", need: 5, have: 2 })).toMatch(/^Il 12 rosso chiude la riga/);
  expect(why("left-of-cross", { row: "g", cell: "g8", crossed: 1 })).toBe("L’8 verde è già segnato.");
});

test("the row of a bonus keeps its gender", async () => {
  await speak("fr");
  expect(choiceName("r7>g")).toBe("7 rouge, bonus dans la rangée verte");
  await speak("it");
  expect(choiceName("r7>y")).toBe("7 rosso, bonus per la riga gialla");
});
