"""Chance in words: the seed it comes from, what it just did, what a script says, and every roll that can come."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import permutations, product
from math import factorial

import numpy as np

from qwixx.errors import NotationError, QwixxError
from qwixx.kernel.records import COLORS, DEAL, DECK, NO_CARD, ROLL, SHUFFLE, Ints, Record
from qwixx.notation import deck_text, read_deck, roll_text
from qwixx.wanted import whole_number

MOST_LISTED = 8
"""Cards whose orders are listed: they have about as many as six dice have rolls."""
WORDS = {ROLL: "roll", DEAL: "deal", SHUFFLE: "shuffle"}
"""The phases in which chance has its turn, and their words in a record."""


def take_seed(seed: int | None) -> np.uint64:
    """Take a seed, or the operating system's entropy."""
    if seed is None:
        return np.uint64(secrets.randbits(64))
    number = whole_number(seed, "A seed")
    if not 0 <= number < 1 << 64:
        raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.")
    return np.uint64(number)


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


def scripted_deck(layout: Record, state: Record, text: str) -> tuple[Ints, int]:
    """Read the cards that are to be dealt or shuffled; gives them with their number."""
    whole = layout.deck[: layout.deck_size] if state.phase == DEAL else sorted(state.discards[: state.discarded])
    cards = read_deck(text, [int(card) for card in whole])
    if len(cards) > DECK:
        raise NotationError(f"A deck has at most {DECK} cards.")
    return np.array(cards + [0] * (DECK - len(cards)), np.int32), len(cards)


def sorted_cards(state: Record) -> None:
    """Put away what says nothing about cards: the order of the discards, and what lay in the pile before."""
    state.pile[state.pile_size :] = NO_CARD
    state.discards[: state.discarded].sort()


def all_decks(layout: Record, state: Record) -> Iterator[tuple[str, float]]:
    """List every order of the cards that are to be dealt or shuffled with its probability, if they are few (K2, K3)."""
    cards = layout.deck[: layout.deck_size] if state.phase == DEAL else state.discards[: state.discarded]
    if len(cards) > MOST_LISTED:
        raise QwixxError(
            f"The {len(cards)} cards have too many orders to list, more than {MOST_LISTED} of them always have;"
            " roll() draws one, and imagine(seat) one that fits what a seat has seen."
        )
    share = 1.0 / factorial(len(cards))
    return ((deck_text(order), share) for order in permutations(sorted(int(card) for card in cards)))


def all_rolls(sides: int, gone: int) -> Iterator[tuple[str, float]]:
    """List every roll with its probability; `gone` is the mask of dice that have left (C2, C8)."""
    faces = range(1, sides + 1)
    dice = [faces, faces, *([0] if gone >> color & 1 else faces for color in range(COLORS))]
    share = 1.0 / sides ** (2 + COLORS - gone.bit_count())
    for roll in product(*dice):
        yield roll_text(roll), share
