/** The catalogues, as `build/catalogues.ts` makes them. */
declare module "catalogue:*" {
  const messages: Record<string, string | [string, string]>;
  export default messages;
}

declare module "rulebook:examples" {
  const examples: Record<string, Record<string, import("./lib/rules.ts").Example>>;
  export default examples;
}

declare module "rulebook:*" {
  const book: import("./lib/rules.ts").Book;
  export default book;
}

declare module "lessons:*" {
  import type { Step } from "./learn/scripts.ts";
  const lessons: Record<string, Step[]>;
  export default lessons;
}

declare module "reasons:*" {
  const words: Record<string, string | [string, string]>;
  export default words;
}

declare module "training:games" {
  import type { Puzzle } from "./train/puzzles.ts";
  const games: Record<string, () => Promise<{ default: Puzzle[] }>>;
  export default games;
}
