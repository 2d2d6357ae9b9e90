/** The sequence at the end of a game: the last roll is shown, then the points column by column, then the winner. */

/** How long the last roll is shown before the points. */
const LAST_ROLL_MS = 3_200;
const COLUMN_MS = 620;

export class EndSequence {
  /** Whether the last roll is still shown. */
  showsLastRoll = $state(false);
  /** How many columns of the result are shown; Infinity once all are. */
  counted = $state(Infinity);
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly done = $derived(!this.showsLastRoll && this.counted === Infinity);

  /** Start the sequence. A page that is opened later, or that reduces motion, does not start it and shows the end. */
  begin(columns: number): void {
    this.showsLastRoll = true;
    this.counted = 0;
    this.timer = setTimeout(() => this.count(columns), LAST_ROLL_MS);
  }

  /** Skip the last roll and start with the points. */
  count(columns: number): void {
    clearTimeout(this.timer);
    this.showsLastRoll = false;
    this.counted = 0;
    this.timer = setTimeout(() => this.next(columns), COLUMN_MS);
  }

  /** Skip to the end. */
  finish(): void {
    clearTimeout(this.timer);
    this.showsLastRoll = false;
    this.counted = Infinity;
  }

  private next(columns: number): void {
    this.counted += 1;
    if (this.counted > columns) this.finish();
    else this.timer = setTimeout(() => this.next(columns), COLUMN_MS);
  }
}
