"""
Whole solitaires played by the optimal player: step by step through the kernel, and on a fast path.

Both draw the same dice for the same seed and game and decide in the same way, so their scores must be equal, game by
game; `tests/solver/test_solve.py` compares them.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel import dice, flow
from qwixx.kernel.game_end import count_rows, dice_gone, ends_by_misses, ends_by_rows
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, COLORS, OVER, PASS, POSITIONS, ROWS, STATE, Ints, Record, Records
from qwixx.kernel.state.rng import seed_stream
from qwixx.kernel.window import is_lucky, rows_for_luck
from qwixx.solver.build.solution import Solution
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Policy, place
from qwixx.solver.lookahead.turn import TURN, gone_after_white
from qwixx.solver.play.choose import choose_optimal


@kernel
def _list_targets(layout: Record, fold: Record, state: Record, turn: Record) -> None:
    """List the cells that the color sums on the table reach and that lie right of all crosses (C1), by cell."""
    targets = 0
    for color in range(COLORS):
        for white in range(2):
            cell = dice.color_cell(layout, state, state.gone, color, white)
            slot = fold.slot_of[cell // POSITIONS]
            if cell < 0 or cell % POSITIONS < fold.next[slot, turn.rows[slot]]:
                continue
            at = targets
            while at > 0 and turn.total[at - 1] > cell:
                turn.total[at] = turn.total[at - 1]
                turn.slot[at] = turn.slot[at - 1]
                turn.position[at] = turn.position[at - 1]
                turn.color[at] = turn.color[at - 1]
                at -= 1
            turn.total[at] = cell
            turn.slot[at] = slot
            turn.position[at] = cell % POSITIONS
            turn.color[at] = color
            targets += 1
    turn.targets = targets


@kernel
def _best_target(fold: Record, policy: Policy, turn: Record, miss: int, gone: int) -> int:
    """Find the cell that a color sum best crosses from `turn.rows`, PASS for none; its value goes to `turn.one[1]`."""
    rows = turn.rows
    choice = PASS
    best = turn.one[1]
    for target in range(turn.targets):
        slot = turn.slot[target]
        before = rows[slot]
        after = fold.to[slot, before, turn.position[target]]
        if after >= 0 and not gone >> turn.color[target] & 1:
            rows[slot] = after
            at = place(fold, rows[0], rows[1], rows[2], rows[3])
            rows[slot] = before
            worth = fold.gain[slot, before, turn.position[target]] + policy[miss, at]
            if worth > best or (worth == best and choice == PASS):
                best = worth
                choice = turn.total[target]
    turn.one[1] = best
    return int(choice)


@kernel
def _cross(layout: Record, fold: Record, turn: Record, state: Record, cell: int) -> int:
    """Cross a cell; return its points."""
    slot = fold.slot_of[cell // POSITIONS]
    before = turn.rows[slot]
    after = fold.to[slot, before, cell % POSITIONS]
    turn.rows[slot] = after
    if after == fold.shut[slot]:
        closed = state.closed | 1 << cell // POSITIONS
        state.closed = closed
        state.gone = dice_gone(layout, closed)
    return int(fold.gain[slot, before, cell % POSITIONS])


@kernel
def _try_white(layout: Record, fold: Record, policy: Policy, state: Record, turn: Record, miss: int, cell: int) -> int:
    """Find the best color sum after a white one; the value of both goes to `turn.one[1]`."""
    slot = fold.slot_of[cell // POSITIONS]
    before = turn.rows[slot]
    after = fold.to[slot, before, cell % POSITIONS]
    gone = state.gone
    if after == fold.shut[slot]:
        gone = gone_after_white(layout, state.closed | 1 << cell // POSITIONS)
    turn.rows[slot] = after
    turn.one[1] = policy[miss, place(fold, turn.rows[0], turn.rows[1], turn.rows[2], turn.rows[3])]
    target = _best_target(fold, policy, turn, miss, gone)
    turn.rows[slot] = before
    turn.one[1] += fold.gain[slot, before, cell % POSITIONS]
    return target


@kernel
def _play_turn(layout: Record, fold: Record, policy: Policy, state: Record, turn: Record, miss: int) -> int:
    """Play the roll on the table as well as possible; return its points, or -1 for a miss."""
    rows = turn.rows
    total = state.dice[0] + state.dice[1]
    lucky = 0
    if fold.lucky[0] and is_lucky(turn, total):
        for row in range(ROWS):
            turn.count[row] = fold.count[fold.slot_of[row], rows[fold.slot_of[row]]]
        lucky = rows_for_luck(turn, state.closed)
    _list_targets(layout, fold, state, turn)
    best = -np.inf
    choice = PASS
    target = PASS
    for row in range(ROWS):
        slot = fold.slot_of[row]
        first = fold.next[slot, rows[slot]]
        spot = layout.white_spots[total, row]
        for is_sum in range(2):
            position = spot if is_sum else first
            if is_sum == 0 and (position == spot or not lucky >> row & 1):
                continue
            if position < 0 or fold.to[slot, rows[slot], position] < 0:
                continue
            after = _try_white(layout, fold, policy, state, turn, miss, row * POSITIONS + position)
            if turn.one[1] > best:
                best = turn.one[1]
                choice = row * POSITIONS + position
                target = after
    turn.one[1] = -fold.miss_points
    if not ends_by_misses(fold, miss + 1):
        turn.one[1] += policy[miss + 1, place(fold, rows[0], rows[1], rows[2], rows[3])]
    after = _best_target(fold, policy, turn, miss, state.gone)
    if turn.one[1] > best:
        choice = PASS
        target = after
    if choice == PASS and target == PASS:
        return -1
    points = 0
    if choice != PASS:
        points += _cross(layout, fold, turn, state, choice)
    if target != PASS:
        points += _cross(layout, fold, turn, state, target)
    return points


@kernel
def play_solitaire(layout: Record, fold: Record, policy: Policy, state: Record, turn: Record, result: Record) -> None:
    """
    Play a solitaire that has begun, tracking only classes of rows, misses and dice.

    Only the result is written; the sheet stays empty.
    """
    sheet = state.sheets[0]
    turn.rows[:] = 0
    turn.lucky[0] = sheet.lucky[0]
    turn.lucky[1] = sheet.lucky[1]
    score = 0
    rolls = 0
    while not (ends_by_misses(fold, sheet.misses) or ends_by_rows(fold, state.closed)):
        dice.roll(layout, state)
        rolls += 1
        points = _play_turn(layout, fold, policy, state, turn, sheet.misses)
        if points < 0:
            sheet.misses += 1
            score -= fold.miss_points
        else:
            score += points
    result.turns = rolls
    result.ending = flow.ending_of(layout, state)
    result.score[0] = score
    result.misses[0] = sheet.misses
    result.locks[0] = count_rows(state.closed)


@eager_entry
def _play_fast(
    layouts: Records,
    folds: Records,
    policy: Policy,
    states: Records,
    turns: Records,
    lucky: Ints,
    seed: np.uint64,
    first: int,
    results: Records,
) -> None:
    """Play solitaires as fast as possible."""
    state = states[0]
    for game in range(results.shape[0]):
        seed_stream(state, seed, np.uint64(first + game))
        flow.begin(layouts[0], state, 1, 0)
        state.sheets[0].lucky[0] = lucky[0]
        state.sheets[0].lucky[1] = lucky[1]
        play_solitaire(layouts[0], folds[0], policy, state, turns[0], results[game])


@eager_entry
def _play_steps(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    policy: Policy,
    states: Records,
    lucky: Ints,
    actions: Ints,
    log: Ints,
    seed: np.uint64,
    first: int,
    scores: Ints,
) -> None:
    """Play solitaires through the kernel's own steps."""
    layout = layouts[0]
    state = states[0]
    for game in range(scores.shape[0]):
        seed_stream(state, seed, np.uint64(first + game))
        flow.begin(layout, state, 1, 0)
        state.sheets[0].lucky[0] = lucky[0]
        state.sheets[0].lucky[1] = lucky[1]
        while state.phase != OVER:
            if state.waiting == 0:
                flow.roll(layout, state, log)
            else:
                count = flow.legal(layout, state, 0, actions)
                choice = choose_optimal(layout, folds[0], firsts, policy, state, 0, actions, count)
                flow.decide(layout, state, 0, choice, log)
        scores[game] = flow.score(layout, state, 0)


