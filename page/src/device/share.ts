/** Sharing a link: by the device's share sheet, by the clipboard, or as selected text. */

/** Whether this browser has a share sheet; on plain http none has. */
export function canShare(): boolean {
  return "share" in navigator;
}

/** Open the share sheet for a link. Closing it is not an error. */
export async function share(link: string, title: string): Promise<void> {
  await navigator.share({ url: link, title }).catch(() => undefined);
}

/**
 * Copy a text; return false if the browser does not allow it.
 *
 * The clipboard API needs a secure origin, and a server in a home network is none: there `execCommand` still works.
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
  field.readOnly = true; // prevents the on-screen keyboard
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
