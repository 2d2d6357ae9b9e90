"""
The kernel's door for Python callers: arrays and an index, which cross into compiled code in about a microsecond.

A record on its own would take ten times as long to hand over.
"""

from __future__ import annotations

import numpy as np

from qwixx.kernel import board, cards, dice, ends, flow, observe, paper, rng, setting_up
from qwixx.kernel.jit import entry
from qwixx.kernel.records import POSITIONS, Ints, Records
from qwixx.kernel.trail import NOTE


@entry
def begin(layouts: Records, states: Records, at: int, seed: np.uint64, game: np.uint64, seats: int, first: int) -> None:
    """Seed a game's stream of chance and set the game up."""
    rng.seed_stream(states[at], seed, game)
    flow.begin(layouts[0], states[at], seats, first)


@entry
def asked(layouts: Records, states: Records, at: int) -> int:
    """Tell which seats are asked in this phase, as a mask."""
    return flow.asked(layouts[0], states[at])


@entry
def roll(layouts: Records, states: Records, at: int, trail: Ints) -> int:
    """Let chance have its turn."""
    return flow.roll(layouts[0], states[at], trail)


@entry
def set_dice(layouts: Records, states: Records, at: int, faces: Ints, trail: Ints) -> int:
    """Put given dice on the table."""
    return flow.set_dice(layouts[0], states[at], faces, trail)


@entry
def set_deck(layouts: Records, states: Records, at: int, deck: Ints, size: int, trail: Ints) -> int:
    """Deal or stack given cards."""
    return flow.set_deck(layouts[0], states[at], deck, size, trail)


@entry
def legal(layouts: Records, states: Records, at: int, seat: int, actions: Ints) -> int:
    """List what a seat may decide now."""
    return flow.legal(layouts[0], states[at], seat, actions)


@entry
def refusal(layouts: Records, states: Records, at: int, seat: int, action: int) -> int:
    """Say why a seat may not decide this now."""
    return flow.refusal(layouts[0], states[at], seat, action)


@entry
def decide(layouts: Records, states: Records, at: int, seat: int, action: int, trail: Ints) -> int:
    """Store a seat's decision, and resolve the phase if it was the last."""
    return flow.decide(layouts[0], states[at], seat, action, trail)


@entry
def score(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Count up a seat."""
    return flow.score(layouts[0], states[at], seat)


@entry
def winners(scores: Ints) -> int:
    """Give the seats that have won, as a mask, from the scores of all."""
    return ends.winners(scores, len(scores))


@entry
def redact(layouts: Records, states: Records, at: int, copies: Records, seat: int) -> None:
    """Copy a state as a seat sees it."""
    observe.redact(layouts[0], states, at, copies, 0, seat)


@entry
def row_points(layouts: Records, crosses: int) -> int:
    """Give the points of a row with so many crosses."""
    return paper.row_points(layouts[0], crosses)


@entry
def supply(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Count the pawns a seat has left in the duel."""
    return board.supply(layouts[0], states[at], seat)


@entry
def bar_fits(layouts: Records, states: Records, at: int, seat: int) -> bool:
    """Whether a seat's bar can look as it does beside its crosses."""
    return setting_up.bar_fits(layouts[0], states[at].sheets[seat])


@entry
def lay(layouts: Records, states: Records, at: int, seat: int, cell: int) -> int:
    """Cross a cell of a sheet that is filled in by hand, or say why not."""
    return setting_up.lay(layouts[0], states[at], seat, cell // POSITIONS, cell % POSITIONS)


@entry
def take_lock_back(states: Records, at: int, seat: int, row: int) -> None:
    """Take a pawn off a lock, in a position set up by hand."""
    setting_up.take_lock_back(states[at], seat, row)


@entry
def phase_fits(states: Records, at: int) -> bool:
    """Whether a position set up by hand is over exactly when its game has ended."""
    return setting_up.phase_fits(states[at])


@entry
def shared_row(states: Records, at: int) -> int:
    """Find a row in which both players of the duel have pawns on one cell, or -1."""
    return setting_up.shared_row(states[at])


@entry
def fewest_held(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Count the cards that a seat holds at least in this phase."""
    return setting_up.fewest_held(layouts[0], states[at], seat)


@entry
def most_held(states: Records, at: int, seat: int) -> int:
    """Count the cards that a seat holds at most in this phase."""
    return setting_up.most_held(states[at], seat)


@entry
def table_fits(states: Records, at: int) -> bool:
    """Whether display and pile can lie like this in this phase."""
    return setting_up.table_fits(states[at])


@entry
def number_for_all(states: Records, at: int) -> int:
    """Read the number on top of the pile, 0 if the pile is empty."""
    return cards.number_for_all(states[at])


@entry
def find_play(layouts: Records, hand: Ints, played: Ints, crossed: Ints) -> int:
    """Find the action that plays these cards and crosses these cells; a negative number says why there is none."""
    return cards.find_play(layouts[0], hand, played, crossed)


@entry
def settle(layouts: Records, states: Records, at: int) -> int:
    """Close the rows whose locks are crossed, for a position set up by hand; tell whether and why it is over."""
    return setting_up.settle(layouts[0], states[at], np.empty(1 + NOTE * 256, np.int32))


@entry
def dice_refusal(layouts: Records, states: Records, at: int, faces: Ints) -> int:
    """Say why these dice cannot lie on the table."""
    return dice.dice_refusal(layouts[0], states[at], faces)


@entry
def reseed(states: Records, at: int, seed: np.uint64) -> None:
    """Give a game set up by hand a stream of chance."""
    rng.seed_stream(states[at], seed, np.uint64(0))
