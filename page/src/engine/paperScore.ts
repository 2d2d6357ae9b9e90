/**
 * Scores paper sheets: the kernel crosses the cells, refuses impossible crosses, and computes the score.
 *
 * This works like reading a position line in Python (`game/position/read.py`). An impossible cross is left out and reported, so
 * that the rest can still be scored.
 */
import type { View } from "../protocol.ts";
import type { Words } from "./module.ts";
import type { Rules } from "./rules.ts";
import { bits } from "./bits.ts";
import type { Refusal } from "./text/refusals.ts";

/** A paper sheet. */
export interface PaperSheet {
  /** Crossed cells, such as `r7`, with the number of crosses: more than one is a stack of pawns. */
  cells: Record<string, number>;
  misses: number;
  /** Bonus bar: the used places, counted from 1; empty if the players did not mark them. */
  used: number[];
  /** Duel: rows closed with the last pawn, so that there is no pawn on the lock. */
  bare: string[];
}

export interface Paper {
  variant: string;
  sheet: string;
  sheets: PaperSheet[];
}

/** An error on a sheet: a cross with the rule that refuses it, or a problem of a whole sheet or row. */
export type Slip =
  | { kind: "cross"; seat: number; cell: string; why: Refusal }
  | { kind: "bar"; seat: number }
  | { kind: "pawns"; seat: number; most: number }
  | { kind: "misses"; most: number }
  | { kind: "shared"; cells: string[] };

export interface Counted {
  /** The table as the rules see it, with points row by row. */
  view: View;
  winners: number[];
  slips: Slip[];
}

/** Score the sheets of a table. Missing seats get empty sheets, which are removed from the result. */
export function countPaper(rules: Rules, sheets: PaperSheet[]): Counted {
  const { module, at, game } = rules;
  const { state: fields, sheet: places } = module.tables;
  const seats = Math.max(game.seats[0], sheets.length);
  const state = module.begin(at, 0n, seats, 0);
  const slips: Slip[] = [];
  for (const [seat, sheet] of sheets.entries()) {
    slips.push(...layOut(rules, state, seat, sheet));
    const begin = fields.places.sheets! + seat * places.words;
    state[begin + places.places.misses!] = sheet.misses;
    if (places.places.used !== undefined)
      state[begin + places.places.used] = mask(sheet.used.map((place) => place - 1));
  }
  if (game.isDuel) slips.push(...board(rules, state, sheets));
  state[fields.places.ending!] = module.settle(at, state);
  for (const [seat, sheet] of sheets.entries()) {
    if (sheet.used.length && !module.barFits(at, state, seat)) slips.push({ kind: "bar", seat });
  }
  const view = rules.views.view(state, null);
  view.sheets = view.sheets.slice(0, sheets.length);
  view.seats = sheets.length;
  return { view, winners: bits(module.winners(view.sheets.map((sheet) => sheet.score)), sheets.length), slips };
}

/** Cross the cells of one sheet from left to right; in the duel on a separate board, since the other player's pawns may have come later. */
function layOut(rules: Rules, state: Words, seat: number, sheet: PaperSheet): Slip[] {
  const { module, at, game, texts, whys } = rules;
  const own = game.isDuel ? module.begin(at, 0n, game.seats[0], 0) : state;
  const slips: Slip[] = [];
  const cells = Object.keys(sheet.cells).map((name) => texts.readCell(name));
  for (const cell of cells.sort((one, other) => one - other)) {
    for (let pawn = 0; pawn < sheet.cells[texts.cell(cell)]!; pawn++) {
      const reason = module.lay(at, own, seat, cell);
      if (!reason) continue;
      slips.push({ kind: "cross", seat, cell: texts.cell(cell), why: whys.action(own, seat, cell, [], reason) });
      break;
    }
  }
  if (game.isDuel) {
    for (const [row, { key }] of game.rows.entries()) if (sheet.bare.includes(key)) takeLockBack(rules, own, seat, row);
    copySeat(rules, own, state, seat);
  }
  return slips;
}

function takeLockBack({ module }: Rules, state: Words, seat: number, row: number): void {
  const { sheet, state: fields } = module.tables;
  const locks = state[fields.places.sheets! + seat * sheet.words + sheet.places.locks!]!;
  if ((locks >> row) & 1) module.takeLockBack(state, seat, row);
}

/** Copy the pawns of one player to the shared board. */
function copySeat({ module }: Rules, from: Words, to: Words, seat: number): void {
  const { sheet, sizes, state: fields } = module.tables;
  const pawns = sizes.ROWS * sizes.POSITIONS;
  for (const [begin, count] of [
    [fields.places.sheets! + seat * sheet.words, sheet.words],
    [fields.places.board! + seat * pawns, pawns],
  ] as const) {
    to.set(from.subarray(begin, begin + count), begin);
  }
}

/** Return the errors of a shared board: a cell with pawns of both, too many pawns, too many misses. */
function board({ module, at, game }: Rules, state: Words, sheets: PaperSheet[]): Slip[] {
  const slips: Slip[] = [];
  if (module.sharedRow(state) >= 0)
    slips.push({ kind: "shared", cells: Object.keys(sheets[0]!.cells).filter((cell) => sheets[1]!.cells[cell]) });
  const layout = module.tables.catalogue.games.find((each) => each.id === game.id)!.layouts[game.sheet || game.id]!;
  const most = layout.pawns;
  for (const seat of sheets.keys()) if (module.supply(at, state, seat) < 0) slips.push({ kind: "pawns", seat, most });
  if (sheets.reduce((sum, sheet) => sum + sheet.misses, 0) > layout.misses)
    slips.push({ kind: "misses", most: layout.misses });
  return slips;
}

function mask(places: number[]): number {
  return places.reduce((found, place) => found | (1 << place), 0);
}
