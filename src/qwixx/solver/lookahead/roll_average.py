"""
The average over all rolls of a turn played as well as possible.

The white dice and the color dice are rolled together, so the player sees all of them before the white sum is
used. With the white dice given, the best use of each color die depends on this die only, and the player takes the
best of all dice: the expected maximum of independent values. Sort the values of the color sums and go from the best
one down; each takes those faces of its die that it needs and that no better one has taken. The rest is the probability
that no color sum is worth using. That is about ten steps for each white roll, where the dice have 1296 rolls.

The faces already taken are bits, eight for each color. A target's own bit is so far left that shifting it right by a
white die, and eight more, leaves the bit of the face which makes up its total, or none.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import kernel
from qwixx.kernel.state.records import CELLS, Record
from qwixx.solver.encoding.sheet_index import Values
from qwixx.solver.lookahead.turn import PASSED

_FACES = 8
_DIE = (1 << _FACES) - 1


@kernel
def value_leaves(fold: Record, turn: Record, values: Values, miss: int, to_come: float) -> None:
    """
    Look up the value of every option and leaf with this number of misses.

    `to_come` is the expected gain after one more miss, which is the result of passing everything (C6).
    """
    turn.one[PASSED] = to_come - turn.miss_cost
    if fold.remembers:
        _value_marked(turn, values, miss)
    else:
        _value_plain(turn, values, miss)


@kernel
def _value_plain(turn: Record, values: Values, miss: int) -> None:
    """Look up options and leaves of a sheet without marked cells: one leaf for an option and a target."""
    for option in range(1, turn.options):
        turn.one[option] = turn.option_gain[option] + values[turn.option_at[option], miss]
    for leaf in range(turn.leaves):
        turn.two[turn.leaf_use[leaf]] = turn.leaf_gain[leaf] + values[turn.leaf_at[leaf], miss]


@kernel
def _value_marked(turn: Record, values: Values, miss: int) -> None:
    """Look up those of a sheet with marked cells: past misses may be refunded, ties leave a choice (BB1, BB2)."""
    for option in range(1, turn.options):
        turn.one[option] = (
            turn.option_gain[option] + miss * turn.option_refund[option] + values[turn.option_at[option], miss]
        )
    last = -1
    for leaf in range(turn.leaves):
        use = turn.leaf_use[leaf]
        worth = turn.leaf_gain[leaf] + miss * turn.leaf_refund[leaf] + values[turn.leaf_at[leaf], miss]
        turn.two[use] = max(worth, turn.two[use]) if use == last else worth
        last = use


@kernel
def sort_uses(turn: Record, total: int, base: float) -> int:
    """
    List the color sums that are worth more than using none, best first; return their number.

    For each target the best use of the white sum before it counts: any, or none.
    """
    targets = turn.targets
    for target in range(targets):
        turn.worth[target] = turn.two[PASSED * CELLS + target]
    for way in range(1, turn.ways[total]):
        row = turn.way[total, way] * CELLS
        for target in range(targets):
            turn.worth[target] = max(turn.worth[target], turn.two[row + target])
    found = 0
    for target in range(targets):  # no branch: it would be unpredictable
        turn.best[found] = turn.worth[target]
        turn.best_target[found] = target
        found += int(turn.worth[target] > base)
    for this in range(1, found):
        worth = turn.best[this]
        target = turn.best_target[this]
        at = this
        while at > 0 and turn.best[at - 1] < worth:
            turn.best[at] = turn.best[at - 1]
            turn.best_target[at] = turn.best_target[at - 1]
            at -= 1
        turn.best[at] = worth
        turn.best_target[at] = target
    note_faces(turn, found)
    return found


@kernel
def note_faces(turn: Record, found: int) -> None:
    """Note the faces that the listed color sums need."""
    for at in range(found):
        turn.best_faces[at] = 1 << (_FACES - 1 + turn.total[turn.best_target[at]])
        turn.best_shift[at] = turn.color[turn.best_target[at]] * _FACES


@kernel
def expected_best(turn: Record, found: int, base: float, low: int, high: int, sides: int, shares: Values) -> float:
    """Average the best use of the color dice over all their rolls, with the white dice given."""
    every = (1 << sides) - 1
    low += _FACES
    high += _FACES
    taken = 0
    chance = 1.0
    expected = 0.0
    for at in range(found):
        shift = turn.best_shift[at]
        needed = (turn.best_faces[at] >> low | turn.best_faces[at] >> high) & every
        before = taken >> shift & _DIE
        share = chance * shares[before, needed & ~before]
        expected += share * turn.best[at]
        chance -= share
        taken |= needed << shift
    return expected + chance * base


@kernel
def share_uses(turn: Record, found: int, low: int, high: int, sides: int, shares: Values, parts: Values) -> float:
    """Write the probability that each listed color sum is the best one on the table; return that of none."""
    every = (1 << sides) - 1
    taken = 0
    chance = 1.0
    for at in range(found):
        shift = turn.best_shift[at]
        needed = (turn.best_faces[at] >> low + _FACES | turn.best_faces[at] >> high + _FACES) & every
        before = taken >> shift & _DIE
        parts[at] = chance * shares[before, needed & ~before]
        chance -= parts[at]
        taken |= needed << shift
    return chance


@kernel
def face_shares(sides: int) -> Values:
    """Tabulate the share of new faces among the untaken faces of a die, by the faces taken and the new ones."""
    shares = np.zeros((1 << _FACES, 1 << _FACES))
    for taken in range(1 << sides):
        for more in range(1 << sides):
            left = 0
            new = 0
            for face in range(sides):
                left += 1 - (taken >> face & 1)
                new += more >> face & ~taken >> face & 1
            if left > 0:
                shares[taken, more] = new / left
    return shares


@kernel
def pass_or_cross(turn: Record, total: int) -> float:
    """Return the value of a white sum if no color sum is used after it."""
    base = turn.one[PASSED]
    for way in range(1, turn.ways[total]):
        base = max(base, turn.one[turn.way[total, way]])
    return float(base)


@kernel
def _white_rolls(turn: Record, total: int, found: int, base: float, sides: int, shares: Values) -> float:
    """Sum the values of all white dice that make a sum."""
    worth = 0.0
    for low in range(max(1, total - sides), total // 2 + 1):
        part = expected_best(turn, found, base, low, total - low, sides, shares)
        worth += part if 2 * low == total else 2.0 * part
    return worth


@kernel
def average(turn: Record, sides: int, shares: Values) -> float:
    """Return the expected gain, averaged over all rolls; call `value_leaves` first."""
    expected = 0.0
    found = -1
    for total in range(2, 2 * sides + 1):
        if turn.ways[total] == 1:  # sums that can only be passed have the same list: sort it once
            if found < 0:
                found = sort_uses(turn, total, turn.one[PASSED])
            expected += _white_rolls(turn, total, found, turn.one[PASSED], sides, shares)
    for total in range(2, 2 * sides + 1):
        if turn.ways[total] > 1:
            base = pass_or_cross(turn, total)
            found = sort_uses(turn, total, base)
            expected += _white_rolls(turn, total, found, base, sides, shares)
    return expected / (sides * sides)
