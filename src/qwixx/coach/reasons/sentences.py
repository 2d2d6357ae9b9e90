"""
Reasons why a choice is good or bad: facts with their numbers, and a sentence for each.

Every reason is an effect that the kernel computes, or follows from counting dice (`select_reasons`). The sentences of
all languages are in `sentences.toml`; the page uses the same file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import cache, reduce
from pathlib import Path
from typing import Any, Final

import numpy as np
from msgspec import Struct, to_builtins

from qwixx.base.languages import LANGUAGES, form_for
from qwixx.coach.reasons import select_reasons
from qwixx.errors import QwixxError
from qwixx.game.game import Game
from qwixx.kernel.decision_effects import FACTS
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, STATE, Records
from qwixx.text.effect_texts import effect_text
from qwixx.text.italian import elide_articles
from qwixx.text.notation import Action
from qwixx.variants.model import COLOR_NAMES, Variant


class Reason(Struct, frozen=True, omit_defaults=True):
    """A fact for or against a choice, as data; `sentence` and the page have the words."""

    kind: str
    n: int | None = None
    """The thing that the fact counts."""
    row: str | None = None
    """The key of a row."""
    numbers: tuple[int, ...] = ()
    """Numbers of cells or cards."""
    k: int | None = None
    """Number of rolls in which the white dice show one of the numbers."""
    total: int | None = None
    """Number of all rolls."""

    @property
    def facts(self) -> dict[str, int]:
        """The numbers of rolls by name, if the reason has them."""
        return {name: value for name, value in (("k", self.k), ("total", self.total)) if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """Return the reason as plain data, as JSON has it."""
        data: dict[str, Any] = to_builtins(self)
        return data | {"numbers": list(self.numbers)} if self.numbers else data


# ---- facts

CLOSE_CALL: Final = "close-call"
"""The only kind that is not a fact about the game: the values are too inexact to tell the choice from the best."""


def reasons_of(game: Game, seat: int, actions: Sequence[Action]) -> list[tuple[Reason, ...]]:
    """Return the reasons for and against each of the given legal actions."""
    layouts, states = game.raw()
    copies: Records = np.zeros(1, STATE)
    facts: Records = np.zeros(1, FACTS)
    log, legal, out = new_log(), np.zeros(ACTIONS, np.int32), np.zeros(select_reasons.REASON_BUFFER, np.int32)
    result = []
    for action in actions:
        select_reasons.reasons(layouts, states, 0, seat, action.id, copies, log, facts, legal, out)
        numbers = out[1 : out[0]].tolist()
        places = range(0, len(numbers), select_reasons.REASON)
        result.append(tuple(_read(game.variant, numbers[at : at + select_reasons.REASON]) for at in places))
    return result


def _read(variant: Variant, words: list[int]) -> Reason:
    """Read a reason from the integers that the kernel wrote."""
    kind, n, row, ways, total, count, *numbers = words
    return Reason(
        select_reasons.KINDS[kind],
        None if n == select_reasons.NONE else n,
        None if row == select_reasons.NONE else variant.rows[row].key,
        tuple(numbers[:count]),
        ways if total else None,
        total or None,
    )


# ---- words


@cache
def _catalogue() -> dict[str, dict[str, str | list[str]]]:
    return tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))


def sentence(variant: Variant, reason: Reason, language: str = "en") -> str:
    """Return a reason as a sentence. Raises `QwixxError` for an unknown language."""
    if language not in LANGUAGES:
        raise QwixxError(f"Reasons are available in {', '.join(LANGUAGES)}, not in {language!r}.")
    texts = _catalogue()[language]
    kind, _, effect = reason.kind.partition("-") if reason.kind not in texts else (reason.kind, "", "")
    text = form_for(texts[kind], reason.n or 0, language)
    rows = _row_words(variant, reason.row, texts) if reason.row is not None else {}
    shown: dict[str, Any] = {**reason.facts, **rows}
    if effect:
        shown["effect"] = effect_text(effect if reason.n is None else f"{effect}-{reason.n}", language)
    if reason.numbers:
        shown |= {"numbers": _listed(reason.numbers, str(texts["and"])), "number": reason.numbers[0]}
    found = text.format(n=reason.n, **shown)
    return elide_articles(found) if language == "it" else found


def joined(sentences: list[str], language: str = "en") -> str:
    """Join sentences to one text."""
    between = str(_catalogue()[language]["between"])
    return reduce(lambda one, more: between.format(one=one, more=more), sentences) if sentences else ""


def _row_words(variant: Variant, key: str, texts: dict[str, str | list[str]]) -> dict[str, str]:
    color = COLOR_NAMES.get(key)
    if color is None:
        number = variant.row_number(key)
        found = {"row": "numbered", "in_row": "in_numbered"}
        return {name: str(texts[word]).format(number=number) for name, word in found.items()}
    colors = {"color": str(texts[color]), "color_in": str(texts.get(f"{color}_in", texts[color]))}
    return {name: str(texts[name]).format(**colors) for name in ("row", "in_row")}


def _listed(numbers: tuple[int, ...], word: str) -> str:
    """Join numbers to a list: `2, 3 and 5`."""
    *first, last = map(str, numbers)
    return f"{', '.join(first)} {word} {last}" if first else last
