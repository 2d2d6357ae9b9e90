"""Finished games, step by step, with nothing hidden: everybody has seen the end."""

from __future__ import annotations

from typing import cast

import qwixx
from qwixx.events import AnyEvent
from qwixx.game import Outcome
from qwixx.server import ledger
from qwixx.server.protocol import Part
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
    frames = []
    told = 0
    for game in qwixx.Game.replay(ledger.text(room, lines)):
        events = cast(list[AnyEvent], list(game.events[told:]))
        told += len(events)
        step = "" if game.last_step is None else str(game.last_step)
        frames.append(Frame(step, events, game.reveal()))
    outcome = game.outcome()
    assert outcome is not None, "only finished games are shown again"
    names = [seat.name for seat in room.seats]
    return Replay(room.code, room.variant, room.options.sheet or room.variant, names, outcome, frames)


def record(room: Room, lines: list[str]) -> str:
    """Write a finished game as a record."""
    return ledger.replay(room, lines).record()
