"""
What is said before a seat decides: what crossing nothing costs, which rows an action closes, whether it ends the game.

Everything is tried out on a copy, as if nobody else crossed anything: what others have chosen in secret must not show.
"""

from __future__ import annotations

from functools import cache

import qwixx
from qwixx.errors import QwixxError
from qwixx.events import GameOver, Locked, Missed
from qwixx.server.pieces import Mine


def mine(game: qwixx.Game, seat: int, choice: str | None) -> Mine:
    """Say what one seat may do, what that would lead to, and what it has chosen."""
    legal = [action.text for action in game.legal(seat)]
    told = Mine(legal, choice, 0, False, {}, [])
    nothing = [text for text in legal if _is_nothing(text)]
    # Whatever crosses nothing leads to the same; while others are waited for, to nothing yet.
    if nothing and len(game.deciders()) == 1:
        _foretell(told, game, seat, nothing[0])
        told.ends = nothing if told.ends else []
    for text in legal:
        if not _is_nothing(text) and not text.startswith("take:") and _may_close(game.variant, text):
            _foretell(told, game, seat, text)
    return told


def _foretell(told: Mine, game: qwixx.Game, seat: int, text: str) -> None:
    twin = game.copy()
    events = _decide_alone(twin, seat, text)
    rows = [event.row for event in events if isinstance(event, Locked) and event.seat == seat]
    if rows:
        told.closes[text] = rows
    if any(isinstance(event, GameOver) for event in events):
        told.ends.append(text)
    if _is_nothing(text) and any(isinstance(event, Missed) and event.seat == seat for event in events):
        told.pass_miss = True
        told.pass_cost = game.scores()[seat] - twin.scores()[seat]


def _is_nothing(text: str) -> bool:
    return text == "pass" or (text.startswith("play:") and "=" not in text)


def _may_close(rules: qwixx.Variant, text: str) -> bool:
    """Leave out what cannot have such consequences: most cells close nothing, and trying takes time."""
    if rules.bar or rules.pairs or rules.is_duel:
        return True  # bonuses reach other cells, and the duel ends with the last pawn, too
    cells = text.partition("=")[2].split(",") if text.startswith("play:") else [text]
    return not _closing_cells(rules).isdisjoint(cells)


@cache
def _closing_cells(rules: qwixx.Variant) -> frozenset[str]:
    return frozenset(f"{row.key}{cell.value}" for row in rules.rows for cell in row.cells[row.closes_from :])


def _decide_alone(twin: qwixx.Game, seat: int, text: str) -> list[qwixx.Event]:
    """Let a seat decide while everybody else passes; a choice that was made already is changed to that."""
    owing = [other for other in twin.deciders() if other != seat]
    for other in range(twin.seats):
        if other != seat and other not in owing:
            _pass(twin, other)
    events = twin.decide(seat, text)
    for other in owing:
        events += _pass(twin, other)
    return events


def _pass(twin: qwixx.Game, seat: int) -> list[qwixx.Event]:
    try:
        return twin.decide(seat, "pass")
    except QwixxError:
        return []  # the seat is not asked in this window
