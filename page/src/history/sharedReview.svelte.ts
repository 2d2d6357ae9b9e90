/** The review together: who leads it, where the leader points, and whether this page follows. */
import type { Table } from "../connection/table.svelte.ts";
import type { PointAt, SeatInfo } from "../protocol.ts";

/** A place in a review: a moment, a seat, a cell that is pointed at, a choice that is tried. */
export type Place = Required<Omit<PointAt, "t">>;

/** Milliseconds between two moves of the pointer: a finger on the graph makes many. */
const PAUSE = 150;

export function isSamePlace(one: Place, other: Place): boolean {
  return one.frame === other.frame && one.seat === other.seat && one.cell === other.cell && one.tried === other.tried;
}

export class SharedReview {
  /** Whether this page shows what the leader shows. */
  follows = $state(false);
  /** Whether the place of this page is the one that all see: a new leader begins where the last one pointed. */
  private isOwn = false;
  private waiting: Place | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** `follows`: begin at the leader's place, if anybody leads. */
  constructor(
    readonly table: Table,
    follows: boolean,
  ) {
    this.follows = follows;
  }

  /** Whether the table has told who leads, and where. */
  get isKnown(): boolean {
    return this.table.state !== null;
  }

  /** The seat that leads. */
  get leader(): number | null {
    return this.table.room?.leader ?? null;
  }

  get leads(): boolean {
    return this.leader !== null && this.table.mine.includes(this.leader);
  }

  /** Whether somebody leads whom this page follows. */
  get isFollowing(): boolean {
    return this.follows && this.leader !== null && !this.leads;
  }

  /** Whether the leader has left the table. */
  get isLeaderless(): boolean {
    return this.leader !== null && !this.table.room?.seats[this.leader]?.here;
  }

  /** Whether this page may lead now. */
  get canLead(): boolean {
    return this.table.mine.length > 0 && !this.leads && (this.leader === null || this.isLeaderless);
  }

  /** Whether the people of the table start another game, or others want to. */
  get isRematchWanted(): boolean {
    const { room, mine } = this.table;
    return room !== null && (room.next !== null || room.again.some((seat) => !mine.includes(seat)));
  }

  /** The people to whom the lead can be handed over. */
  get heirs(): SeatInfo[] {
    const seats = this.table.room?.seats ?? [];
    return seats.filter(({ seat, kind, here }) => kind === "person" && here && !this.table.mine.includes(seat));
  }

  name(seat: number): string {
    return this.table.name(seat);
  }

  /** The place that this page has to show now; null if it shows its own. */
  get shown(): Place | null {
    const { pointer } = this.table;
    if (!pointer || !(this.isFollowing || (this.leads && !this.isOwn))) return null;
    const { frame, seat, cell, tried } = pointer;
    return { frame, seat, cell, tried };
  }

  /** Lead from the first seat of this device. */
  lead(): void {
    this.isOwn = false;
    this.table.send({ t: "lead", seat: this.table.mine[0]! });
  }

  handOver(seat: number): void {
    this.follows = true;
    this.isOwn = false;
    this.table.send({ t: "lead", seat });
  }

  stop(): void {
    if (this.leads || this.isLeaderless) this.table.send({ t: "stopLeading" });
  }

  /** Show all others this place, as the leader. */
  point(place: Place): void {
    this.isOwn = true;
    const isPaused = this.waiting !== null || this.timer !== undefined;
    this.waiting = place;
    if (!isPaused) this.flush();
  }

  private flush(): void {
    this.timer = undefined;
    if (!this.waiting) return;
    if (this.leads) this.table.send({ t: "point", ...this.waiting });
    this.waiting = null;
    this.timer = setTimeout(() => this.flush(), PAUSE);
  }

  close(): void {
    clearTimeout(this.timer);
    if (this.leads) this.stop();
    this.table.close();
  }
}
