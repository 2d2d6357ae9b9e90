"""Seeds and chance as text: the last roll or deal, a scripted one, and all possible rolls with probabilities."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import permutations, product
from math import factorial

import numpy as np

from qwixx.errors import NotationError, QwixxError
from qwixx.kernel.state.records import COLORS, DEAL, DECK, NO_CARD, ROLL, SHUFFLE, Ints, Record
from qwixx.text.arguments import require_int
from qwixx.text.notation import deck_text, read_deck, roll_text

MAX_LISTED = 8
"""The most cards whose orders are listed: eight have about as many orders as six dice have rolls."""
CHANCE_WORDS = {ROLL: "roll", DEAL: "deal", SHUFFLE: "shuffle"}
"""The phases in which a roll, deal or shuffle is due, and their words in a record."""


def take_seed(seed: int | None) -> np.uint64:
    """Return a seed as a 64-bit word, or a random one from the operating system."""
    if seed is None:
        return np.uint64(secrets.randbits(64))
    number = require_int(seed, "A seed")
    if not 0 <= number < 1 << 64:
        raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.", "seed")
    return np.uint64(number)


def chance_text(before: Record, state: Record) -> str:
    """Write the last roll, or the cards in the order in which they were dealt or stacked."""
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
    """Read the cards of a scripted deal or shuffle; return them and their number."""
    whole = layout.deck[: layout.deck_size] if state.phase == DEAL else sorted(state.discards[: state.discarded])
    cards = read_deck(text, [int(card) for card in whole])
    if len(cards) > DECK:
        raise NotationError(f"A deck has at most {DECK} cards.")
    return np.array(cards + [0] * (DECK - len(cards)), np.int32), len(cards)


def normalize_cards(state: Record) -> None:
    """Remove what has no meaning: the order of the discards, and old cards after the end of the pile."""
    state.pile[state.pile_size :] = NO_CARD
    state.discards[: state.discarded].sort()


def all_decks(layout: Record, state: Record) -> Iterator[tuple[str, float]]:
    """Return every order of the cards to be dealt or shuffled with its probability, if they are few (K2, K3)."""
    cards = layout.deck[: layout.deck_size] if state.phase == DEAL else state.discards[: state.discarded]
    if len(cards) > MAX_LISTED:
        raise QwixxError(
            f"The {len(cards)} cards have too many orders to list, more than {MAX_LISTED} of them always have;"
            " roll() draws one, and imagine(seat) one that fits what a seat has seen."
        )
    probability = 1.0 / factorial(len(cards))
    return ((deck_text(order), probability) for order in permutations(sorted(int(card) for card in cards)))


def all_rolls(sides: int, gone: int) -> Iterator[tuple[str, float]]:
    """Yield every roll with its probability; `gone` is the mask of dice that have left (C2, C8)."""
    faces = range(1, sides + 1)
    dice = [faces, faces, *([0] if gone >> color & 1 else faces for color in range(COLORS))]
    probability = 1.0 / sides ** (2 + COLORS - gone.bit_count())
    for roll in product(*dice):
        yield roll_text(roll), probability
