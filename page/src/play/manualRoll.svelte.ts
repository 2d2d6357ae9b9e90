/**
 * Dice that one rolls oneself: a roll of one's own lies under the hand until it is rolled, by a tap or by a shake of the phone.
 *
 * The table has rolled already, and nobody can change what it is; this only decides when it is seen.
 */
import { prefersCalm, settings } from "./settings.svelte.ts";
import type { FeedItem } from "./story.ts";
import type { Table } from "./table.svelte.ts";

/** A shake is faster than this, in meters per second squared; a walk is slower. */
const SHAKE = 22;
/** With a clock running nobody is waited for longer than this. */
const PATIENCE = 2_500;

type Motion = typeof DeviceMotionEvent & { requestPermission?: () => Promise<string> };

export class Rolling {
  /** The seat that has not rolled yet; null if there is nothing to roll. */
  seat = $state<number | null>(null);
  /** Counts the rolls by hand, so that each is seen to tumble. */
  count = $state(0);

  constructor(private readonly table: Table) {}

  /** A roll has come: whoever of this device is to roll it is asked to, unless dice roll by themselves here. */
  receive(): void {
    const { latest, state, room, mine } = this.table;
    const isLying = state?.view.phase === "white";
    const isNew = latest.some((event) => event.e === "rolled");
    if (isLying && !isNew && this.seat === state.view.active) return; // others decide meanwhile
    const isOurs = isLying && isNew && mine.includes(state.view.active) && state.mine[state.view.active] !== undefined;
    if (!isOurs || room?.options.realDice || settings.roll === "self" || prefersCalm()) this.seat = null;
    else this.seat = state.view.active;
  }

  roll(): void {
    if (this.seat === null) return;
    this.seat = null;
    this.count += 1;
  }

  /** The story up to the roll that nobody has seen yet. */
  unseen(items: readonly FeedItem[]): readonly FeedItem[] {
    if (this.seat === null) return items;
    const last = items.findLastIndex(({ event }) => event.e === "rolled");
    return last < 0 ? items : items.slice(0, last);
  }

  /** Listen for a shake, and for the clock; gives what ends it. */
  wait(): (() => void) | undefined {
    if (this.seat === null) return undefined;
    const clock = this.table.endsAt === null ? undefined : setTimeout(() => this.roll(), PATIENCE);
    const shaken = ({ acceleration: a }: DeviceMotionEvent): void => {
      if (a && Math.hypot(a.x ?? 0, a.y ?? 0, a.z ?? 0) > SHAKE) this.roll();
    };
    if (settings.roll === "shake") addEventListener("devicemotion", shaken);
    return () => {
      clearTimeout(clock);
      removeEventListener("devicemotion", shaken);
    };
  }

  /** Some phones want to be asked whether a page may feel a shake, and only while they are tapped. */
  async allowShake(): Promise<void> {
    if (settings.roll !== "shake") return;
    await (globalThis.DeviceMotionEvent as Motion | undefined)?.requestPermission?.().catch(() => undefined);
  }
}
