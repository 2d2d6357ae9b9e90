/** Words: the catalogue of the reader's language, switchable at any time. */
import { settings } from "./settings.svelte.ts";

export const LANGUAGES = ["en", "fr", "de", "it"] as const;
export type Language = (typeof LANGUAGES)[number];

type Catalogue = Record<string, string | [string, string]>;
type Values = Record<string, string | number>;

const LOADERS: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("catalogue:en"),
  fr: () => import("catalogue:fr"),
  de: () => import("catalogue:de"),
  it: () => import("catalogue:it"),
};

const current = $state<{ language: Language; messages: Catalogue }>({ language: "en", messages: {} });

/** The language on screen. */
export function language(): Language {
  return current.language;
}

function isLanguage(text: string): text is Language {
  return (LANGUAGES as readonly string[]).includes(text);
}

/** The language chosen here before, or else the first of the browser's that we speak. */
export function preferredLanguage(): Language {
  const wishes = [settings.language, ...navigator.languages.map((wish) => wish.slice(0, 2))];
  return wishes.find(isLanguage) ?? "en";
}

/** Show another language. Nothing changes on screen until its texts are here. */
export async function speak(language: Language): Promise<void> {
  const { default: messages } = await LOADERS[language]();
  current.messages = messages;
  current.language = language;
  document.documentElement.lang = language;
}

/** Give a text with its placeholders filled in; `n` chooses between the forms for one and for many. */
export function t(id: string, values: Values = {}): string {
  const message = current.messages[id];
  if (message === undefined) return id;
  const text = typeof message === "string" ? message : message[form(Number(values.n))];
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Whether the catalogue has this text: codes of a newer server may be unknown to it. */
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
