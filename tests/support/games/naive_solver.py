"""A second solver, naive on purpose: every roll and decision through the kernel's steps, memoized by state.

It does not use classes, folding or expected maxima, so it only works for very small sheets.
"""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np

from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, COLORS, OVER, ROLL, STATE, Records


def copied(states: Records) -> Records:
    """Copy a state; numpy's own copy goes field by field, and takes longer than a decision."""
    return np.frombuffer(bytearray(states.tobytes()), STATE)


def legal(layouts: Records, states: Records) -> list[int]:
    """List the legal actions of the seat."""
    actions = np.zeros(ACTIONS, np.int32)
    return [int(a) for a in actions[: api.legal(layouts, states, 0, 0, actions)]]


def decided(layouts: Records, states: Records, action: int) -> Records:
    """Return the state after a decision."""
    after = copied(states)
    assert api.decide(layouts, after, 0, 0, action, new_log()) == 0
    return after


def rolled(layouts: Records, states: Records, dice: tuple[int, ...]) -> Records:
    """Return the state with these dice on the table, without removed dice."""
    faces = np.array(dice, np.int32)
    for color in range(COLORS):
        if states[0].gone >> color & 1:
            faces[2 + color] = 0
    after = copied(states)
    assert api.set_dice(layouts, after, 0, faces, new_log()) == 0
    return after


class Naive:
    """Expected final scores by plain expectimax."""

    def __init__(self, layouts: Records, lucky: tuple[int, int] | None = None) -> None:
        """Keep the sheet; `lucky` are the player's numbers."""
        self.layouts = layouts
        self.lucky = lucky
        self._turn = cache(self._turn_value)

    def begin(self) -> Records:
        """Set up a new game."""
        states: Records = np.zeros(1, STATE)
        api.begin(self.layouts, states, 0, np.uint64(0), np.uint64(0), 1, 0)
        if self.lucky:
            states[0].sheets[0].lucky[:] = self.lucky
        return states

    def value(self, states: Records) -> float:
        """Return the expected final score of a state in any phase."""
        phase = states["phase"][0]
        if phase == OVER:
            return float(api.score(self.layouts, states, 0, 0))
        if phase != ROLL:
            return max(self.value(decided(self.layouts, states, a)) for a in legal(self.layouts, states))
        states = copied(states)
        states["turn"] = 1  # the number of turns does not matter, and would keep equal states apart
        states["dice"] = 0
        return self._turn(states.tobytes())

    def _turn_value(self, data: bytes) -> float:
        states = np.frombuffer(bytearray(data), STATE)
        faces = range(1, int(self.layouts[0].sides) + 1)
        dice = [faces, faces, *(range(1) if states[0].gone >> color & 1 else faces for color in range(COLORS))]
        every = list(product(*dice))
        return sum(self.value(rolled(self.layouts, states, throw)) for throw in every) / len(every)
