/** The rule book: pages, examples and quick references, loaded by language. */
import loaders from "rulebook:loaders";
import type { Language } from "./i18n.svelte.ts";
import type { Layout, View } from "../protocol.ts";

/** A sheet at one moment: what its seat sees, cells to point at, and what is new on it. */
export interface Frame {
  view: View;
  lit: string[];
  marks: string[];
}

/** The pictures of one seat: before and after, or a single moment. */
export interface Picture {
  seat: number;
  rows: string[];
  parts: string[];
  frames: Frame[];
}

export interface Example {
  game: string;
  sheet: string;
  dice: string | null;
  pictures: Picture[];
}

/** A section of a quick reference. */
export interface Section {
  key: string;
  title: string;
  lines: string[];
}

export interface Book {
  pages: Record<string, string>;
  cards: Record<string, Section[]>;
  words: Record<string, string>;
}

/** All that the book says of one game. */
export interface GameRules {
  page: string;
  card: Section[];
  words: Record<string, string>;
  examples: Record<string, Example>;
}

/** Load the rules of a game. */
export async function gameRules(game: string, language: Language): Promise<GameRules> {
  const [{ default: book }, { default: examples }] = await Promise.all([
    loaders[language](),
    import("rulebook:examples"),
  ]);
  const page = book.pages[game];
  if (page === undefined) throw new Error("404");
  return { page, card: book.cards[game] ?? [], words: book.words, examples: examples[game] ?? {} };
}

/** Return a sheet with only some of its rows and parts. */
export function cropped(
  layout: Layout,
  view: View,
  { rows, parts }: Pick<Picture, "rows" | "parts">,
): { layout: Layout; view: View } {
  const wanted = layout.rows.map((row) => rows.includes(row.key));
  const misses = parts.includes("misses") ? layout.misses : 0;
  return {
    layout: {
      ...layout,
      rows: layout.rows.filter((_, i) => wanted[i]),
      bar: parts.includes("bar") ? layout.bar : [],
      misses,
    },
    view: { ...view, sheets: view.sheets.map((sheet) => ({ ...sheet, rows: sheet.rows.filter((_, i) => wanted[i]) })) },
  };
}
