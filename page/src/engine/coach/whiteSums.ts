/** What the next white sum would bring: a small map of chance for one position before the roll. */
import { isNothing } from "../text/actionText.ts";
import type { LocalGame } from "../engineApi.ts";

/** One white sum, with the mean over white dice and color dice. */
export interface WhiteSum {
  sum: number;
  /** In how many of all rolls of the white dice it comes. */
  ways: number;
  /** The value to the seat: win probability, or points in solitaire. */
  value: number;
  /** The best choice for it; empty if only a pass is possible. */
  best: string;
}

/** Throws of the color dice for each pair of white dice, per side: every die shows each face so often. */
const ROUNDS = 2;

/** Return every white sum for a seat, smallest first; empty if no dice are to be rolled, or until the net is loaded. */
export function whiteSums(game: LocalGame, seat: number): WhiteSum[] {
  if (!game.awaitsChance || game.phase !== "roll") return [];
  const [sides = 0] = game.dice;
  const colors = colorThrows(sides, game.dice.length - 2);
  const found = new Map<number, { ways: number; value: number; choices: Map<string, number> }>();
  for (let one = 1; one <= sides; one++) {
    for (let other = one; other <= sides; other++) {
      const ways = one === other ? 1 : 2;
      const entry = found.get(one + other) ?? { ways: 0, value: 0, choices: new Map<string, number>() };
      found.set(one + other, entry);
      entry.ways += ways;
      for (const faces of colors) {
        const twin = game.copy();
        twin.setRoll(twin.rollOf([one, other, ...faces]));
        const judged = twin.judged();
        if (!judged) return [];
        const weight = ways / colors.length;
        entry.value += weight * judged.values[seat]!;
        for (const { action, values } of judged.choices?.get(seat) ?? [])
          entry.choices.set(action, (entry.choices.get(action) ?? 0) + weight * values[seat]!);
      }
    }
  }
  return [...found].map(([sum, { ways, value, choices }]) => {
    const [best = ""] = [...choices].sort(([, first], [, second]) => second - first)[0] ?? [];
    return { sum, ways, value: value / ways, best: isNothing(best) ? "" : best };
  });
}

/** The same throws for all white dice, so that luck with the colors does not blur the map; shuffled by a fixed generator. */
function colorThrows(sides: number, dice: number): number[][] {
  let luck = 1;
  const columns = Array.from({ length: dice }, () => {
    const faces = Array.from({ length: ROUNDS * sides }, (_, place) => (place % sides) + 1);
    for (let last = faces.length - 1; last > 0; last--) {
      luck = (luck * 16_807) % 2_147_483_647;
      const place = luck % (last + 1);
      [faces[last], faces[place]] = [faces[place]!, faces[last]!];
    }
    return faces;
  });
  return Array.from({ length: ROUNDS * sides }, (_, round) => columns.map((faces) => faces[round]!));
}
