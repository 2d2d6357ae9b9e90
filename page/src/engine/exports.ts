/** The functions of the compiled rules, as `qwixx.wasm.exports` lists them. */

/** The exports of the module; an argument named after an array is its address. */
export interface Exports {
  memory: WebAssembly.Memory;
  free: WebAssembly.Global;
  begin(layout: number, state: number, seed: bigint, game: bigint, seats: number, first: number): void;
  player_stream_seed(seed: bigint, game: bigint): bigint;
  asked(layout: number, state: number): number;
  roll(layout: number, state: number, trail: number): number;
  set_dice(layout: number, state: number, faces: number, trail: number): number;
  set_deck(layout: number, state: number, deck: number, size: number, trail: number): number;
  legal(layout: number, state: number, seat: number, actions: number): number;
  refusal(layout: number, state: number, seat: number, action: number): number;
  decide(layout: number, state: number, seat: number, action: number, trail: number): number;
  cross_in_setup(layout: number, state: number, seat: number, cell: number): number;
  take_lock_back(state: number, seat: number, row: number): void;
  shared_row(state: number): number;
  close_rows_and_find_end(layout: number, state: number, trail: number): number;
  bar_fits(layout: number, state: number, seat: number): number;
  score(layout: number, state: number, seat: number): number;
  winners(scores: number, count: number): number;
  redact(layout: number, state: number, copy: number, seat: number): void;
  row_points(layout: number, crosses: number): number;
  supply(layout: number, state: number, seat: number): number;
  number_for_all(state: number): number;
  top_number(state: number): number;
  reasons(
    layout: number,
    state: number,
    seat: number,
    action: number,
    twin: number,
    trail: number,
    facts: number,
    room: number,
    told: number,
  ): void;
  find_play(
    layout: number,
    hand: number,
    held: number,
    played: number,
    cards: number,
    crossed: number,
    cells: number,
  ): number;
  choose(
    layout: number,
    state: number,
    seat: number,
    seating: number,
    luck: number,
    menu: number,
    action: number,
  ): void;
}
