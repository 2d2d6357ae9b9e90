"""
What is said before a seat decides: what crossing nothing costs, which rows an action closes, whether it ends the game.

The kernel tries everything out on a copy, as if nobody else crossed anything: what others have chosen in secret must
not show.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import qwixx
from qwixx.server.pieces import Mine

_NOTHING, _CLOSING, _HARMLESS = range(3)
"""Kinds of actions: what crosses nothing, what may close a row or end the game, and all the others."""
_PLAY: Final = "play:"


def mine(game: qwixx.Game, seat: int, choice: str | None) -> Mine:
    """Say what one seat may do, what that would lead to, and what it has chosen."""
    legal = game.legal(seat)
    told = Mine([action.text for action in legal], choice, 0, False, {}, [])
    if not legal:
        return told
    kinds = _kinds_of(game.variant)
    nothing = [action for action in legal if kinds[action.text] == _NOTHING]
    # Whatever crosses nothing leads to the same; while others are waited for, to nothing yet.
    if nothing and len(game.deciders()) == 1:
        after = game.foretell(seat, nothing[0])
        if after.misses:
            told.pass_miss, told.pass_cost = True, -after.points
        if after.ends:
            told.ends += [action.text for action in nothing]
    for action in legal:
        if kinds[action.text] == _CLOSING:
            after = game.foretell(seat, action)
            if after.closes:
                told.closes[action.text] = list(after.closes)
            if after.ends:
                told.ends.append(action.text)
    return told


class _Kinds(dict[str, int]):
    """The kinds of a game's actions, by their texts; plays of cards come in too many ways to be remembered."""

    def __init__(self, rules: qwixx.Variant) -> None:
        super().__init__()
        self._rules = rules
        self._closing_cells = {f"{row.key}{cell.value}" for row in rules.rows for cell in row.cells[row.closes_from :]}

    def __missing__(self, text: str) -> int:
        kind = self._kind(text)
        if not text.startswith(_PLAY):
            self[text] = kind
        return kind

    def _kind(self, text: str) -> int:
        """Tell what an action may lead to: most cells close nothing, and trying takes time."""
        if text == "pass" or (text.startswith(_PLAY) and "=" not in text):
            return _NOTHING
        if text.startswith("take:"):
            return _HARMLESS
        if self._rules.bar or self._rules.pairs or self._rules.is_duel:
            return _CLOSING  # bonuses reach other cells, and the duel ends with the last pawn, too
        cells = text.partition("=")[2].split(",") if text.startswith(_PLAY) else [text]
        return _HARMLESS if self._closing_cells.isdisjoint(cells) else _CLOSING


@cache
def _kinds_of(rules: qwixx.Variant) -> _Kinds:
    return _Kinds(rules)
