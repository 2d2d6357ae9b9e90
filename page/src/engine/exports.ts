// Generated from `qwixx.wasm.exports` by `python -m qwixx.wasm.generate_types`; do not edit.

/** The exports of the module; an argument named after an array is its address. */
export interface Exports {
  memory: WebAssembly.Memory;
  free: WebAssembly.Global;
  begin(layouts: number, states: number, seed: bigint, game: bigint, seats: number, first: number): void;
  player_stream_seed(seed: bigint, game: bigint): bigint;
  asked(layouts: number, states: number): number;
  roll(layouts: number, states: number, log: number): number;
  set_dice(layouts: number, states: number, faces: number, log: number): number;
  set_deck(layouts: number, states: number, deck: number, size: number, log: number): number;
  legal(layouts: number, states: number, seat: number, actions: number): number;
  refusal(layouts: number, states: number, seat: number, action: number): number;
  decide(layouts: number, states: number, seat: number, action: number, log: number): number;
  cross_in_setup(layouts: number, states: number, seat: number, cell: number): number;
  take_lock_back(states: number, seat: number, row: number): void;
  check_position(layouts: number, states: number, log: number, found: number): void;
  score(layouts: number, states: number, seat: number): number;
  winners(scores: number, scores_length: number): number;
  redact(layouts: number, states: number, copies: number, seat: number): void;
  row_points(layouts: number, crosses: number): number;
  supply(layouts: number, states: number, seat: number): number;
  top_number(states: number): number;
  number_for_all(state: number): number;
  reasons(layouts: number, states: number, seat: number, action: number, copies: number, log: number, facts: number, actions: number, out: number): void;
  find_play(layouts: number, hand: number, hand_length: number, played: number, played_length: number, crossed: number, crossed_length: number): number;
  choose(layouts: number, states: number, seats: number, tables: number, lucks: number, menus: number, actions: number): void;
}
