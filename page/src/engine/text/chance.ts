/** Dice and cards in a state of the WebAssembly module: rolls, deals and shuffles. */
import type { Words } from "../module.ts";
import type { Rules } from "../rules.ts";
import { bits } from "../bits.ts";

/** The white dice, which come before the color dice in a roll. */
export const WHITE_DICE = 2;

export function wordsOf(rules: Rules, state: Words, name: string, size: number): number[] {
  const begin = rules.module.tables.state.places[name]!;
  return [...state.subarray(begin, begin + size)];
}

function word(rules: Rules, state: Words, name: string): number {
  return wordsOf(rules, state, name, 1)[0]!;
}

/** The cards that are to be dealt or shuffled, in order. */
export function wholeDeck(rules: Rules, state: Words): number[] {
  const { module, at } = rules;
  if (word(rules, state, "phase") === module.tables.deal) {
    const size = module.layoutWords(at, "deck_size", 1)[0]!;
    return [...module.layoutWords(at, "deck", size)];
  }
  return wordsOf(rules, state, "discards", word(rules, state, "discarded")).sort((one, other) => one - other);
}

/** Set dice or cards by their text; returns the code of the refusal, 0 if there is none. Throws Unreadable. */
export function setChance(rules: Rules, state: Words, text: string): number {
  const { module, at, texts } = rules;
  if (word(rules, state, "phase") === module.tables.roll) return module.setDice(at, state, texts.readRoll(text));
  return module.setDeck(at, state, texts.readDeck(text, wholeDeck(rules, state)));
}

/** Write a throw of all dice as a roll of the dice that are still in the game. */
export function rollText(rules: Rules, state: Words, faces: readonly number[]): string {
  const gone = bits(word(rules, state, "gone"), rules.module.tables.sizes.COLORS);
  return rules.texts.roll(faces.map((face, die) => (gone.includes(die - WHITE_DICE) ? 0 : face)));
}

export function diceText(rules: Rules, state: Words): string {
  return rules.texts.roll(wordsOf(rules, state, "dice", WHITE_DICE + rules.module.tables.sizes.COLORS));
}

/** Write the cards in the order in which they were dealt or stacked. */
export function cardsText(rules: Rules, before: Words, state: Words): string {
  const { tables } = rules.module;
  const { DISPLAY, NO_CARD } = tables.sizes;
  const seats = Array.from({ length: word(rules, state, "seats") }, (_, seat) => rules.views.hand(state, seat) ?? []);
  const display = wordsOf(rules, state, "display", DISPLAY);
  const pile = wordsOf(rules, state, "pile", word(rules, state, "pile_size")).reverse();
  if (word(rules, before, "phase") === tables.deal) return rules.texts.deck([...seats.flat(), ...display, ...pile]);
  const earlier = wordsOf(rules, before, "display", DISPLAY);
  return rules.texts.deck([...display.filter((_, place) => earlier[place] === NO_CARD), ...pile]);
}
