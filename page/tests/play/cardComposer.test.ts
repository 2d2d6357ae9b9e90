/** The composer: only legal actions can be composed. */
import { beforeEach, describe, expect, test } from "vitest";
import { CardComposer } from "../../src/play/cardComposer.svelte.ts";

let composer: CardComposer;
beforeEach(() => {
  composer = new CardComposer();
});

describe("drawing", () => {
  test("one card: choosing another replaces it, choosing it again removes it", () => {
    composer.reset(["take:1", "take:2", "take:4"]);
    expect(composer.takeSize).toBe(1);
    expect(composer.takeAction).toBeNull();
    composer.toggleTake(2);
    expect(composer.takeAction).toBe("take:2");
    composer.toggleTake(4);
    expect(composer.takeAction).toBe("take:4");
    composer.toggleTake(4);
    expect(composer.takeAction).toBeNull();
  });

  test("a place without a legal action cannot be taken", () => {
    composer.reset(["take:1", "take:2"]);
    expect(composer.canTake(3)).toBe(false);
    composer.toggleTake(3);
    expect(composer.places).toEqual([]);
  });

  test("two cards: in any order, and a third is not added", () => {
    composer.reset(["take:1,2", "take:1,3", "take:2,3"]);
    composer.toggleTake(3);
    expect(composer.takeAction).toBeNull();
    composer.toggleTake(1);
    expect(composer.takeAction).toBe("take:1,3");
    expect(composer.canTake(2)).toBe(false);
    composer.toggleTake(2);
    expect(composer.places).toEqual([3, 1]);
  });
});

describe("playing", () => {
  const LEGAL = [
    "play:r4",
    "play:r4=r4",
    "play:r5",
    "play:r5=r5",
    "play:g9",
    "play:r4,r5",
    "play:r4,r5=r4",
    "play:r4,r5=r5",
    "play:r4,r5=r4,r5",
  ];

  beforeEach(() => composer.reset(LEGAL));

  test("a card crosses as much as it can, and the player may remove a cell", () => {
    composer.toggleCard("r4");
    expect(composer.playAction).toBe("play:r4=r4");
    composer.toggleCell("r4");
    expect(composer.playAction).toBe("play:r4");
    composer.toggleCell("r4");
    expect(composer.playAction).toBe("play:r4=r4");
  });

  test("cards of one color are added; a card that does not fit starts again", () => {
    composer.toggleCard("r5");
    expect(composer.canPlay("r4")).toBe(true);
    expect(composer.canPlay("g9")).toBe(false);
    composer.toggleCard("r4");
    expect(composer.playAction).toBe("play:r4,r5=r4,r5");
    expect([...composer.offered].sort()).toEqual(["r4", "r5"]);
    composer.toggleCell("r5");
    expect(composer.playAction).toBe("play:r4,r5=r4");
    composer.toggleCard("g9");
    expect(composer.cards).toEqual(["g9"]);
    expect(composer.playAction).toBe("play:g9");
  });

  test("of two cells that exclude each other, the tapped one stays", () => {
    composer.reset(["play:j4,j6", "play:j4,j6=r4", "play:j4,j6=g6"]);
    composer.toggleCard("j4");
    composer.toggleCard("j6");
    composer.toggleCell("g6");
    expect(composer.cells).toEqual(["g6"]);
    composer.toggleCell("r4");
    expect(composer.cells).toEqual(["r4"]);
  });

  test("without a card there is no play; a new list starts again", () => {
    expect(composer.playAction).toBeNull();
    composer.toggleCard("r4");
    composer.reset(["pass"]);
    expect(composer.cards).toEqual([]);
    expect(composer.playAction).toBeNull();
    expect(composer.plays).toEqual([]);
  });
});
