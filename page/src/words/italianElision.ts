/**
 * Italian articles before a number: a catalogue writes "il {cell}" or "sul {cell}", and the number decides on the form.
 *
 * The words of 1, 8, 11, 80 to 89 and 800 to 899 begin with a vowel: "l’8", "sull’11", "gli 80".
 */
const BEFORE_A_VOWEL: Readonly<Record<string, string>> = {
  il: "l’",
  al: "all’",
  dal: "dall’",
  del: "dell’",
  nel: "nell’",
  sul: "sull’",
  i: "gli ",
  ai: "agli ",
  dai: "dagli ",
  dei: "degli ",
  nei: "negli ",
  sui: "sugli ",
};
const ARTICLES = new RegExp(
  `(?<![\\p{L}\\d])(${Object.keys(BEFORE_A_VOWEL).join("|")}) (?=(?:8\\d{0,2}|11?)(?!\\d|\\.\\d))`,
  "giu",
);

/** Return the text with the right article before each number: "L’8", "sull’11", "tutti gli 8". */
export function elideArticles(text: string): string {
  return text.replace(ARTICLES, (_, article: string) => {
    const form = BEFORE_A_VOWEL[article.toLowerCase()]!;
    return article === article.toLowerCase() ? form : form.charAt(0).toUpperCase() + form.slice(1);
  });
}
