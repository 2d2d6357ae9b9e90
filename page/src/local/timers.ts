/** Timers of a local table: bots decide after a moment, and a clock may run. */

/** Lets each bot decide once per phase, after a delay that varies a little. */
export class BotTimers {
  private readonly asked = new Map<number, number>();
  private readonly waiting = new Set<ReturnType<typeof setTimeout>>();

  constructor(private readonly think: (seat: number, phase: number) => void) {}

  /** Let bots decide after some seconds, more or less. */
  schedule(seats: number[], phase: number, seconds: number): void {
    for (const seat of seats) {
      if (this.asked.get(seat) === phase) continue;
      this.asked.set(seat, phase);
      const timer = setTimeout(
        () => {
          this.waiting.delete(timer);
          this.think(seat, phase);
        },
        seconds * 1000 * (0.6 + 0.8 * Math.random()),
      );
      this.waiting.add(timer);
    }
  }

  /** The table has changed: bots that were scheduled before are scheduled again. */
  reset(): void {
    this.asked.clear();
  }

  stop(): void {
    for (const timer of this.waiting) clearTimeout(timer);
    this.waiting.clear();
  }
}

/** The clock of a table: it restarts with every phase. */
export class Clock {
  private phase = -1;
  private endsAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly onTimeout: (phase: number) => void) {}

  /** Run for some seconds in this phase, unless it runs already; 0 means no clock. */
  set(phase: number, seconds: number): void {
    if (seconds && phase === this.phase) return;
    clearTimeout(this.timer);
    this.phase = seconds ? phase : -1;
    if (!seconds) return;
    this.endsAt = Date.now() + seconds * 1000;
    this.timer = setTimeout(() => this.onTimeout(phase), seconds * 1000);
  }

  /** Return the seconds that are left; null without a clock. */
  secondsLeft(): number | null {
    return this.phase < 0 ? null : Math.max(0, (this.endsAt - Date.now()) / 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.phase = -1;
  }
}
