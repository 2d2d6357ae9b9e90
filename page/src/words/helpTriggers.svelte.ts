/**
 * What asks for help: a finger held on a thing with a topic, a tap where a tap means nothing else (`data-tap`), the key `?`.
 *
 * A finger that was held long has asked; what it would have done by a tap is not done.
 */
const HELD = 480;
const MOVED = 10;

export class Helping {
  /** The thing that is spoken of. */
  target = $state<HTMLElement | null>(null);
  #timer = 0;
  #at = { x: 0, y: 0 };
  #swallows = false;

  /** Listen to everything below an element. Gives what stops it. */
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

  /** The tap that puts the sentence away does nothing else. */
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
    }, HELD) as unknown as number;
  }

  #move({ clientX, clientY }: PointerEvent): void {
    if (Math.hypot(clientX - this.#at.x, clientY - this.#at.y) > MOVED) this.#release();
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

/** Arrow keys go from one thing of a group to the next, so that the group is one stop of the Tab key. */
export function rove(event: KeyboardEvent): void {
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step) return;
  const things = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[data-help]")];
  const next = things[things.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
