/** How the end of a game unfolds: the last roll is seen, then the points are counted up column by column, then it is told who has won. */

/** How long the last roll and what became of it lie there before the count begins. */
const SEEN = 3_200;
const BETWEEN = 620;

export class Ending {
  /** Whether the last roll still lies there. */
  seeing = $state(false);
  /** How many columns of the result are counted; as many as there are when it is done. */
  counted = $state(Infinity);
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly done = $derived(!this.seeing && this.counted === Infinity);

  /** Let it unfold, so many columns; whoever comes later, or wants no motion, finds it done. */
  begin(columns: number): void {
    this.seeing = true;
    this.counted = 0;
    this.timer = setTimeout(() => this.count(columns), SEEN);
  }

  /** Do not wait for the count to begin. */
  count(columns: number): void {
    clearTimeout(this.timer);
    this.seeing = false;
    this.counted = 0;
    this.timer = setTimeout(() => this.next(columns), BETWEEN);
  }

  /** Do not wait for anything. */
  finish(): void {
    clearTimeout(this.timer);
    this.seeing = false;
    this.counted = Infinity;
  }

  private next(columns: number): void {
    this.counted += 1;
    if (this.counted > columns) this.finish();
    else this.timer = setTimeout(() => this.next(columns), BETWEEN);
  }
}
