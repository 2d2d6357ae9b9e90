/** The catalogues, as `build/catalogues.ts` makes them. */
declare module "catalogue:*" {
  const messages: Record<string, string | [string, string]>;
  export default messages;
}
