/** Keys for buttons, such as "p" for pass: they work everywhere but where one types. */

/** Whether a key alone is pressed, outside of fields and dialogs. */
export function isShortcut(event: KeyboardEvent, key: string): boolean {
  const isTyping = event.target instanceof Element && event.target.matches("input, select, textarea, dialog *");
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
  return event.key.toLowerCase() === key && isPlain && !isTyping;
}
