"""
Verifiable dice (commit and reveal): all chance follows from a seed whose hash was published before the first roll.

The host of a table draws a seed and publishes its hash, the promise. Players may add words; their hashes, the seals,
are published before any words are opened. Every roll, deal and shuffle is computed from the seed, the words and its
number. After the game the seed is revealed: then everybody can verify that it has the promised hash, and that all dice
follow from it. docs/formats.md describes every step.
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
from qwixx.text.notation import lucky_text
from qwixx.text.record import read_record
from qwixx.variants.model import COLORS, Variant

T = TypeVar("T")
MAX_WORDS_CHARS = 60
"""The most characters that a player may add."""
_FIRST, _PADS, _THROWS = 0, 1, 2
"""The numbers of the draws: the first seat, the lucky numbers, then every roll, deal and shuffle."""
_SEED = _SEAL = re.compile(r"[0-9a-f]{64}")
_WORDS = re.compile(rf"([0-9a-f]{{32}}) ([^\x00-\x1f\x7f-\x9f\u2028\u2029]{{1,{MAX_WORDS_CHARS}}})")
"""A nonce, then words without line breaks and control characters, which a record could not hold."""
_REMARK = re.compile(r"# fair: (promise|seed|words|seals|lucky) (\S.{0,2999})")
_CHOSEN = "chosen"
_MAX_CACHED = 4096
"""Tables whose words are cached as text, because every roll needs it."""


class UnfairError(QwixxError):
    """A record whose dice do not follow from the promised seed."""


def new_seed() -> str:
    """Draw a seed from the operating system's entropy."""
    return secrets.token_hex(32)


def promise_of(seed: str) -> str:
    """Return the hash of a seed: it reveals nothing about the seed, and no other seed has the same."""
    return hashlib.sha256(f"qwixx promise {seed}".encode()).hexdigest()


def seal_of(words: str) -> str:
    """Return the hash of sealed words. Their nonce makes it impossible to guess words from it."""
    return hashlib.sha256(f"qwixx words {words}".encode()).hexdigest()


def is_seal(text: str) -> bool:
    """Return whether a text is a hash in the form of `seal_of`."""
    return _SEAL.fullmatch(text) is not None


def opens(words: str, seal: str) -> bool:
    """Return whether words with their nonce are those of a seal."""
    return _WORDS.fullmatch(words) is not None and seal_of(words) == seal


def without_nonce(words: str) -> str:
    """Return words as their player wrote them."""
    found = _WORDS.fullmatch(words)
    return found[2] if found else words


@dataclass(frozen=True, slots=True)
class Fair:
    """The seed and words that determine all chance of a game."""

    seed: str
    words: tuple[str, ...] = ()
    """The words of the players with their nonces, by seat when the game began; empty words too."""
    seals: tuple[str, ...] = ()
    """The hashes of the words, published before any words were opened; empty in records of older versions."""

    def first(self, seats: int) -> int:
        """Return the first seat."""
        return self._digits(_FIRST, [seats])[0]

    def lucky(self, rules: Variant, seats: int) -> list[str] | None:
        """Return the pads of lucky numbers, one per seat; None if the game has none (L5)."""
        if not rules.lucky:
            return None
        return [lucky_text(pad) for pad in self._shuffled(_PADS, rules.lucky)[:seats]]

    def throw(self, game: qwixx.Game, before: int) -> str:
        """Write the next roll, deal or shuffle, after `before` earlier ones; `Game.set_roll` takes it."""
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
        """Return digits of a draw's number from its end, each to its own base."""
        words = _words_text(self.words)
        parts = [hashlib.sha256(f"{self.seed} {draw} {half} {words}".encode()).digest() for half in "ab"]
        number, digits = int.from_bytes(b"".join(parts), "big"), []
        for base in bases:
            number, digit = divmod(number, base)
            digits.append(digit)
        return digits

    def _shuffled(self, draw: int, items: Sequence[T]) -> list[T]:
        """Shuffle by Fisher-Yates: from the last on, each item is swapped with one that is not behind it."""
        order = list(items)
        places = range(len(order) - 1, 0, -1)
        for place, digit in zip(places, self._digits(draw, [place + 1 for place in places]), strict=True):
            order[place], order[digit] = order[digit], order[place]
        return order


def _deck(rules: Variant) -> list[str]:
    """Return all cards of a game, color by color (K1, J1)."""
    assert rules.deck is not None
    kinds = COLORS + ("j" if rules.deck.jokers else "")
    return [f"{kind}{number}" for kind in kinds for number in rules.deck.numbers]


