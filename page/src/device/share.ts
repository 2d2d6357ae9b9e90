/** Getting a link to somebody else: by the device's share sheet, by the clipboard, or selected so that it can be copied by hand. */

/** Whether this browser has a share sheet; on plain http none has. */
export function canShare(): boolean {
  return "share" in navigator;
}

/** Offer a link to other programs of this device. Whoever closes the sheet has changed their mind: nothing to say. */
export async function share(link: string, title: string): Promise<void> {
  await navigator.share({ url: link, title }).catch(() => undefined);
}

/**
 * Copy a text; false if this browser lets no page do that.
 *
 * The clipboard is for safe origins only, and a server at home is none for the browser: there the old way still works.
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement("textarea");
  field.className = "sr";
  field.value = text;
  field.readOnly = true; // no keyboard comes up on a phone
  // Behind an open dialog nothing can be selected.
  (before?.closest("dialog") ?? document.body).append(field);
  field.select();
  field.setSelectionRange(0, text.length);
  try {
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
