"""
The kernel's Python API: functions on arrays and an index, which take about a microsecond to call when compiled.

To pass a single record would take ten times as long.
"""

from __future__ import annotations

import numpy as np

from qwixx.jit.decorators import entry
from qwixx.kernel import board, cards, flow, game_end, observe, paper, setup
from qwixx.kernel.state import rng
from qwixx.kernel.state.records import POSITIONS, Ints, Records


@entry
def begin(layouts: Records, states: Records, at: int, seed: np.uint64, game: np.uint64, seats: int, first: int) -> None:
    """Seed a game's random stream and set up the game."""
    rng.seed_stream(states[at], seed, game)
    flow.begin(layouts[0], states[at], seats, first)


@entry
def asked(layouts: Records, states: Records, at: int) -> int:
    """Return the seats that are asked in this phase, as a mask."""
    return flow.asked(layouts[0], states[at])


@entry
def roll(layouts: Records, states: Records, at: int, log: Ints) -> int:
    """Roll, deal or shuffle from the game's random stream; return the refusal, if any."""
    return flow.roll(layouts[0], states[at], log)


@entry
def set_dice(layouts: Records, states: Records, at: int, faces: Ints, log: Ints) -> int:
    """Put given dice on the table."""
    return flow.set_dice(layouts[0], states[at], faces, log)


@entry
def set_deck(layouts: Records, states: Records, at: int, deck: Ints, size: int, log: Ints) -> int:
    """Deal or stack given cards."""
    return flow.set_deck(layouts[0], states[at], deck, size, log)


@entry
def legal(layouts: Records, states: Records, at: int, seat: int, actions: Ints) -> int:
    """Write the actions that a seat may choose now to `actions`; return how many they are."""
    return flow.legal(layouts[0], states[at], seat, actions)


@entry
def refusal(layouts: Records, states: Records, at: int, seat: int, action: int) -> int:
    """Return why a seat may not choose this action now, or ALLOWED."""
    return flow.refusal(layouts[0], states[at], seat, action)


@entry
def decide(layouts: Records, states: Records, at: int, seat: int, action: int, log: Ints) -> int:
    """Store a seat's decision; resolve the phase if it was the last; return the refusal, if any."""
    return flow.decide(layouts[0], states[at], seat, action, log)


@entry
def score(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Return the score of a seat."""
    return flow.score(layouts[0], states[at], seat)


@entry
def winners(scores: Ints) -> int:
    """Return the seats with the highest score, as a mask."""
    return game_end.winners(scores, len(scores))


@entry
def redact(layouts: Records, states: Records, at: int, copies: Records, seat: int) -> None:
    """Copy a state as a seat sees it."""
    observe.redact(layouts[0], states, at, copies, 0, seat)


@entry
def row_points(layouts: Records, crosses: int) -> int:
    """Return the points of a row with this number of crosses."""
    return paper.row_points(layouts[0], crosses)


@entry
def supply(layouts: Records, states: Records, at: int, seat: int) -> int:
    """Return how many pawns a seat has left in the duel."""
    return board.supply(layouts[0], states[at], seat)


@entry
def bar_fits(layouts: Records, states: Records, at: int, seat: int) -> bool:
    """Return whether a seat's bar is possible with its crosses."""
    return setup.bar_fits(layouts[0], states[at].sheets[seat])


@entry
def cross_in_setup(layouts: Records, states: Records, at: int, seat: int, cell: int) -> int:
    """Cross a cell in a position that is set up by hand; return the refusal, if any."""
    return setup.cross_in_setup(layouts[0], states[at], seat, cell // POSITIONS, cell % POSITIONS)


@entry
def take_lock_back(states: Records, at: int, seat: int, row: int) -> None:
    """Take a pawn off a lock, in a position that is set up by hand."""
    setup.take_lock_back(states[at], seat, row)


@entry
def check_position(layouts: Records, states: Records, at: int, log: Ints, found: Ints) -> None:
    """Close the rows of a position that is set up by hand, and write to `found` why it is impossible."""
    setup.check_position(layouts[0], states[at], log, found)


@entry
def number_for_all(states: Records, at: int) -> int:
    """Return the number on top of the pile, 0 if the pile is empty."""
    return cards.number_for_all(states[at])


@entry
def find_play(layouts: Records, hand: Ints, played: Ints, crossed: Ints) -> int:
    """Return the action that plays these cards and crosses these cells, or the negative refusal if there is none."""
    return cards.find_play(layouts[0], hand, played, crossed)


@entry
def reseed(states: Records, at: int, seed: np.uint64) -> None:
    """Seed the random stream of a game that is set up by hand."""
    rng.seed_stream(states[at], seed, np.uint64(0))
