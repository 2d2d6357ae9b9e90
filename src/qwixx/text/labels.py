"""Rows, cells, cards and refusals in the language of the terminal; `page/src/words/labels.ts` is the page's twin."""

from __future__ import annotations

import re
from collections.abc import Mapping

from qwixx.errors import QwixxError, Refusal, RefusedError
from qwixx.text.catalogue import has, t
from qwixx.text.notation import TRACK_WORD
from qwixx.variants.model import COLORS, Variant

_KEYS = frozenset(COLORS)
"""The keys of rows that are named by their color; that of a bonus row has two letters."""
_FACTS = ("crossed", "have", "number", "sum")
"""Details of a refusal that have a sentence of their own."""


def row_name(key: str) -> str:
    """Return a row within a sentence: "the red row", or "row A" and "row ry" if it has no color of its own."""
    return t(f"row.{key}") if key in _KEYS else t("row.mixed", row=key)


def cell_name(cell: str) -> str:
    """Return a cell within a sentence: "red 7", "7 in row A", "the small field after red 3", or "the track"."""
    if cell == TRACK_WORD:
        return t("cli.cell.track")
    if cell.endswith("+"):
        return t("cli.cell.small", cell=cell_name(cell.removesuffix("+")))
    key, value = _split(cell)
    return t(f"cell.{key}", value=value) if key in _KEYS else t("cell.mixed", row=key, value=value)


def card_name(card: str) -> str:
    """Return a card: "red 7", or "joker 7"."""
    key, value = _split(card)
    return t("cell.label", color=t(f"color.{key}"), value=value) if key in COLORS else t("card.joker", value=value)


def _split(cell: str) -> tuple[str, str]:
    """Return the key of a row, or the letter of a card, and the number."""
    key, value, _ = re.split(r"(\d+)", cell, maxsplit=1)
    return key, value


def game_name(variant: Variant) -> str:
    """Return the name of a game, as printed on its box; a custom sheet has its own."""
    return t(f"game.{variant.id}.printed") if variant.builtin else variant.name


def sentence(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def refusal_text(refusal: Refusal) -> str:
    """Return why something is refused, and the id of the rule."""
    facts = refusal.details
    # The first text for which the refusal has all values; the terminal has texts of its own about what to type.
    keys = [f"why.{refusal.code}.{fact}" for fact in _FACTS if fact in facts and (fact != "crossed" or facts[fact])]
    keys += [f"cli.why.{refusal.code}", f"why.{refusal.code}"]
    text = t(next(filter(has, keys)), **_named(facts))
    return f"{sentence(text)} ({refusal.rule})"


def _named(facts: Mapping[str, str | int]) -> dict[str, str | int]:
    """Return the details of a refusal with the names of rows, cells and colors in place of their letters."""
    values = dict(facts)
    if "row" in facts:
        values["row"] = row_name(str(facts["row"]))
    if "cell" in facts:
        values |= {"cell": cell_name(str(facts["cell"])), "example": f"{facts['cell']}>{facts.get('row', '')}"}
    if "color" in facts:
        values["color"] = t(f"color.{facts['color']}")
    return values


def error_text(error: QwixxError) -> str:
    """Return an error in the language of the terminal; an error that is not for players is in English."""
    if isinstance(error, RefusedError):
        return refusal_text(error.refusal)
    return t(f"cli.error.{error.code}", **error.details) if error.code else str(error)
