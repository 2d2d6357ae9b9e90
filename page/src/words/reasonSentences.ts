/** Reasons for and against a choice, in the reader's language; the texts come from `src/qwixx/coach/reasons/sentences.toml`. */
import loaders from "reasons:loaders";
import { elideArticles } from "./italianElision.ts";
import { rowNumber } from "./rowNumber.ts";
import type { Language } from "./i18n.svelte.ts";
import type { Reason } from "../protocol.ts";

/** The words of a language: texts, or their forms for one and for many. */
export type Words = Record<string, string | [string, string]>;

const COLORS: Record<string, string> = { r: "red", y: "yellow", g: "green", b: "blue" };

/** Fetch the words of a language. */
export async function wordsFor(language: Language): Promise<Words> {
  return (await loaders[language]()).default;
}

/** Return a reason in words. */
export function reasonText(words: Words, language: Language, reason: Reason): string {
  const [, pair = "", name = ""] = /^(pair|half)-(.+)$/.exec(reason.kind) ?? [];
  const effect = words[`effect.${name}`];
  const text = words[effect === undefined ? reason.kind : pair];
  if (text === undefined) return ""; // an unknown reason of a newer server
  const { n, k, total, numbers = [] } = reason;
  const filled = fill(formFor(text, n ?? 0, language), {
    n,
    k,
    total,
    effect: effect && fill(formFor(effect, n ?? 0, language), { n }),
    ...rowWords(words, reason.row),
    number: numbers[0],
    numbers: listed(numbers, String(words.and)),
  });
  return language === "it" ? elideArticles(filled) : filled;
}

/** Return a text, or its form for a number. */
function formFor(text: string | [string, string], n: number, language: Language): string {
  return typeof text === "string" ? text : text[new Intl.PluralRules(language).select(n) === "one" ? 0 : 1];
}

/** Return all reasons in words. */
export function reasonsText(words: Words, language: Language, reasons: readonly Reason[]): string {
  const said = reasons.map((reason) => reasonText(words, language, reason)).filter(Boolean);
  return said.length ? said.reduce((one, more) => fill(String(words.between), { one, more })) : "";
}

/** A row as a sentence names it, and with its preposition. */
function rowWords(words: Words, row: string | undefined): Record<string, string> {
  if (row === undefined) return {};
  const color = COLORS[row];
  if (!color) {
    const number = rowNumber(row);
    return {
      row: fill(String(words.numbered), { number }),
      in_row: fill(String(words.in_numbered), { number }),
    };
  }
  const colors = { color: words[color] as string, color_in: (words[`${color}_in`] ?? words[color]) as string };
  return { row: fill(String(words.row), colors), in_row: fill(String(words.in_row), colors) };
}

/** Write numbers one after the other: "2, 3 and 5". */
function listed(numbers: readonly number[], word: string): string {
  const [last, ...others] = [...numbers].reverse();
  return others.length ? `${others.reverse().join(", ")} ${word} ${last}` : String(last ?? "");
}

function fill(text: string, values: Record<string, string | number | undefined>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
