/** The catalogues, as `build/catalogues.ts` makes them: the texts of the start page, and all others. */
declare module "catalogue:loaders" {
  type Loader = () => Promise<{ default: Record<string, string | [string, string]> }>;
  const loaders: Record<import("./words/i18n.svelte.ts").Language, [start: Loader, rest: Loader]>;
  export default loaders;
}

declare module "catalogue:*" {
  const messages: Record<string, string | [string, string]>;
  export default messages;
}

declare module "rulebook:examples" {
  const examples: Record<string, Record<string, import("./words/rulebook.ts").Example>>;
  export default examples;
}

declare module "rulebook:loaders" {
  const loaders: Record<
    import("./words/i18n.svelte.ts").Language,
    () => Promise<{ default: import("./words/rulebook.ts").Book }>
  >;
  export default loaders;
}

declare module "rulebook:*" {
  const book: import("./words/rulebook.ts").Book;
  export default book;
}

declare module "lessons:loaders" {
  const loaders: Record<
    import("./words/i18n.svelte.ts").Language,
    () => Promise<{ default: Record<string, import("./tutorial/lessonFiles.ts").Step[]> }>
  >;
  export default loaders;
}

declare module "lessons:*" {
  const lessons: Record<string, import("./tutorial/lessonFiles.ts").Step[]>;
  export default lessons;
}

declare module "reasons:loaders" {
  const loaders: Record<
    import("./words/i18n.svelte.ts").Language,
    () => Promise<{ default: Record<string, string | [string, string]> }>
  >;
  export default loaders;
}

declare module "reasons:*" {
  const words: Record<string, string | [string, string]>;
  export default words;
}

declare module "puzzles:loaders" {
  const loaders: Record<string, () => Promise<{ default: import("./protocol.ts").Puzzle[] }>>;
  export default loaders;
}
