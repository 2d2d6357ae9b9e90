/** What happens at a local table without anybody tapping: bots take a moment to decide, and a clock may run. */

/** Calls each bot that owes a decision, once a phase, after a moment that differs a little each time. */
export class Bots {
  private readonly asked = new Map<number, number>();
  private readonly waiting = new Set<ReturnType<typeof setTimeout>>();

  constructor(
    /** How long a bot seems to think, in seconds. */
    private readonly seconds: number,
    private readonly think: (seat: number, phase: number) => void,
  ) {}

  look(seats: number[], phase: number): void {
    for (const seat of seats) {
      if (this.asked.get(seat) === phase) continue;
      this.asked.set(seat, phase);
      const timer = setTimeout(
        () => {
          this.waiting.delete(timer);
          this.think(seat, phase);
        },
        this.seconds * 1000 * (0.6 + 0.8 * Math.random()),
      );
      this.waiting.add(timer);
    }
  }

  /** The table is not what it was: whoever is asked now is asked again. */
  forget(): void {
    this.asked.clear();
  }

  stop(): void {
    for (const timer of this.waiting) clearTimeout(timer);
    this.waiting.clear();
  }
}

/** The clock of a table: it begins anew with every phase. */
export class Clock {
  private phase = -1;
  private endsAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly ring: (phase: number) => void) {}

  /** Run for so many seconds in this phase, unless it runs already; 0: no clock. */
  set(phase: number, seconds: number): void {
    if (seconds && phase === this.phase) return;
    clearTimeout(this.timer);
    this.phase = seconds ? phase : -1;
    if (!seconds) return;
    this.endsAt = Date.now() + seconds * 1000;
    this.timer = setTimeout(() => this.ring(phase), seconds * 1000);
  }

  /** Seconds that are left, null without a clock. */
  left(): number | null {
    return this.phase < 0 ? null : Math.max(0, (this.endsAt - Date.now()) / 1000);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.phase = -1;
  }
}
