// The game that the peers play: classic Qwixx for two, with fewer checks than ours, which is in the peers' favor.
// `state` is a plain object, or a Colyseus schema with the same fields.

const WHITE_DICE = 2;
const ROWS = 4;
const PASS = ROWS;
const UNDECIDED = ROWS + 1;
const MISSES = 4;
const CLOSED_ROWS = 2;
const CLOSING_CROSSES = 5;

const freshSheet = () => ({ rows: Array.from({ length: ROWS }, () => ({ cells: [] })), misses: 0 });

/** A game before its first roll. */
exports.fresh = () => ({
  sheets: [freshSheet(), freshSheet()],
  closed: Array(ROWS).fill(false),
  dice: Array(WHITE_DICE + ROWS).fill(1),
  choices: [UNDECIDED, UNDECIDED],
  phase: 0,
  active: 0,
  isWhite: true,
  hasCrossed: false,
});

/** Roll all dice. */
const rollAll = (state, die) => {
  for (let at = 0; at < WHITE_DICE + ROWS; at++) state.dice[at] = die();
};
exports.rollAll = rollAll;

/** Cross a number in a row of a sheet, if the rules allow it; return whether it was crossed. */
function cross(state, seat, row, number) {
  if (row >= PASS || state.closed[row]) return false;
  const cells = state.sheets[seat].rows[row].cells;
  const isRising = row < ROWS / 2;
  const last = cells.length ? cells[cells.length - 1] : isRising ? 1 : 13;
  if (isRising ? number <= last : number >= last) return false;
  if (number === (isRising ? 12 : 2) && cells.length < CLOSING_CROSSES) return false;
  cells.push(number);
  return true;
}

function closeRows(state) {
  for (const sheet of state.sheets) {
    for (let row = 0; row < ROWS; row++) {
      const cells = sheet.rows[row].cells;
      if (cells.length && cells[cells.length - 1] === (row < ROWS / 2 ? 12 : 2)) state.closed[row] = true;
    }
  }
}

function isOver(state) {
  let closed = 0;
  for (let row = 0; row < ROWS; row++) closed += state.closed[row] ? 1 : 0;
  return closed >= CLOSED_ROWS || state.sheets[0].misses >= MISSES || state.sheets[1].misses >= MISSES;
}

function clear(state) {
  for (const sheet of state.sheets) {
    sheet.misses = 0;
    for (const row of sheet.rows) row.cells.splice(0, row.cells.length);
  }
  for (let row = 0; row < ROWS; row++) state.closed[row] = false;
}

/** Decide for a seat: a row, or PASS. Return false, and change nothing, if the seat may not decide now. */
exports.decide = (state, seat, row, die) => {
  if (!Number.isInteger(row) || row < 0 || row > PASS) return false;
  const white = state.dice[0] + state.dice[1];
  if (state.isWhite) {
    if (state.choices[seat] !== UNDECIDED) return false;
    state.choices[seat] = row;
    if (state.choices[0] === UNDECIDED || state.choices[1] === UNDECIDED) return true;
    for (const each of [0, 1]) {
      const hasCrossed = cross(state, each, state.choices[each], white);
      if (each === state.active) state.hasCrossed = hasCrossed;
    }
    state.choices[0] = state.choices[1] = UNDECIDED;
    state.isWhite = false;
  } else {
    if (seat !== state.active) return false;
    const number = row < PASS ? state.dice[0] + state.dice[WHITE_DICE + row] : 0;
    if (!cross(state, seat, row, number) && !state.hasCrossed) state.sheets[seat].misses++;
    state.active = 1 - seat;
    state.isWhite = true;
    rollAll(state, die);
  }
  closeRows(state);
  if (isOver(state)) clear(state);
  state.phase++;
  return true;
};