def _lucky(solution: Solution) -> Ints:
    return np.array(solution.lucky or (0, 0), np.int32)


def play_steps(solution: Solution, games: int, seed: int = 0, first: int = 0) -> Ints:
    """Play solitaires `first`, `first + 1`, ... of a run through the kernel's own steps; return their scores."""
    scores = np.zeros(games, np.int32)
    _play_steps(
        solution.layouts,
        solution.folds,
        solution.firsts,
        solution.policy,
        np.zeros(1, STATE),
        _lucky(solution),
        np.zeros(ACTIONS, np.int32),
        new_log(),
        np.uint64(seed),
        first,
        scores,
    )
    return scores


def play_optimal(solution: Solution, games: int, seed: int = 0, first: int = 0) -> Ints:
    """
    Play solitaires `first`, `first + 1`, ... of a run as fast as possible; return their scores.

    Sheets with marked cells have no fast path; they use the kernel's steps.
    """
    if solution.folds[0].remembers:
        return play_steps(solution, games, seed, first)
    states: Records = np.zeros(1, STATE)
    turns: Records = np.zeros(1, TURN)
    results: Records = np.zeros(games, RESULT)
    _play_fast(
        solution.layouts,
        solution.folds,
        solution.policy,
        states,
        turns,
        _lucky(solution),
        np.uint64(seed),
        first,
        results,
    )
    return np.ascontiguousarray(results["score"][:, 0])
