/** What the tab is called: a screen says it, and the page's name stands there if none does. */
const current = $state({ title: "" });

export function title(): string {
  return current.title;
}

/** Call the tab so, until what this gives is called. */
export function entitle(text: string): () => void {
  current.title = text;
  return () => (current.title = "");
}
