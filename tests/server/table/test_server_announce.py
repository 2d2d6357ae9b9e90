"""Announced closings (C14): when a table announces them, and what nobody may learn from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import qwixx
from qwixx.server.base.errors import Refused
from qwixx.server.room.room import Room, new_room
from qwixx.server.room.seats import Seat
from qwixx.server.wire import messages
from support.server.in_process_tables import Guest, sit, some_tables
from support.server.live_server import run

FIVE = "r=2,3,4,5,6"
CLASSIC = f"classic active=0 phase=white roll=66/1111 | {FIVE} | {FIVE} | {FIVE}"
BONUS = "bonus-a active=0 phase=white roll=23/6666 | r=2,4,5,7,11 | r=2,4,5,7,11 | -"
"""Yellow 5 and blue 5 are boxed, and the first cell of the bar is red: each of them crosses red 12, too (BA2, BA5)."""


def _room(variant: str, people: int, **options: Any) -> Room:
    room = new_room(variant, "")
    room.seats = [Seat(f"Person {number}", key=f"key {number}") for number in range(people)]
    room.add_bot("normal")
    room.change(messages.SetOptions(**options))
    return room


def test_closings_are_announced_with_two_or_more_people() -> None:
    """The default follows the people in the lobby; what was chosen stays (C14)."""
    assert [_room("classic", people).announces for people in (1, 2, 3)] == [False, True, True]
    assert _room("classic", 1, announce=True).announces
    assert not _room("classic", 3, announce=False).announces
    room = _room("longo", 2)
    room.remove(1, bot=False)
    assert not room.announces
    room.add_person("Ben", "another key")
    assert room.announces
    room.stage = "playing"
    room.seats[0].kind = "bot"  # a bot plays for a person who has left for a while
    assert room.announces


def test_nothing_is_announced_where_nobody_could_join() -> None:
    """Closing is personal with cards, only one player acts in the duel, and today's roll is a contest (K7, D5, C14)."""
    for variant in ("cards", "cards-joker", "duel"):
        assert not _room(variant, 1, announce=False).announces
        with pytest.raises(Refused) as refused:
            _room(variant, 1, announce=True)
        assert refused.value.code == "bad-options"
    room = _room("classic", 2, announce=True)
    room.day = "2026-11-18"
    assert not room.announces


def _received(tmp_path: Path, position: str, choices: list[tuple[int, str]]) -> tuple[list[str], list[str]]:
    """Play choices of three people in an open window; return all that Cleo and a spectator were sent."""
    found: list[list[str]] = []

    async def play() -> None:
        async with some_tables(tmp_path) as tables:
            game = qwixx.Game.from_position(position)
            table, guests, _ = await sit(tables, "Anna", "Ben", "Cleo", variant=game.variant.id)
            watcher = Guest(table, address="192.0.2.9")
            await guests[0].ask(messages.Start())
            await watcher.settled()
            table.dealer.core.game = game
            table.dealer.core.phase += 1
            begin = [len(each.transport.received) for each in (guests[2], watcher)]
            for seat, action in choices:
                answer = await guests[seat].ask(messages.Decide(seat, table.dealer.phase, action))
                assert "error" not in [message["t"] for message in answer], answer
            for each, first in zip((guests[2], watcher), begin, strict=True):
                await each.settled()
                found.append([json.dumps(message) for message in each.transport.received[first:]])

    run(play())
    return found[0], found[1]


def test_other_choices_stay_hidden(tmp_path: Path) -> None:
    """Whatever Anna chooses besides a closing, others get the same before and after Ben's closing (C14)."""
    worlds = []
    for number, choice in enumerate(("g12", "b12", "pass")):
        folder = tmp_path / str(number)
        folder.mkdir()
        worlds.append(_received(folder, CLASSIC, [(0, choice), (1, "r12")]))
    assert worlds[0] == worlds[1] == worlds[2]
    for received in worlds[0]:
        states = [message for message in map(json.loads, received) if message["t"] == "state"]
        assert [state.get("announced") for state in states] == [None, {"1": ["r"]}]


def test_an_announcement_tells_the_row_alone(tmp_path: Path) -> None:
    """Two chains that close red look the same to the others: neither the cell nor the chain is shown (C14, BA5)."""
    worlds = []
    for number, choice in enumerate(("y5", "b5")):
        folder = tmp_path / str(number)
        folder.mkdir()
        worlds.append(_received(folder, BONUS, [(0, choice)]))
    assert worlds[0] == worlds[1]
    states = [message for message in map(json.loads, worlds[0][0]) if message["t"] == "state"]
    assert [state["announced"] for state in states] == [{"0": ["r"]}]
