/** Sitting at a sheet with dice: what a screen holds together for whoever plays, at a table and in a lesson. Made while a component begins. */
import { untrack } from "svelte";
import { Chains } from "./chains.svelte.ts";
import { Desk } from "./desk.svelte.ts";
import { hintsOf } from "./hints.ts";
import { t } from "./i18n.svelte.ts";
import { Matching, shareMatching } from "./matching.svelte.ts";
import { Rolling } from "./rolling.svelte.ts";
import { pencil, sound } from "./sound.ts";
import { statusText } from "./status.ts";
import type { Table } from "./table.svelte.ts";
import { cellLabel } from "./words.ts";

export class Sitting {
  readonly table: Table;
  readonly desk: Desk;
  readonly matching: Matching;
  readonly chains: Chains;
  readonly rolling: Rolling;
  readonly now = $derived.by(() => this.table.state!);
  readonly view = $derived.by(() => this.desk.view!);
  readonly layout = $derived.by(() => this.table.layout!);
  readonly isOver = $derived.by(() => this.view.phase === "over");
  readonly hints = $derived.by(() =>
    hintsOf(this.layout, this.view, this.desk.seat, this.desk.decides ? this.desk.lit : []),
  );
  /** A window of decisions and the seat in front: what was half chosen belongs to it. */
  readonly windowKey = $derived.by(() => `${this.now.phase}/${this.desk.seat}/${this.desk.legal.join()}`);
  readonly nameOf = (seat: number): string => this.table.name(seat);

  constructor(table: Table) {
    this.table = table;
    this.desk = new Desk(table);
    this.matching = shareMatching(
      new Matching(
        () => this.hints,
        () => this.desk.chosen,
      ),
    );
    this.chains = new Chains(table, this.desk);
    this.rolling = new Rolling(table);
    this.beginWindows();
    this.rollAndSound();
  }

  /** What is to be done now. */
  get asked(): string {
    const { desk, now, view, nameOf } = this;
    return statusText({
      state: now,
      view,
      seat: desk.seat,
      own: desk.own !== null,
      choice: desk.choice,
      takeSize: desk.composer.takeSize,
      nameOf,
    });
  }

  /** The same, but what a cell would set off is said before anything else; by touch the second tap crosses it. */
  get status(): string {
    const { chains, matching } = this;
    const chain = chains.of.get(chains.shown ?? matching.cell ?? "") ?? [];
    if (!chain.length) return this.asked;
    return t(chains.shown ? "status.chain.tap" : "status.chain", { cells: chain.map(cellLabel).join(" → ") });
  }

  readonly pick = (cell: string, byTouch: boolean): void => {
    if (!this.chains.showsFirst(cell, byTouch)) this.desk.tap(cell);
  };

  private beginWindows(): void {
    const { desk, matching, chains } = this;
    $effect(() => {
      void this.windowKey;
      desk.composer.reset(desk.legal);
      desk.tie = null;
      matching.die = null;
      untrack(() => void chains.look());
    });
    $effect(() => desk.foresee());
  }

  /** A roll of one's own is seen, heard and told when it is rolled. */
  private rollAndSound(): void {
    const { table, desk, rolling } = this;
    $effect.pre(() => {
      void table.latest;
      untrack(() => rolling.receive());
    });
    $effect.pre(() => {
      desk.held = rolling.seat !== null;
    });
    $effect(() => rolling.wait());
    $effect(() => {
      const { latest, mine } = table;
      untrack(() => sound(rolling.seat === null ? latest : latest.filter((event) => event.e !== "rolled"), mine));
    });
    $effect(() => {
      if (rolling.count) untrack(() => sound([{ e: "rolled", roll: "" }], table.mine));
    });
    $effect(() => {
      if (desk.choice) pencil();
    });
  }
}
