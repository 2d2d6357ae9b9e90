"""
Why a choice is good or bad: facts about it, each with its kind and its numbers, and the same in words.

Every reason is something that the kernel shows or that follows from counting dice (`kernel.telling`); none is made up.
The words of all languages are in `words.toml`; the page makes its sentences from the same file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, reduce
from pathlib import Path
from typing import Any, Final

import numpy as np

from qwixx.errors import QwixxError
from qwixx.game import Game
from qwixx.kernel import telling
from qwixx.kernel.facts import FACTS
from qwixx.kernel.records import ACTIONS, STATE, Records
from qwixx.kernel.trail import new_trail
from qwixx.languages import LANGUAGES
from qwixx.notation import Action
from qwixx.variants.model import COLOR_NAMES, Variant

_ZERO_IS_ONE: Final = ("fr",)
"""Languages in which nothing is singular."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One fact about a choice: its kind, the number it is about, a row, and numbers of cells or cards."""

    kind: str
    n: int | None = None
    row: str | None = None
    """The key of a row."""
    numbers: tuple[int, ...] = ()
    facts: dict[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Give the reason as plain data."""
        data: dict[str, Any] = {"kind": self.kind, "n": self.n, "row": self.row, "numbers": list(self.numbers)}
        return {name: value for name, value in {**data, **self.facts}.items() if value not in (None, [])}


# ---- facts

CLOSE_CALL: Final = "close-call"
"""The one kind of reason that is no fact about the game: nobody can say that the choice is worse than the best."""


def reasons_of(game: Game, seat: int, actions: Sequence[Action]) -> list[tuple[Reason, ...]]:
    """List what speaks for and against each of some legal actions."""
    layouts, states = game.raw()
    twins: Records = np.zeros(1, STATE)
    facts: Records = np.zeros(1, FACTS)
    trail, room, told = new_trail(), np.zeros(ACTIONS, np.int32), np.zeros(telling.MOST_TOLD, np.int32)
    found = []
    for action in actions:
        telling.reasons(layouts, states, 0, seat, action.id, twins, trail, facts, room, told)
        numbers = told[1 : told[0]].tolist()
        places = range(0, len(numbers), telling.REASON)
        found.append(tuple(_read(game.variant, numbers[at : at + telling.REASON]) for at in places))
    return found


def _read(variant: Variant, words: list[int]) -> Reason:
    """Read a reason from the numbers in which the kernel tells it."""
    kind, n, row, ways, total, count, *numbers = words
    return Reason(
        telling.KINDS[kind],
        None if n == telling.NONE else n,
        None if row == telling.NONE else variant.rows[row].key,
        tuple(numbers[:count]),
        {"k": ways, "total": total} if total else {},
    )


# ---- words


@cache
def _catalogue() -> dict[str, dict[str, str | list[str]]]:
    return tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


def sentence(variant: Variant, reason: Reason, language: str = "en") -> str:
    """Say a reason in a language. Raises `QwixxError` if nobody speaks it here."""
    if language not in LANGUAGES:
        raise QwixxError(f"Reasons are given in {', '.join(LANGUAGES)}, not in {language!r}.")
    texts = _catalogue()[language]
    text = texts[reason.kind]
    if isinstance(text, list):
        assert reason.n is not None
        is_one = reason.n == 1 or (reason.n == 0 and language in _ZERO_IS_ONE)
        text = text[0 if is_one else 1]
    rows = _row_words(variant, reason.row, texts) if reason.row is not None else {}
    shown: dict[str, Any] = {**reason.facts, **rows}
    if reason.numbers:
        shown |= {"numbers": _listed(reason.numbers, str(texts["and"])), "number": reason.numbers[0]}
    return text.format(n=reason.n, **shown)


def joined(sentences: list[str], language: str = "en") -> str:
    """Put reasons one behind the other."""
    between = str(_catalogue()[language]["between"])
    return reduce(lambda one, more: between.format(one=one, more=more), sentences) if sentences else ""


def _row_words(variant: Variant, key: str, texts: dict[str, str | list[str]]) -> dict[str, str]:
    color = COLOR_NAMES.get(key)
    if color is None:
        found = {"row": "lettered", "in_row": "in_lettered"}
        return {name: str(texts[word]).format(letter=key) for name, word in found.items()}
    colors = {"color": str(texts[color]), "color_in": str(texts.get(f"{color}_in", texts[color]))}
    return {name: str(texts[name]).format(**colors) for name in ("row", "in_row")}


def _listed(numbers: tuple[int, ...], word: str) -> str:
    """Write numbers one after the other: `2, 3 and 5`."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} {word} {last}" if first else last
