/** The rule pages, a language at a time. */
import type { Language } from "./i18n.svelte.ts";

const LOADERS: Record<Language, () => Promise<{ default: Record<string, string> }>> = {
  en: () => import("rulebook:en"),
  fr: () => import("rulebook:fr"),
  de: () => import("rulebook:de"),
  it: () => import("rulebook:it"),
};

/** Give a game's rules as Markdown. */
export async function rules(variant: string, language: Language): Promise<string> {
  const page = (await LOADERS[language]()).default[variant];
  if (page === undefined) throw new Error("404");
  return page;
}
