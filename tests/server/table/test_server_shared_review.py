"""The review together: one person leads, all follow, and nobody reviews a game that still runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from qwixx.server.limits.declared import GAME_LINES
from qwixx.server.wire import messages
from qwixx.server.wire.messages import Lead, PointAt, StopLeading, parse
from support.server.in_process_tables import Guest, play, sit, some_tables
from support.server.live_server import run


def nothing(_legal: list[str]) -> str:
    """Cross nothing: four misses and it is over."""
    return "pass"


def test_one_person_leads_and_all_see_where(tmp_path: Path) -> None:
    """People and spectators get every move, late-comers the last one; only the leader may point."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), tokens = await sit(tables, "Anna", "Ben")
            assert await anna.refusal(Lead(0)) == "not-now", "before the start"
            await anna.ask(messages.Start())
            assert await anna.refusal(Lead(0)) == "not-now", "a review of a running game would be a hint"
            assert await anna.refusal(PointAt(3, 0)) == "not-now"
            await play(table, [anna, ben], nothing)
            watcher = Guest(table)
            assert await watcher.refusal(Lead(0)) == "not-your-seat"
            assert await anna.refusal(Lead(1)) == "not-your-seat"
            assert await anna.refusal(Lead(7)) == "no-such-seat"
            assert await anna.refusal(PointAt(3, 0)) == "not-now", "nobody leads"
            await anna.ask(Lead(0))
            assert [each.last("table")["leader"] for each in (anna, ben, watcher)] == [0, 0, 0]
            for sender in (ben, watcher):
                assert await sender.refusal(PointAt(3, 0)) == "not-now"
            assert await ben.refusal(Lead(1)) == "not-now", "the leader is here"
            assert await ben.refusal(StopLeading()) == "not-now"
            assert await watcher.refusal(StopLeading()) == "not-your-seat"
            assert await anna.refusal(PointAt(3, 2)) == "no-such-seat"
            assert not [each for each in ben.transport.received if each["t"] == "pointer"]
            await anna.ask(PointAt(3, 1, "y7", "pass"))
            shown = {"t": "pointer", "frame": 3, "seat": 1, "cell": "y7", "tried": "pass"}
            for guest in (ben, watcher):
                await guest.settled()
                assert guest.last("pointer") == shown
            late = Guest(table)
            await late.settled()
            assert (late.last("table")["leader"], late.last("pointer")) == (0, shown)
            # Moves that come together are one message: the last place counts.
            before = len(ben.transport.received)
            for frame in range(4, 9):
                anna.send(PointAt(frame, 0))
            await anna.settled()
            await ben.settled()
            frames = [each["frame"] for each in ben.transport.received[before:] if each["t"] == "pointer"]
            assert (frames[-1], len(frames) < 5) == (8, True)
            await anna.ask(StopLeading())
            assert ben.last("table")["leader"] is None
            again = Guest(table, tokens[1])
            await again.settled()
            assert not [each for each in again.transport.received if each["t"] == "pointer"]

    run(visit())


def test_the_lead_is_handed_over_or_taken_when_the_leader_has_left(tmp_path: Path) -> None:
    """The next leader begins where the last one pointed; those who are left may also end it."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), tokens = await sit(tables, "Anna", "Ben", bots=["easy"])
            await play(table, [anna, anna, ben], nothing)
            await anna.ask(Lead(0))
            await anna.ask(PointAt(5, 1))
            assert await anna.refusal(Lead(1)) == "not-now", "a bot leads nobody"
            await anna.ask(Lead(2))
            assert await anna.refusal(PointAt(6, 0)) == "not-now"
            await ben.ask(PointAt(7, 0))
            assert anna.last("pointer")["frame"] == 7
            ben.leave()
            await anna.settled()
            assert anna.last("table")["leader"] == 2
            await anna.ask(Lead(0))
            ben = Guest(table, tokens[1])
            await ben.settled()
            assert (ben.last("table")["leader"], ben.last("pointer")["frame"]) == (0, 7)
            anna.leave()
            await ben.ask(StopLeading())
            assert ben.last("table")["leader"] is None

    run(visit())


@pytest.mark.parametrize(
    "fields",
    [
        {"frame": -1, "seat": 0},
        {"frame": messages.MAX_FRAME + 1, "seat": 0},
        {"frame": 1, "seat": 10},
        {"frame": 1, "seat": 0, "cell": "r7 y7"},
        {"frame": 1, "seat": 0, "cell": "r23456789"},
        {"frame": 1, "seat": 0, "tried": "x" * 257},
    ],
)
def test_a_pointer_is_bounded(fields: dict[str, Any]) -> None:
    """Nothing else can be sent to the others by it; and the longest game fits."""
    assert parse(messages.encode({"t": "point", **fields})) is None
    assert parse(messages.encode({"t": "point", "frame": GAME_LINES.fixed, "seat": 0})) is not None
