"""Dice and decks from the operating system's entropy: nobody can predict them, and no seed exists to leak."""

from __future__ import annotations

import os
from secrets import SystemRandom

import qwixx
from qwixx.notation import lucky_text
from qwixx.variants.model import COLORS

_entropy = SystemRandom()


def throw(game: qwixx.Game) -> str:
    """Write what chance does now: dice, a dealt deck, or the discards shuffled. `Game.set_roll` carries it out."""
    if game.phase == "deal":
        return _shuffled(_deck(game.variant))
    if game.phase == "shuffle":
        return _shuffled(list(game.reveal().discards))
    return _dice(game)


def first_seat(seats: int) -> int:
    """Draw the first active seat by lot."""
    return _entropy.randrange(seats)


def lucky_pads(rules: qwixx.Variant, seats: int) -> list[str] | None:
    """Deal the pads of lucky numbers by lot; None where there are none."""
    if not rules.lucky:
        return None
    return [lucky_text(pad) for pad in _entropy.sample(rules.lucky, seats)]


def _dice(game: qwixx.Game) -> str:
    gone = game.gone
    first, second, *colors = _faces(game.variant.sides, 2 + len(COLORS))
    return f"{first}{second}/" + "".join("-" if c in gone else str(n) for c, n in zip(COLORS, colors, strict=True))


def _faces(sides: int, count: int) -> list[int]:
    """Throw some dice with one reading of entropy; bytes that would favor the small faces are thrown away."""
    faces: list[int] = []
    while len(faces) < count:
        faces += [1 + byte % sides for byte in os.urandom(4 * count) if byte < 256 - 256 % sides]
    return faces[:count]


def _deck(rules: qwixx.Variant) -> list[str]:
    """List all cards of a game."""
    assert rules.deck is not None
    kinds = COLORS + ("j" if rules.deck.jokers else "")
    return [f"{kind}{number}" for kind in kinds for number in rules.deck.numbers]


def _shuffled(cards: list[str]) -> str:
    _entropy.shuffle(cards)
    return ",".join(cards)
