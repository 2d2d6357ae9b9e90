/** Translation: the catalogue of the reader's language; it can be changed at any time. */
import loaders from "catalogue:loaders";
import languages from "../../../src/qwixx/base/languages.json";
import { settings } from "../device/settings.svelte.ts";
import { elideArticles } from "./italianElision.ts";

/** The name of each language in that language, by its code. */
export const LANGUAGES: Readonly<Record<Language, string>> = languages;
export type Language = keyof typeof languages;
/** Languages whose texts no native speaker has reviewed yet; the settings say so. */
export const UNREVIEWED: readonly Language[] = ["nl"];

type Catalogue = Record<string, string | [string, string]>;
type Values = Record<string, string | number>;

type Loader = (typeof loaders)[Language][number];

let current = $state.raw<{ language: Language; messages: Catalogue }>({ language: "en", messages: {} });
/** What was asked for last: a language, how many parts of its texts, and their loading. */
let wanted: { language: Language; parts: number; loaded: Promise<unknown> } = {
  language: "en",
  parts: 0,
  loaded: Promise.resolve(),
};

/** The language on screen. */
export function language(): Language {
  return current.language;
}

function isLanguage(text: string): text is Language {
  return Object.hasOwn(LANGUAGES, text);
}

/** Return the language that was chosen before, or the first supported language of the browser. */
export function preferredLanguage(): Language {
  const wishes = [settings.language, ...navigator.languages.map((wish) => wish.slice(0, 2))];
  return wishes.find(isLanguage) ?? "en";
}

/** Change the language. The screen changes when its texts are loaded. */
export function speak(language: Language): Promise<void> {
  return load(language, loaders[language]);
}

/** Speak a language with the texts of the start page only; `withTexts` loads the others. */
export function begin(language: Language): Promise<void> {
  return load(language, loaders[language].slice(0, 1));
}

/** Return what is loaded on demand, when all texts are there: the start page comes with its own only. */
export async function withTexts<T>(loading: Promise<T>): Promise<T> {
  const isWhole = wanted.parts === loaders[wanted.language].length;
  const [found] = await Promise.all([loading, isWhole ? wanted.loaded : speak(wanted.language)]);
  return found;
}

async function load(language: Language, parts: Loader[]): Promise<void> {
  const loading = Promise.all(parts.map((part) => part()));
  const wish = { language, parts: parts.length, loaded: loading };
  wanted = wish;
  try {
    const texts = (await loading).map((part) => part.default);
    if (wanted !== wish) return; // another language was chosen meanwhile
    current = { language, messages: Object.assign({}, ...texts) as Catalogue };
    document.documentElement.lang = language;
  } catch (error) {
    if (wanted === wish) wanted = { ...wish, parts: 0 }; // the next screen tries again
    throw error;
  }
}

/** Return a text with its placeholders filled in; `n` chooses between singular and plural. */
export function t(id: string, values: Values = {}): string {
  const message = current.messages[id];
  if (message === undefined) return id;
  const text = typeof message === "string" ? message : message[form(Number(values.n))];
  const filled = text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  return current.language === "it" ? elideArticles(filled) : filled;
}

/** Return whether the catalogue has this text: codes of a newer server may be unknown. */
export function has(id: string): boolean {
  return id in current.messages;
}

function form(n: number): 0 | 1 {
  return new Intl.PluralRules(current.language).select(n) === "one" ? 0 : 1;
}

/** Join names as the language does: "Anna, Ben and Cleo". */
export function list(words: string[]): string {
  return new Intl.ListFormat(current.language, { type: "conjunction" }).format(words);
}
