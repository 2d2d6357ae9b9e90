/** The title of the tab: set by a screen; the default is the name of the page. */
const current = $state({ title: "" });

export function title(): string {
  return current.title;
}

/** Set the title; return a function that resets it. */
export function setTitle(text: string): () => void {
  current.title = text;
  return () => (current.title = "");
}
