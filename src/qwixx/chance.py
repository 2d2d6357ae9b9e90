"""Chance in words: the seed it comes from, what it just did, and every roll that can come."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import product

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.records import COLORS, DEAL, NO_CARD, ROLL, Record
from qwixx.notation import deck_text, roll_text


def take_seed(seed: int | None) -> np.uint64:
    """Take a seed, or the operating system's entropy."""
    if seed is not None and not 0 <= seed < 1 << 64:
        raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.")
    return np.uint64(secrets.randbits(64) if seed is None else seed)


def chance_text(before: Record, state: Record) -> str:
    """Write what chance just did: the dice, or the cards in the order in which they were dealt or stacked."""
    if before.phase == ROLL:
        return roll_text(state.dice)
    hands = [int(card) for seat in range(state.seats) for card in state.hands[seat, : state.held[seat]]]
    display = [int(card) for card in state.display]
    pile = [int(card) for card in state.pile[: state.pile_size][::-1]]
    if before.phase == DEAL:
        return deck_text([*hands, *display, *pile])
    filled = [card for card, earlier in zip(display, before.display, strict=True) if earlier == NO_CARD]
    return deck_text([*filled, *pile])


def all_rolls(sides: int, gone: int) -> Iterator[tuple[str, float]]:
    """List every roll with its probability; `gone` is the mask of dice that have left (C2, C8)."""
    faces = range(1, sides + 1)
    dice = [faces, faces, *([0] if gone >> color & 1 else faces for color in range(COLORS))]
    share = 1.0 / sides ** (2 + COLORS - gone.bit_count())
    for roll in product(*dice):
        yield roll_text(roll), share
