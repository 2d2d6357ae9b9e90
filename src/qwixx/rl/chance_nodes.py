"""One step of a game whose chance is rolled elsewhere: for OpenSpiel, where chance is a player."""

from __future__ import annotations

from typing import Final

from qwixx.kernel import flow
from qwixx.kernel.jit import entry, kernel
from qwixx.kernel.records import OVER, Ints, Records
from qwixx.kernel.refusals import ALLOWED
from qwixx.rl.advance import next_seat
from qwixx.rl.encode import Bytes, observe, to_compact, to_kernel

CHANCE: Final = -1
TOGETHER: Final = -2
TERMINAL: Final = -4
"""OpenSpiel's numbers for who is no player."""
REFUSED: Final = -10
"""REFUSED - reason stands for an action that the kernel refuses."""


@kernel
def player(states: Records, together: int) -> int:
    """Give the seat that decides now, CHANCE, TERMINAL, or with `together` TOGETHER where several seats do."""
    state = states[0]
    if state.phase == OVER:
        return TERMINAL
    if state.waiting == 0:
        return CHANCE
    return TOGETHER if together and state.waiting & (state.waiting - 1) else next_seat(state)


@entry
def decide(layouts: Records, states: Records, seat: int, action: int, together: int) -> int:
    """Decide for a seat; give who is next, or REFUSED less the reason."""
    reason = flow.decide(layouts[0], states[0], seat, to_kernel(layouts[0], action), None)
    return player(states, together) if reason == ALLOWED else REFUSED - reason


@entry
def roll(layouts: Records, states: Records, dice: Ints, together: int) -> int:
    """Put dice on the table; give who is next, or REFUSED less the reason."""
    reason = flow.set_dice(layouts[0], states[0], dice, None)
    return player(states, together) if reason == ALLOWED else REFUSED - reason


@entry
def deal(layouts: Records, states: Records, deck: Ints, size: int, together: int) -> int:
    """Deal or stack given cards; give who is next, or REFUSED less the reason."""
    reason = flow.set_deck(layouts[0], states[0], deck, size, None)
    return player(states, together) if reason == ALLOWED else REFUSED - reason


@entry
def legal(layouts: Records, states: Records, seat: int, actions: Ints) -> int:
    """List the compact actions of a seat, in ascending order; give their number."""
    count = flow.legal(layouts[0], states[0], seat, actions)
    for index in range(count):
        actions[index] = to_compact(layouts[0], actions[index])
    return count


@entry
def see(layouts: Records, states: Records, seat: int, seen: Bytes) -> None:
    """Write what a seat sees."""
    observe(layouts[0], states[0], seat, seen, 0)
