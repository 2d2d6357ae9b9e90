"""Finished games, step by step, with nothing hidden but choices that were taken back: everybody has seen the end."""

from __future__ import annotations

from typing import cast

from qwixx.events import AnyEvent
from qwixx.game import Outcome
from qwixx.server import ledger
from qwixx.server.pieces import Part
from qwixx.server.room import Room
from qwixx.view import View


class Frame(Part):
    """One step of a game and what it led to; the first frame has no step."""

    step: str
    events: list[AnyEvent]
    view: View


class Replay(Part):
    """A whole game."""

    code: str
    variant: str
    sheet: str
    names: list[str]
    outcome: Outcome
    frames: list[Frame]


def replay(room: Room, lines: list[str]) -> Replay:
    """Play a finished game again and keep every step of it."""
    frames: dict[int, Frame] = {}
    outcome = None
    for moment in ledger.moments(room, lines):
        game = moment.game
        step = "" if game.last_step is None else str(game.last_step)
        if moment.replaces is None:
            events = [*moment.asides, *cast(list[AnyEvent], moment.events)]
            frames[moment.line] = Frame(step, events, game.reveal())
        else:
            frames[moment.replaces].step = step  # what others saw of the choice was the same
        outcome = game.outcome()
    assert outcome is not None, "only finished games are shown again"
    names = [seat.name for seat in room.seats]
    sheet = room.options.sheet or room.variant
    return Replay(room.code, room.variant, sheet, names, outcome, list(frames.values()))


def record(room: Room, lines: list[str]) -> str:
    """Write a finished game as a record."""
    kept = {number: line for number, line in enumerate(lines, 1) if ledger.is_remark(line)}
    scores = None
    for moment in ledger.moments(room, lines):
        if moment.line:
            kept[moment.line if moment.replaces is None else moment.replaces] = lines[moment.line - 1]
        scores = moment.game.scores() if moment.game.is_over else None
    return ledger.text(room, [kept[number] for number in sorted(kept)], scores)
