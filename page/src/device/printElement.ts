/** Printing one element of the page. */

/** Print a copy of this element and nothing else. */
export function printOnly(part: HTMLElement): void {
  const copy = document.createElement("div");
  copy.className = "printed";
  copy.append(part.cloneNode(true));
  document.body.append(copy);
  addEventListener("afterprint", () => copy.remove(), { once: true });
  print();
}
