"""Mutated texts: typing errors, broken files and malicious changes of a good text."""

from __future__ import annotations

from random import Random

NASTY = (
    "\0", "\n", "\r\n", "\t", " ", "|", "=", ",", "-", "/", ":", ">", "#", '"', "'", "[", "]", "*", ".toml",
    "0", "1", "9", "99", "-1", "1e9", "nan", "99999999999999999999999", "r", "L", "j", "x", "A",
    "é", "٣", "²", "½", "①", "\uff17", "\u2028", "\ufeff", "\ud800", "\U0001f3b2", "../", "%s", "{}", "true",
)  # fmt: skip


def mutate(text: str, rng: Random) -> str:
    """Make one to four mistakes in a text."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        text = rng.choice(_WAYS)(text, rng)
    return text


def noise(rng: Random, longest: int = 200) -> str:
    """Write a text that was never valid."""
    return "".join(rng.choice(NASTY) for _ in range(rng.randrange(longest)))


def _place(text: str, rng: Random) -> int:
    return rng.randrange(len(text) + 1)


def _delete(text: str, rng: Random) -> str:
    at = _place(text, rng)
    return text[:at] + text[at + rng.choice((1, 1, 2, 10)) :]


def _double(text: str, rng: Random) -> str:
    at = _place(text, rng)
    return text[:at] + text[at : at + rng.choice((1, 1, 5, 30))] + text[at:]


def _insert(text: str, rng: Random) -> str:
    at = _place(text, rng)
    return text[:at] + rng.choice(NASTY) + text[at:]


def _replace(text: str, rng: Random) -> str:
    at = _place(text, rng)
    return text[:at] + rng.choice(NASTY) + text[at + 1 :]


def _digit(text: str, rng: Random) -> str:
    digits = [at for at, letter in enumerate(text) if letter.isdigit()]
    if not digits:
        return text
    at = rng.choice(digits)
    return text[:at] + str(rng.randrange(10)) + text[at + 1 :]


def _truncate(text: str, rng: Random) -> str:
    return text[: _place(text, rng)]


def _words(text: str, rng: Random) -> str:
    return _shuffled_pieces(text, rng, " ")


def _lines(text: str, rng: Random) -> str:
    return _shuffled_pieces(text, rng, "\n")


def _items(text: str, rng: Random) -> str:
    return _shuffled_pieces(text, rng, ",")


def _shuffled_pieces(text: str, rng: Random, between: str) -> str:
    """Swap, drop or repeat pieces."""
    pieces = text.split(between)
    one, other = rng.randrange(len(pieces)), rng.randrange(len(pieces))
    way = rng.randrange(3)
    if way == 0:
        pieces[one], pieces[other] = pieces[other], pieces[one]
    elif way == 1:
        del pieces[one]
    else:
        pieces.insert(other, pieces[one])
    return between.join(pieces)


def _swell(text: str, rng: Random) -> str:
    """Sometimes make it far too long."""
    if rng.random() > 0.05:
        return _insert(text, rng)
    at = _place(text, rng)
    return text[:at] + rng.choice(NASTY) * rng.choice((1000, 20_000, 100_000)) + text[at:]


_WAYS = (
    _delete, _double, _insert, _replace, _digit, _digit, _truncate, _words, _words, _lines, _items, _items, _swell,
)  # fmt: skip
