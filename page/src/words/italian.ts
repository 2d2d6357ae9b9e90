/** Italian puts an article before a number, and elides it before a vowel; `src/qwixx/text/italian.py` does the same. */

/** Numbers of at most two digits whose words begin with a vowel: uno, otto, undici, ottanta. */
const BEGINS_WITH_A_VOWEL = /^(1|8|11|8\d)$/;

/** Return a number with its article: "l’8", "il 12". */
export function italianWithArticle(number: number | string): string {
  return BEGINS_WITH_A_VOWEL.test(String(number)) ? `l’${number}` : `il ${number}`;
}