# ---- in records


def remarks(fair: Fair, *, is_lucky_chosen: bool) -> list[str]:
    """Return the lines of a record for the verification of its dice; other readers skip them as comments."""
    lines = [f"promise {promise_of(fair.seed)}", f"seed {fair.seed}", f"words {_words_text(fair.words)}"]
    lines += [f"seals {_words_text(fair.seals)}"] if any(fair.seals) else []
    lines += [f"lucky {_CHOSEN}"] if is_lucky_chosen else []
    return [f"# fair: {line}" for line in lines]


@lru_cache(_MAX_CACHED)
def _words_text(words: tuple[str, ...]) -> str:
    return json.dumps(words, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of a successful verification."""

    promise: str
    words: tuple[str, ...]
    """The words of the players, by seat."""
    seals: tuple[str, ...]
    """Their hashes, by seat; empty if words were not sealed, as in older versions."""
    left_out: tuple[int, ...]
    """The seats that had sealed words and did not open them in time."""
    throws: int
    """The number of rolls, deals and shuffles."""
    over: bool
    """Whether the record reaches the end of the game."""


def verify(text: str, promise: str = "") -> Checked:
    """
    Verify the dice of a record against its seed, and the seed against a promise: the record's, or one that you noted.

    Raises `UnfairError` if they do not match, and other errors if the record cannot be verified.
    """
    found = (_REMARK.fullmatch(line.strip()) for line in text.splitlines())
    lines = {each[1]: each[2] for each in found if each}
    fair = _read(lines)
    promised = promise.strip().lower() or lines.get("promise", "")
    if promise_of(fair.seed) != promised:
        raise UnfairError("The seed is not the one that was promised.")
    left_out = _check_seals(fair)
    facts = read_record(text).facts
    throws, wanted, is_over = 0, "", False
    for game in qwixx.Game.replay(text, copies=False):
        step = game.last_step
        if step is None:
            _check_opening(fair, facts, game, is_lucky_chosen=lines.get("lucky") == _CHOSEN)
        elif step.seat is None:
            throws += 1
            if step.text != wanted:
                raise UnfairError(f"Throw {throws}: the {step.word} is {step.text}, and had to be {wanted}.")
        is_over = game.is_over
        if game.awaits_chance:
            wanted = as_recorded(game, fair.throw(game, throws))
    words = tuple(map(without_nonce, fair.words)) if fair.seals else fair.words
    return Checked(promised, words, fair.seals, left_out, throws, is_over)


def as_recorded(game: qwixx.Game, throw: str) -> str:
    """Write a throw as a record does: hands are sorted, because the order of their cards has no meaning."""
    copy = game.copy()
    copy.set_roll(throw)
    assert copy.last_step is not None
    return copy.last_step.text


def _read(lines: dict[str, str]) -> Fair:
    if "seed" not in lines:
        raise QwixxError("This record has no seed: it cannot be checked.")
    words, seals = _read_list(lines.get("words", "[]")), _read_list(lines.get("seals", "[]"))
    is_matching = words is not None and seals is not None and (not seals or len(seals) == len(words))
    if not _SEED.fullmatch(lines["seed"]) or not is_matching:
        raise QwixxError("The seed, or what players have added, cannot be read.")
    return Fair(lines["seed"], tuple(words or ()), tuple(seals or ()))


def _read_list(text: str) -> list[str] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, list) and all(isinstance(each, str) for each in found) else None


def _check_seals(fair: Fair) -> tuple[int, ...]:
    """Check that the words are the sealed ones; return the seats whose sealed words were left out."""
    pairs = list(enumerate(zip(fair.words, fair.seals, strict=True))) if fair.seals else []
    for seat, (words, seal) in pairs:
        if words and not opens(words, seal):
            raise UnfairError(f"The words of seat {seat} are not the ones that were sealed before the game.")
    return tuple(seat for seat, (words, seal) in pairs if seal and not words)


def _check_opening(fair: Fair, facts: dict[str, str], game: qwixx.Game, *, is_lucky_chosen: bool) -> None:
    if facts.get("first") != str(fair.first(game.seats)):
        raise UnfairError(f"Seat {facts.get('first')} began, and seat {fair.first(game.seats)} had to.")
    lucky = fair.lucky(game.variant, game.seats)
    if lucky is not None and not is_lucky_chosen and facts.get("lucky", "").split() != lucky:
        raise UnfairError(f"The lucky numbers are {facts.get('lucky')}, and had to be {' '.join(lucky)}.")
