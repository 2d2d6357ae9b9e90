"""
The exact score of a player that ranks cells: it takes the cheapest cell of each decision, or passes.

Such a player decides on the white sum without a look at the color dice, and then among the color sums. Within one
decision a cell is better than another on any roll, so an average over the dice needs no list of rolls: the cheapest
color sum comes first, as in `lookahead.roll_average`. A share of its decisions may be random.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from qwixx.jit.decorators import eager_entry, kernel
from qwixx.kernel.state.records import CELLS, COLORS, Ints, Record, Records
from qwixx.solver.build.induction import Report, induce
from qwixx.solver.build.plan import Plan, check_memory, plan
from qwixx.solver.build.sweep import lower_range, set_rows
from qwixx.solver.encoding.marked_state import Firsts
from qwixx.solver.encoding.sheet_index import Values, place
from qwixx.solver.lookahead.leaves import look_ahead
from qwixx.solver.lookahead.roll_average import face_shares, note_faces, share_uses, value_leaves
from qwixx.solver.lookahead.turn import PASSED, TURN
from qwixx.solver.policies.counted_sheet import refuse_marked
from qwixx.variants.model import Pad, Variant

_MOST_CELLS: Final = 2 * COLORS
"""The most color sums that can be crossed in one roll."""
_FACES: Final = 10


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """A player that takes the cheapest cell, the first of equals, and passes if even that costs too much."""

    costs: Ints
    """By row, first crossable position of the row, and position: the cost of crossing a cell."""
    most: int
    """The highest cost that it accepts."""
    most_or_miss: int
    """The same where passing means a miss (C6)."""
    random_share: float
    """The share of its decisions that are random, all legal actions being equally likely."""


@kernel
def _cost(fold: Record, turn: Record, costs: Ints, option: int, target: int) -> int:
    """Return the cost of a target after an option; slots are rows here."""
    slot = turn.slot[target]
    this = turn.rows[slot]
    if option != PASSED:
        crossed = turn.option_target[option]
        if turn.slot[crossed] == slot:
            this = fold.to[slot, this, turn.position[crossed]]
    return int(costs[slot, fold.next[slot, this], turn.position[target]])


@kernel
def _choose_white(fold: Record, turn: Record, costs: Ints, most: int, total: int) -> int:
    """Return the option that the player takes with a white sum."""
    best = PASSED
    lowest = most + 1
    for way in range(1, turn.ways[total]):
        option = turn.way[total, way]
        cost = _cost(fold, turn, costs, PASSED, turn.option_target[option])
        if cost < lowest:
            best, lowest = option, cost
    return int(best)


@kernel
def _rank_colors(fold: Record, turn: Record, costs: Ints, most: int, option: int) -> int:
    """List the color sums that the player would take after an option, the preferred first; return their number."""
    found = 0
    for target in range(turn.targets):
        if turn.two[option * CELLS + target] == -np.inf:
            continue
        cost = _cost(fold, turn, costs, option, target)
        if cost > most:
            continue
        at = found
        while at > 0 and turn.best[at - 1] > cost:
            turn.best[at] = turn.best[at - 1]
            turn.best_target[at] = turn.best_target[at - 1]
            at -= 1
        turn.best[at] = cost
        turn.best_target[at] = target
        found += 1
    note_faces(turn, found)
    return found


@kernel
def _ranked(
    turn: Record, option: int, found: int, low: int, high: int, sides: int, shares: Values, parts: Values
) -> float:
    """Average the value of the preferred color sum over all color dice."""
    expected = turn.one[option] * share_uses(turn, found, low, high, sides, shares, parts)
    for at in range(found):
        expected += parts[at] * turn.two[option * CELLS + turn.best_target[at]]
    return float(expected)


@kernel
def _uniform(turn: Record, option: int, low: int, high: int, sides: int, faces: Values, ways: Values) -> float:
    """
    Average the value of a random legal action over all color dice.

    `faces` holds, for each face of a die, the number of cells it offers and the sum of their values; `ways` the
    probability of each number of cells in all dice, and the expected sum of their values.
    """
    ways[:] = 0.0
    ways[0, 0] = 1.0
    for color in range(COLORS):
        faces[:] = 0.0
        for target in range(turn.targets):
            worth = turn.two[option * CELLS + target]
            if turn.color[target] != color or worth == -np.inf:
                continue
            for white in range(2 if low != high else 1):
                face = turn.total[target] - (low if white == 0 else high)
                if 1 <= face <= sides:
                    faces[face, 0] += 1.0
                    faces[face, 1] += worth
        for cells in range(2 * color, -1, -1):
            chance, worth = ways[cells, 0] / sides, ways[cells, 1] / sides
            ways[cells] = 0.0
            for face in range(1, sides + 1):
                more = cells + int(faces[face, 0])
                ways[more, 0] += chance
                ways[more, 1] += worth + chance * faces[face, 1]
    expected = 0.0
    for cells in range(_MOST_CELLS + 1):
        expected += (ways[cells, 1] + ways[cells, 0] * turn.one[option]) / (cells + 1)
    return expected


@kernel
def _average(
    fold: Record,
    turn: Record,
    costs: Ints,
    limits: Ints,
    random_share: float,
    shares: Values,
    work: tuple[Values, Values, Values],
) -> float:
    """Return the expected gain of the player, averaged over all rolls; call `value_leaves` first."""
    parts, faces, ways = work
    sides = fold.sides
    expected = 0.0
    for total in range(2, 2 * sides + 1):
        chosen = _choose_white(fold, turn, costs, limits[0], total)
        for way in range(turn.ways[total]):
            option = turn.way[total, way]
            weight = random_share / turn.ways[total]
            if option == chosen:
                weight += 1.0 - random_share
            if weight == 0.0:
                continue
            found = _rank_colors(fold, turn, costs, limits[int(option == PASSED)], option)
            for low in range(max(1, total - sides), total // 2 + 1):
                worth = 0.0
                if random_share < 1.0:
                    worth = (1.0 - random_share) * _ranked(turn, option, found, low, total - low, sides, shares, parts)
                if random_share > 0.0:
                    worth += random_share * _uniform(turn, option, low, total - low, sides, faces, ways)
                expected += weight * (worth if 2 * low == total else 2.0 * worth)
    return float(expected / (sides * sides))


@eager_entry
def sweep_ranking(
    layouts: Records,
    folds: Records,
    firsts: Firsts,
    turns: Records,
    costs: Ints,
    limits: Ints,
    random_share: float,
    values: Values,
    reach: int,
    first: int,
    last: int,
) -> int:
    """Compute all positions of a reach whose upper half is one of these couples; return how many, by misses."""
    fold = folds[0]
    turn = turns[0]
    rows = turn.rows
    shares = face_shares(fold.sides)
    work = (np.zeros(CELLS), np.zeros((_FACES, 2)), np.zeros((_MOST_CELLS + 3, 2)))
    done = 0
    for upper in range(first, last):
        start, end = lower_range(fold, reach, upper)
        for lower in range(start, end):
            set_rows(fold, turn, upper, lower)
            if not look_ahead(layouts[0], fold, firsts, turn):
                continue
            at = place(fold, rows[0], rows[1], rows[2], rows[3])
            gain = 0.0  # after the miss that ends the game (C11)
            for miss in range(fold.end_misses - 1, -1, -1):
                value_leaves(fold, turn, values, miss, gain)
                gain = _average(fold, turn, costs, limits, random_share, shares, work)
                values[at, miss] = gain
                done += 1
    return done


def ranking_values(
    variant: Variant, lucky: Pad | None, ranking: Ranking, progress: Report | None = None, workers: int | None = None
) -> tuple[Plan, Values]:
    """Return the expected points still to come of a player that ranks cells, at every position of a plan."""
    # Of two rows that look the same the player takes the upper one, so only purely random players are folded.
    work = plan(variant, lucky, fold=ranking.random_share >= 1.0)
    refuse_marked(work)
    check_memory(work)
    values = np.zeros(work.shape)
    limits = np.array([ranking.most, ranking.most_or_miss], np.int32)

    def fill(reach: int, block: tuple[int, int]) -> int:
        turns: Records = np.empty(1, TURN)
        habits = ranking.costs, limits, float(ranking.random_share)
        return sweep_ranking(work.layouts, work.folds, work.firsts, turns, *habits, values, reach, *block)

    for step in induce(work, fill, None, workers):
        if progress is not None:
            progress(step)
    return work, values
