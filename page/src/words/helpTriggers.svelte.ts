/**
 * Triggers of context help: a long press on an element with a topic, a tap on an element without another action (`data-tap`),
 * the key `?`.
 *
 * After a long press the click of the same finger is suppressed.
 */
const LONG_PRESS_MS = 480;
const MOVE_TOLERANCE_PX = 10;

export class HelpTriggers {
  /** The element that is explained. */
  target = $state<HTMLElement | null>(null);
  #timer = 0;
  #at = { x: 0, y: 0 };
  #swallows = false;

  /** Listen to events below an element. Return a function that stops it. */
  watch(root: HTMLElement): () => void {
    const listeners: [string, (event: never) => void, boolean?][] = [
      ["pointerdown", (event: PointerEvent) => this.#press(event)],
      ["pointermove", (event: PointerEvent) => this.#move(event)],
      ["pointerup", () => this.#release()],
      ["pointercancel", () => this.#release()],
      ["click", (event: MouseEvent) => this.#click(event), true],
      ["contextmenu", (event: MouseEvent) => this.#ask(event, topicAt(event.target))],
      ["keydown", (event: KeyboardEvent) => event.key === "?" && this.#ask(event, topicAt(event.target))],
    ];
    for (const [name, listener, captures] of listeners)
      root.addEventListener(name, listener as EventListener, captures);
    return () => {
      this.#release();
      for (const [name, listener, captures] of listeners)
        root.removeEventListener(name, listener as EventListener, captures);
    };
  }

  close(): void {
    this.target = null;
  }

  /** The tap that closes the help does nothing else. */
  dismiss(): void {
    this.#swallows = true;
    this.close();
  }

  #press(event: PointerEvent): void {
    this.#swallows = false;
    this.#release();
    const topic = topicAt(event.target);
    if (!topic || event.button !== 0) return;
    this.#at = { x: event.clientX, y: event.clientY };
    this.#timer = setTimeout(() => {
      this.#swallows = true;
      this.target = topic;
    }, LONG_PRESS_MS) as unknown as number;
  }

  #move({ clientX, clientY }: PointerEvent): void {
    if (Math.hypot(clientX - this.#at.x, clientY - this.#at.y) > MOVE_TOLERANCE_PX) this.#release();
  }

  #release(): void {
    clearTimeout(this.#timer);
  }

  #click(event: MouseEvent): void {
    if (this.#swallows) {
      this.#swallows = false;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    const topic = topicAt(event.target);
    if (topic?.dataset.tap !== undefined) this.target = this.target === topic ? null : topic;
  }

  #ask(event: Event, topic: HTMLElement | null): void {
    if (!topic) return;
    event.preventDefault();
    this.#release();
    this.target = topic;
  }
}

function topicAt(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-help]") : null;
}

/** Move the focus within a group by arrow keys (roving tabindex), so that the group is one tab stop. */
export function rove(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  const things = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[data-help]")];
  const next = things[things.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
