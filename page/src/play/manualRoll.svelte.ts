/**
 * Rolling the dice by hand: the player's own roll stays hidden until a tap or a shake of the phone.
 *
 * The table has rolled already and the faces cannot change; this only decides when they are shown.
 */
import { prefersReducedMotion, settings } from "../device/settings.svelte.ts";
import type { FeedItem } from "../house.ts";
import type { Beat } from "./beat.svelte.ts";
import type { Table } from "../connection/table.svelte.ts";

/** A shake exceeds this acceleration, in meters per second squared; walking stays below it. */
const SHAKE_ACCELERATION = 22;
/** While a clock runs, the dice roll by themselves after this time. */
const MAX_WAIT_MS = 2_500;

type Motion = typeof DeviceMotionEvent & { requestPermission?: () => Promise<string> };

export class ManualRoll {
  /** The seat that has not rolled yet; null if there is nothing to roll. */
  seat = $state<number | null>(null);
  /** Counts the rolls by hand, so that each one is animated. */
  count = $state(0);

  constructor(
    private readonly table: Table,
    private readonly beat: Beat,
  ) {}

  /** Whether the latest roll is still hidden: it was not rolled by hand yet, or the dice still fly. */
  get isHidden(): boolean {
    return this.seat !== null || this.beat.stage === "flying";
  }

  /** Handle a new roll: ask the active seat of this device to roll, unless dice roll by themselves here. Real dice do not fly. */
  receive(): void {
    const { latest, state, room, mine } = this.table;
    const isLying = state?.view.phase === "white";
    const isNew = latest.some((event) => event.e === "rolled");
    if (isLying && !isNew && this.seat === state.view.active) return; // others decide meanwhile
    const isOurs = isLying && isNew && mine.includes(state.view.active) && state.mine[state.view.active] !== undefined;
    const isReal = room?.options.realDice;
    this.seat = isOurs && !isReal && settings.roll !== "self" && !prefersReducedMotion() ? state.view.active : null;
    if (this.seat !== null) this.beat.skip();
    else if (isLying && isNew && !isReal) this.beat.start();
  }

  roll(): void {
    if (this.seat === null) return;
    this.seat = null;
    this.count += 1;
    this.beat.start();
  }

  /** Return the feed without the roll that is still hidden. */
  withoutUnseenRoll(items: readonly FeedItem[]): readonly FeedItem[] {
    if (!this.isHidden) return items;
    const last = items.findLastIndex(({ event }) => event.e === "rolled");
    return last < 0 ? items : items.slice(0, last);
  }

  /** Wait for a shake, or for the clock. Return a function that stops waiting. */
  wait(): (() => void) | undefined {
    if (this.seat === null) return undefined;
    const clock = this.table.endsAt === null ? undefined : setTimeout(() => this.roll(), MAX_WAIT_MS);
    const shaken = ({ acceleration: a }: DeviceMotionEvent): void => {
      if (a && Math.hypot(a.x ?? 0, a.y ?? 0, a.z ?? 0) > SHAKE_ACCELERATION) this.roll();
    };
    if (settings.roll === "shake") addEventListener("devicemotion", shaken);
    return () => {
      clearTimeout(clock);
      removeEventListener("devicemotion", shaken);
    };
  }

  /** Ask for permission to use the motion sensor: some phones require it, and only during a tap. */
  async allowShake(): Promise<void> {
    if (settings.roll !== "shake") return;
    await (globalThis.DeviceMotionEvent as Motion | undefined)?.requestPermission?.().catch(() => undefined);
  }
}
