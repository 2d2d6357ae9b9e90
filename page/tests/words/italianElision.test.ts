/** Italian articles before numbers, by the rules of the language. */
import { expect, test } from "vitest";
import { elideArticles } from "../../src/words/italianElision.ts";

test.each([
  ["Il 8 verde chiude la riga", "L’8 verde chiude la riga"],
  ["Anna segna il 11 rosso.", "Anna segna l’11 rosso."],
  ["una pedina sul 8 blu", "una pedina sull’8 blu"],
  ["Pari o meglio del 80% degli altri.", "Pari o meglio dell’80% degli altri."],
  ["costa il 1,5% di probabilità", "costa l’1,5% di probabilità"],
  ["tutti i 11 lanci", "tutti gli 11 lanci"],
  // Dodici, diciotto, mille, ottocento and cento; and a word that only ends like an article.
  ["Il 12 rosso, il 18, il 1.000, il 800, il 100", "Il 12 rosso, il 18, il 1.000, l’800, il 100"],
  ["fino a mail 8", "fino a mail 8"],
])("%s", (text, wanted) => {
  expect(elideArticles(text)).toBe(wanted);
  expect(elideArticles(wanted)).toBe(wanted);
});
