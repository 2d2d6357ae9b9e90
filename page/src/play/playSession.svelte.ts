/** Everything that a screen with a playable sheet needs, at a table and in a lesson. Create it while a component initializes. */
import { untrack } from "svelte";
import { Beat, provideBeat } from "./beat.svelte.ts";
import { BonusPreviews } from "./bonusPreview.svelte.ts";
import { SeatController } from "./seatController.svelte.ts";
import { announcedRows, announcedText } from "./announcedClosings.ts";
import { cellNotesOf } from "./cellNotes.ts";
import { t } from "../words/i18n.svelte.ts";
import { DiceHighlight, provideDiceHighlight } from "./diceHighlight.svelte.ts";
import { Moments, momentsOf } from "./moments.svelte.ts";
import { ManualRoll } from "./manualRoll.svelte.ts";
import { pencil, sound, tick } from "../device/sound.ts";
import { statusText } from "./statusLine.ts";
import type { Table } from "../connection/table.svelte.ts";
import { cellLabel } from "../words/labels.ts";

export class PlaySession {
  readonly table: Table;
  readonly controller: SeatController;
  readonly highlight: DiceHighlight;
  readonly bonusPreviews: BonusPreviews;
  readonly beat: Beat;
  readonly rolling: ManualRoll;
  readonly moments = new Moments();
  readonly now = $derived.by(() => this.table.state!);
  readonly view = $derived.by(() => this.controller.view!);
  readonly layout = $derived.by(() => this.table.layout!);
  readonly isOver = $derived.by(() => this.view.phase === "over");
  readonly notes = $derived.by(() =>
    cellNotesOf(this.layout, this.view, this.controller.seat, this.controller.decides ? this.controller.lit : []),
  );
  /** The decision window and the seat in front: a half-composed action belongs to it. */
  readonly windowKey = $derived.by(() => `${this.now.phase}/${this.controller.seat}/${this.controller.legal.join()}`);
  readonly nameOf = (seat: number): string => this.table.name(seat);

  constructor(table: Table) {
    this.table = table;
    this.controller = new SeatController(table);
    this.highlight = provideDiceHighlight(
      new DiceHighlight(
        () => this.notes,
        () => this.controller.chosen,
      ),
    );
    this.bonusPreviews = new BonusPreviews(table, this.controller);
    this.beat = provideBeat(new Beat((holds) => table.holdStates(holds)));
    this.rolling = new ManualRoll(table, this.beat);
    this.beginWindows();
    this.rollAndSound();
  }

  /** Who closes which row in the open window. */
  readonly announced = $derived.by(() => announcedRows(this.now));
  readonly announcement = $derived.by(() =>
    announcedText(this.now, this.controller.seat, this.controller.choice, this.nameOf),
  );

  /** Says what the player has to do now; empty while the dice fly. */
  get asked(): string {
    const { controller, now, view, nameOf } = this;
    if (this.beat.stage === "flying") return "";
    return statusText({
      state: now,
      view,
      seat: controller.seat,
      own: controller.own !== null,
      choice: controller.choice,
      takeSize: controller.composer.takeSize,
      nameOf,
    });
  }

  /** The same, but the bonuses of a previewed cell come first; by touch, the second tap crosses that cell. */
  get status(): string {
    const { bonusPreviews, highlight } = this;
    if (this.beat.stage === "flying") return t("status.dice");
    const chain = bonusPreviews.of.get(bonusPreviews.shown ?? highlight.cell ?? "") ?? [];
    if (!chain.length) return this.asked;
    return t(bonusPreviews.shown ? "status.chain.tap" : "status.chain", { cells: chain.map(cellLabel).join(" → ") });
  }

  readonly pick = (cell: string, byTouch: boolean): void => {
    if (!this.bonusPreviews.showsFirst(cell, byTouch)) this.controller.tap(cell);
  };

  private beginWindows(): void {
    const { controller, highlight, bonusPreviews } = this;
    $effect(() => {
      void this.windowKey;
      controller.composer.reset(controller.legal);
      controller.tie = null;
      highlight.die = null;
      untrack(() => void bonusPreviews.refresh());
    });
    $effect(() => controller.previewConsequences());
  }

  /** Show, sound and announce the player's own roll when they roll it. */
  private rollAndSound(): void {
    const { table, controller, rolling, beat } = this;
    $effect.pre(() => {
      void table.latest;
      untrack(() => rolling.receive());
    });
    $effect.pre(() => {
      controller.awaitsRoll = rolling.seat !== null || beat.stage !== "cells";
    });
    $effect(() => rolling.wait());
    $effect(() => beat.skipByTap());
    $effect(() => () => beat.skip());
    $effect(() => {
      const { latest, mine } = table;
      untrack(() => sound(rolling.seat === null ? latest : latest.filter((event) => event.e !== "rolled"), mine));
    });
    $effect(() => {
      if (rolling.count) untrack(() => sound([{ e: "rolled", roll: "" }], table.mine));
    });
    $effect(() => {
      if (beat.stage === "sum") tick();
    });
    $effect(() => {
      if (controller.choice) pencil();
    });
    $effect(() => {
      const { latest, mine } = table;
      return untrack(() => this.moments.show(momentsOf(latest, this.view, this.layout, mine, this.nameOf)));
    });
  }
}
