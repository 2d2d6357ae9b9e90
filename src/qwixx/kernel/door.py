"""
The kernel's door for Python callers: arrays and an index, which cross into compiled code in about a microsecond.

A record on its own would take ten times as long to hand over.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import flow, observe, rng
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import Ints, Records


@kernel
def begin(layouts: Records, states: Records, at: int, seed: np.uint64, game: np.uint64, seats: int, first: int) -> None:
    """Seed a game's stream of chance and set the game up."""
    rng.seed_stream(states[at], seed, game)
    flow.begin(layouts[0], states[at], seats, first)


@kernel
def asked(layouts: Records, states: Records, at: int) -> int:
    """Tell which seats are asked in this phase, as a mask."""
    return flow.asked(layouts[0], states[at])


@kernel
def roll(layouts: Records, states: Records, at: int, trail: Ints) -> int:
    """Let chance have its turn."""
    return flow.roll(layouts[0], states[at], trail)


@kernel
def set_dice(layouts: Records, states: Records, at: int, dice: Ints, trail: Ints) -> int:
    """Put given dice on the table."""
    return flow.set_dice(layouts[0], states[at], dice, trail)


@kernel
def set_deck(layouts: Records, states: Records, at: int, deck: Ints, size: int, trail: Ints) -> int:
    """Deal or stack given cards."""
    return flow.set_deck(layouts[0], states[at], deck, size, trail)


@kernel
def legal(layouts: Records, states: Records, at: int, seat: int, actions: Ints) -> int:
    """List what a seat may decide now."""
    return flow.legal(layouts[0], states[at], seat, actions)


@kernel
def refusal(layouts: Records, states: Records, at: int, seat: int, action: int) -> int:
    """Say why a seat may not decide this now."""
    return flow.refusal(layouts[0], states[at], seat, action)


@kernel
def decide(layouts: Records, states: Records, at: int, seat: int, action: int, trail: Ints) -> int:
    """Store a seat's decision, and resolve the phase if it was the last."""
    return flow.decide(layouts[0], states[at], seat, action, trail)


@kernel
def score(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Count up a seat."""
    return flow.score(layouts[0], states[at], seat)


@kernel
def redact(layouts: Records, states: Records, at: int, copies: Records, seat: int) -> None:
    """Copy a state as a seat sees it."""
    observe.redact(layouts[0], states, at, copies, 0, seat)
