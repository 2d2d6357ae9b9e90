/** The catalogues, as `build/catalogues.ts` makes them. */
declare module "catalogue:*" {
  const messages: Record<string, string | [string, string]>;
  export default messages;
}

declare module "rulebook:*" {
  const pages: Record<string, string>;
  export default pages;
}
