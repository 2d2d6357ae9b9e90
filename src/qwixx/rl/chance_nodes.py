"""One step of a game whose chance is drawn by the caller: for OpenSpiel, where chance is a player."""

from __future__ import annotations

from typing import Final

from qwixx.jit.decorators import entry, kernel
from qwixx.kernel import flow
from qwixx.kernel.state.records import OVER, Ints, Records
from qwixx.kernel.state.refusals import ALLOWED
from qwixx.rl.encode import Bytes, observe, to_compact, to_kernel
from qwixx.rl.stepping import next_seat

CHANCE: Final = -1
TOGETHER: Final = -2
TERMINAL: Final = -4
"""OpenSpiel's special player numbers."""
REFUSED: Final = -10
"""REFUSED - reason means that the kernel refuses an action."""


@kernel
def player(states: Records, together: int) -> int:
    """Return the seat that decides now, CHANCE, TERMINAL, or with `together` TOGETHER where several seats do."""
    state = states[0]
    if state.phase == OVER:
        return TERMINAL
    if state.waiting == 0:
        return CHANCE
    return TOGETHER if together and state.waiting & (state.waiting - 1) else next_seat(state)


@entry
def decide(layouts: Records, states: Records, seat: int, action: int, together: int) -> int:
    """Decide for a seat; return the next player, or REFUSED less the reason."""
    reason = flow.decide(layouts[0], states[0], seat, to_kernel(layouts[0], action), None)
    return player(states, together) if reason == ALLOWED else REFUSED - reason


@entry
def roll(layouts: Records, states: Records, dice: Ints, together: int) -> int:
    """Place dice; return the next player, or REFUSED less the reason."""
    reason = flow.set_dice(layouts[0], states[0], dice, None)
    return player(states, together) if reason == ALLOWED else REFUSED - reason


@entry
def deal(layouts: Records, states: Records, deck: Ints, size: int, together: int) -> int:
    """Deal or stack given cards; return the next player, or REFUSED less the reason."""
    reason = flow.set_deck(layouts[0], states[0], deck, size, None)
    return player(states, together) if reason == ALLOWED else REFUSED - reason


@entry
def legal(layouts: Records, states: Records, seat: int, actions: Ints) -> int:
    """List the compact actions of a seat, in ascending order; return their number."""
    count = flow.legal(layouts[0], states[0], seat, actions)
    for index in range(count):
        actions[index] = to_compact(layouts[0], actions[index])
    return count


@entry
def observe_into(layouts: Records, states: Records, seat: int, seen: Bytes) -> None:
    """Write the observation of a seat into `seen`."""
    observe(layouts[0], states[0], seat, seen, 0)
