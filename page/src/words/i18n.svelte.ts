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

const current = $state<{ language: Language; messages: Catalogue }>({ language: "en", messages: {} });

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
export async function speak(language: Language): Promise<void> {
  const { default: messages } = await loaders[language]();
  current.messages = messages;
  current.language = language;
  document.documentElement.lang = language;
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
