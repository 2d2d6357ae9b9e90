"""
Previews the actions of a seat: the cost of a pass, the rows that an action closes, whether it ends the game.

The kernel plays each action on a copy, as if no other player crossed anything: secret choices must not show.
"""

from __future__ import annotations

from typing import Final

import qwixx
from qwixx.server.wire.message_parts import SeatState

_PASSING, _CLOSING, _HARMLESS = range(3)
"""Kinds of actions: cross nothing; may close a row or end the game; all others."""
_PLAY: Final = "play:"


def preview_seat(game: qwixx.Game, seat: int, choice: str | None) -> SeatState:
    """Return the legal actions of a seat, what they lead to, and its choice."""
    legal = game.legal(seat)
    state = SeatState([action.text for action in legal], choice, 0, False, {}, [])
    if not legal:
        return state
    kinds = game.variant.derived(_Kinds)
    passes = [action for action in legal if kinds[action.text] == _PASSING]
    # All passes have the same effect; while other seats have to decide, they have none yet.
    if passes and len(game.deciders()) == 1:
        after = game.preview(seat, passes[0])
        if after.misses:
            state.pass_miss, state.pass_cost = True, -after.points
        if after.ends:
            state.ends += [action.text for action in passes]
    for action in legal:
        if kinds[action.text] == _CLOSING:
            after = game.preview(seat, action)
            if after.closes:
                state.closes[action.text] = list(after.closes)
            if after.ends:
                state.ends.append(action.text)
    return state


def rows_closed(game: qwixx.Game, seat: int, text: str) -> list[str]:
    """Return the rows that a choice in the open phase closes."""
    return list(game.preview(seat, text).closes) if game.variant.derived(_Kinds)[text] == _CLOSING else []


class _Kinds(dict[str, int]):
    """A cache: the kinds of the actions of a game by text. Plays of cards are too many to be cached."""

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
        """Return the kind of an action: most cells cannot close a row, and a preview takes time."""
        if text == "pass" or (text.startswith(_PLAY) and "=" not in text):
            return _PASSING
        if text.startswith("take:"):
            return _HARMLESS
        if self._rules.bar or self._rules.pairs or self._rules.is_duel:
            return _CLOSING  # bonuses reach other cells, and the duel ends with the last pawn, too
        cells = text.partition("=")[2].split(",") if text.startswith(_PLAY) else [text]
        return _HARMLESS if self._closing_cells.isdisjoint(cells) else _CLOSING
