"""
Chance that can be checked: all of it follows from a seed that was promised before the first roll.

Whoever runs a table draws a seed and shows its hash, the promise; players may add words of their own; every roll, deal
and shuffle follows from the seed, the words and its number. After the game the seed is told: then everybody can check
that it is the promised one, and that all dice were what they had to be. docs/formats.md describes every step.
"""

from __future__ import annotations

import hashlib
import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

import qwixx
from qwixx.errors import QwixxError
from qwixx.notation import lucky_text
from qwixx.record import read_record
from qwixx.variants.model import COLORS, Variant

T = TypeVar("T")
LONGEST_WORDS = 60
"""Letters that a player may add."""
_FIRST, _PADS, _THROWS = 0, 1, 2
"""The numbers of the draws: who begins, the lucky numbers, and from then on every roll, deal and shuffle."""
_SEED = re.compile(r"[0-9a-f]{64}")
_REMARK = re.compile(r"# fair: (promise|seed|words|lucky) (\S.{0,999})")
_CHOSEN = "chosen"
_TABLES = 4096
"""Tables whose words are kept as text, which every roll needs."""


class UnfairError(QwixxError):
    """A record whose chance is not what was promised."""


def new_seed() -> str:
    """Draw a seed from the operating system's entropy."""
    return secrets.token_hex(32)


def promise_of(seed: str) -> str:
    """Give the hash of a seed: it tells nothing about it, and no other seed has the same."""
    return hashlib.sha256(f"qwixx promise {seed}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Fair:
    """What all chance of a game follows from."""

    seed: str
    words: tuple[str, ...] = ()
    """What players added, seat by seat when the game began; empty words too."""

    def first(self, seats: int) -> int:
        """Draw the seat that begins."""
        return self._digits(_FIRST, [seats])[0]

    def lucky(self, rules: Variant, seats: int) -> list[str] | None:
        """Deal the pads of lucky numbers; None where there are none (L5)."""
        if not rules.lucky:
            return None
        return [lucky_text(pad) for pad in self._shuffled(_PADS, rules.lucky)[:seats]]

    def throw(self, game: qwixx.Game, before: int) -> str:
        """Write what chance does now, after it has had its turn so many times; `Game.set_roll` carries it out."""
        draw = _THROWS + before
        if game.phase == "deal":
            return ",".join(self._shuffled(draw, _deck(game.variant)))
        if game.phase == "shuffle":
            return ",".join(self._shuffled(draw, game.reveal().discards))
        gone = game.gone
        one, two, *colored = [str(1 + digit) for digit in self._digits(draw, [game.variant.sides] * (2 + len(COLORS)))]
        colors = ["-" if color in gone else face for color, face in zip(COLORS, colored, strict=True)]
        return f"{one}{two}/{''.join(colors)}"

    def _digits(self, draw: int, bases: Sequence[int]) -> list[int]:
        """Take digits off a draw's number from its end, each to its own base."""
        words = _words_text(self.words)
        parts = [hashlib.sha256(f"{self.seed} {draw} {half} {words}".encode()).digest() for half in "ab"]
        number, digits = int.from_bytes(b"".join(parts), "big"), []
        for base in bases:
            number, digit = divmod(number, base)
            digits.append(digit)
        return digits

    def _shuffled(self, draw: int, things: Sequence[T]) -> list[T]:
        """Put things into an order: from the last on, each changes places with one that is not behind it."""
        order = list(things)
        places = range(len(order) - 1, 0, -1)
        for place, digit in zip(places, self._digits(draw, [place + 1 for place in places]), strict=True):
            order[place], order[digit] = order[digit], order[place]
        return order


def _deck(rules: Variant) -> list[str]:
    """List all cards of a game, color by color (K1, J1)."""
    assert rules.deck is not None
    kinds = COLORS + ("j" if rules.deck.jokers else "")
    return [f"{kind}{number}" for kind in kinds for number in rules.deck.numbers]


# ---- in records


def remarks(fair: Fair, *, is_lucky_chosen: bool) -> list[str]:
    """Write the lines of a record by which its chance can be checked; readers that do not know them skip them."""
    lines = [f"promise {promise_of(fair.seed)}", f"seed {fair.seed}", f"words {_words_text(fair.words)}"]
    return [f"# fair: {line}" for line in [*lines, *([f"lucky {_CHOSEN}"] if is_lucky_chosen else [])]]


@lru_cache(_TABLES)
def _words_text(words: tuple[str, ...]) -> str:
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Checked:
    """A record whose chance was what it had to be."""

    promise: str
    words: tuple[str, ...]
    throws: int
    """How often chance had its turn."""


def verify(text: str, promise: str = "") -> Checked:
    """
    Check the chance of a record against its seed, and the seed against a promise: the record's own, or one you noted.

    Raises `UnfairError` where anything is not as it had to be, and other errors for what cannot be checked.
    """
    found = (_REMARK.fullmatch(line.strip()) for line in text.splitlines())
    said = {each[1]: each[2] for each in found if each}
    fair = _read(said)
    promised = promise.strip().lower() or said.get("promise", "")
    if promise_of(fair.seed) != promised:
        raise UnfairError("The seed is not the one that was promised.")
    facts = read_record(text).facts
    throws, wanted = 0, ""
    for game in qwixx.Game.replay(text):
        step = game.last_step
        if step is None:
            _check_opening(fair, facts, game, is_lucky_chosen=said.get("lucky") == _CHOSEN)
        elif step.seat is None:
            throws += 1
            if step.text != wanted:
                raise UnfairError(f"Throw {throws}: the {step.word} is {step.text}, and had to be {wanted}.")
        if game.awaits_chance:
            wanted = _as_recorded(game, fair.throw(game, throws))
    return Checked(promised, fair.words, throws)


def _as_recorded(game: qwixx.Game, throw: str) -> str:
    """Write a throw as a record does: it sorts hands, since the order in which cards came says nothing."""
    twin = game.copy()
    twin.set_roll(throw)
    assert twin.last_step is not None
    return twin.last_step.text


def _read(said: dict[str, str]) -> Fair:
    if "seed" not in said:
        raise QwixxError("This record has no seed: it cannot be checked.")
    try:
        words = json.loads(said.get("words", "[]"))
    except ValueError:
        words = None
    is_list = isinstance(words, list) and all(isinstance(word, str) for word in words)
    if not _SEED.fullmatch(said["seed"]) or not is_list:
        raise QwixxError("The seed, or what players have added, cannot be read.")
    return Fair(said["seed"], tuple(words))


def _check_opening(fair: Fair, facts: dict[str, str], game: qwixx.Game, *, is_lucky_chosen: bool) -> None:
    if facts.get("first") != str(fair.first(game.seats)):
        raise UnfairError(f"Seat {facts.get('first')} began, and seat {fair.first(game.seats)} had to.")
    lucky = fair.lucky(game.variant, game.seats)
    if lucky is not None and not is_lucky_chosen and facts.get("lucky", "").split() != lucky:
        raise UnfairError(f"The lucky numbers are {facts.get('lucky')}, and had to be {' '.join(lucky)}.")
