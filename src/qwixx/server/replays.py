"""Finished games, step by step, with nothing hidden: everybody has seen the end."""

from __future__ import annotations

from typing import Any

import qwixx
from qwixx.server import ledger
from qwixx.server.protocol import Part, View
from qwixx.server.room import Room
from qwixx.server.telling import event_part, view_part


class Frame(Part):
    """One step of a game and what it led to; the first frame has no step."""

    step: str
    events: list[dict[str, Any]]
    view: View


class Replay(Part):
    """A whole game."""

    code: str
    variant: str
    sheet: str
    names: list[str]
    frames: list[Frame]


def replay(room: Room, lines: list[str]) -> Replay:
    """Play a finished game again and keep every step of it."""
    frames = []
    told = 0
    for game in qwixx.Game.replay(ledger.text(room, lines)):
        events = game.events[told:]
        told += len(events)
        step = "" if game.last_step is None else str(game.last_step)
        frames.append(Frame(step, [event_part(event) for event in events], view_part(game.reveal())))
    names = [seat.name for seat in room.seats]
    return Replay(room.code, room.variant, room.options.sheet or room.variant, names, frames)


def record(room: Room, lines: list[str]) -> str:
    """Write a finished game as a record."""
    return ledger.replay(room, lines).record()
