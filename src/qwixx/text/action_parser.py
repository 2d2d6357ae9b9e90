"""Parse the text of an action. The kernel decides whether a play of cards is an action."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qwixx.errors import IllegalAction, NotationError
from qwixx.kernel import api
from qwixx.kernel.state.records import CELLS, DISPLAY, PASS, TAKES, TIES
from qwixx.text.notation import MAX_CHARS, quote, read_card, read_cell, read_mark, row_keys
from qwixx.text.refusal_sentences import explain_play
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant


def read_action(variant: Variant, hand: Sequence[int], text: str) -> int:
    """Return the action of a text; `hand` are the cards of the seat, for card actions. Raises `NotationError`."""
    if len(text) > MAX_CHARS:
        raise NotationError("That is too long for an action.")
    word = "".join(text.split())
    if word == "pass":
        return PASS
    if word.startswith("take:"):
        return _read_take(word)
    if word.startswith("play:"):
        return _read_play(variant, hand, word)
    cell, tie, key = word.partition(">")
    if not tie:
        return read_mark(variant, cell)
    if key not in row_keys(variant):
        raise NotationError(f"{quote(key)} is no row; rows are {', '.join(row_keys(variant))}.")
    return TIES + row_keys(variant).index(key) * CELLS + read_cell(variant, cell)


def _read_take(word: str) -> int:
    places = 0
    for place in word.removeprefix("take:").split(","):
        if place not in [str(n + 1) for n in range(DISPLAY)] or places >> int(place) - 1 & 1:
            raise NotationError(f"{quote(word)}: name different places of the display, such as take:2 or take:1,3.")
        places |= 1 << int(place) - 1
    return TAKES + places


def _read_play(variant: Variant, hand: Sequence[int], word: str) -> int:
    """Read a play: the cards, and the cells whose numbers are crossed (K5)."""
    played, equals, crossed = word.removeprefix("play:").partition("=")
    cards = sorted(read_card(card) for card in played.split(","))
    cells = sorted(read_cell(variant, cell) for cell in crossed.split(",")) if equals else []
    if len(set(cards)) != len(cards) or len(set(cells)) != len(cells):
        raise NotationError(f"{quote(word)}: name each card and each cell once.")
    layouts = compile_layout(variant)
    action = api.find_play(layouts, np.array(hand, np.int32), np.array(cards, np.int32), np.array(cells, np.int32))
    if action < 0:
        raise IllegalAction(explain_play(variant, hand, cards, cells, -action))
    return action
