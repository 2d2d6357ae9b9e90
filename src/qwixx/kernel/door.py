"""
The kernel's door for Python callers: arrays and an index, which cross into compiled code in about a microsecond.

A record on its own would take ten times as long to hand over.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import board, cards, dice, ends, flow, observe, paper, rng, setting_up
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import POSITIONS, Ints, Records
from qwixx.kernel.trail import NOTE


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
def set_dice(layouts: Records, states: Records, at: int, faces: Ints, trail: Ints) -> int:
    """Put given dice on the table."""
    return flow.set_dice(layouts[0], states[at], faces, trail)


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
def winners(scores: Ints) -> int:
    """Give the seats that have won, as a mask, from the scores of all."""
    return ends.winners(scores, len(scores))


@kernel
def redact(layouts: Records, states: Records, at: int, copies: Records, seat: int) -> None:
    """Copy a state as a seat sees it."""
    observe.redact(layouts[0], states, at, copies, 0, seat)


@kernel
def row_points(layouts: Records, crosses: int) -> int:
    """Give the points of a row with so many crosses."""
    return paper.row_points(layouts[0], crosses)


@kernel
def supply(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Count the pawns a seat has left in the duel."""
    return board.supply(layouts[0], states[at], seat)


@kernel
def bar_fits(layouts: Records, states: Records, at: int, seat: int) -> bool:
    """Whether a seat's bar can look as it does beside its crosses."""
    return setting_up.bar_fits(layouts[0], states[at].sheets[seat])


@kernel
def lay(layouts: Records, states: Records, at: int, seat: int, cell: int) -> int:
    """Cross a cell of a sheet that is filled in by hand, or say why not."""
    return setting_up.lay(layouts[0], states[at], seat, cell // POSITIONS, cell % POSITIONS)


@kernel
def take_lock_back(states: Records, at: int, seat: int, row: int) -> None:
    """Take a pawn off a lock, in a position set up by hand."""
    setting_up.take_lock_back(states[at], seat, row)


@kernel
def phase_fits(states: Records, at: int) -> bool:
    """Whether a position set up by hand is over exactly when its game has ended."""
    return setting_up.phase_fits(states[at])


@kernel
def shared_row(states: Records, at: int) -> int:
    """Find a row in which both players of the duel have pawns on one cell, or -1."""
    return setting_up.shared_row(states[at])


@kernel
def fewest_held(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Count the cards that a seat holds at least in this phase."""
    return setting_up.fewest_held(layouts[0], states[at], seat)


@kernel
def most_held(states: Records, at: int, seat: int) -> int:
    """Count the cards that a seat holds at most in this phase."""
    return setting_up.most_held(states[at], seat)


@kernel
def table_fits(states: Records, at: int) -> bool:
    """Whether display and pile can lie like this in this phase."""
    return setting_up.table_fits(states[at])


@kernel
def number_for_all(states: Records, at: int) -> int:
    """Read the number on top of the pile, 0 if the pile is empty."""
    return cards.number_for_all(states[at])


@kernel
def find_play(layouts: Records, hand: Ints, played: Ints, crossed: Ints) -> int:
    """Find the action that plays these cards and crosses these cells; a negative number says why there is none."""
    return cards.find_play(layouts[0], hand, played, crossed)


@kernel
def settle(layouts: Records, states: Records, at: int) -> int:
    """Close the rows whose locks are crossed, for a position set up by hand; tell whether and why it is over."""
    return setting_up.settle(layouts[0], states[at], np.empty(1 + NOTE * 256, np.int32))


@kernel
def dice_refusal(layouts: Records, states: Records, at: int, faces: Ints) -> int:
    """Say why these dice cannot lie on the table."""
    return dice.dice_refusal(layouts[0], states[at], faces)


@kernel
def reseed(states: Records, at: int, seed: np.uint64) -> None:
    """Give a game set up by hand a stream of chance."""
    rng.seed_stream(states[at], seed, np.uint64(0))
