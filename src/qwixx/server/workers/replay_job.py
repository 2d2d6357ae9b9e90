"""Replays of finished games, step by step. Only withdrawn choices stay hidden: the game is over."""

from __future__ import annotations

from typing import cast

from qwixx.game.events import AnyEvent
from qwixx.game.game import Outcome
from qwixx.game.view import View
from qwixx.server.room import integrity, ledger
from qwixx.server.room.room import Room
from qwixx.server.wire.message_parts import Payload


class Frame(Payload):
    """One step of a game with its events and the view after it; the first frame has no step."""

    step: str
    events: list[AnyEvent]
    view: View


class Replay(Payload):
    """A whole game."""

    code: str
    variant: str
    sheet: str
    names: list[str]
    outcome: Outcome
    frames: list[Frame]


def replay(room: Room, lines: list[str]) -> Replay:
    """Replay a finished game; return every step of it."""
    frames: dict[int, Frame] = {}
    outcome = None
    for moment in integrity.replay(room, lines):
        game = moment.game
        step = "" if game.last_step is None else str(game.last_step)
        if moment.replaces is None:
            events = [*moment.asides, *cast(list[AnyEvent], moment.events)]
            frames[moment.line] = Frame(step, events, game.reveal())
        else:
            frames[moment.replaces].step = step  # the changed choice had the same visible events
        outcome = game.outcome()
    assert outcome is not None, "only finished games are replayed"
    names = [seat.name for seat in room.seats]
    sheet = room.options.sheet or room.variant
    return Replay(room.code, room.variant, sheet, names, outcome, list(frames.values()))


def record(room: Room, lines: list[str]) -> str:
    """Return the record of a finished game."""
    written = {number: line for number, line in enumerate(lines, 1) if ledger.is_remark(line)}
    scores = None
    for moment in integrity.replay(room, lines):
        if moment.line:
            written[moment.line if moment.replaces is None else moment.replaces] = lines[moment.line - 1]
        scores = moment.game.scores() if moment.game.is_over else None
    return ledger.record_text(room, [written[number] for number in sorted(written)], scores)
