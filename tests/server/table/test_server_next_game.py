"""A friend who comes too late reserves a seat in the next game."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from qwixx.server.room.room import Room
from qwixx.server.table.registry import Tables
from qwixx.server.table.table import Table
from qwixx.server.wire import messages
from support.server.in_process_tables import Guest, play, sit, some_tables, until
from support.server.live_server import run


async def _rematch(tables: Tables, table: Table, players: list[Guest]) -> Table:
    """Play to the end, agree to another game, and return its table."""
    await play(table, players)
    for each in players:
        each.send(messages.Rematch())
    await until(lambda: table.room.next)
    after = await tables.find(str(table.room.next))
    assert after is not None
    return after


def test_a_latecomer_plays_in_the_next_game(tmp_path: Path) -> None:
    """Everybody sees the name; the token that came with the reservation is good for a seat after the others."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), _ = await sit(tables, "Anna", "Ben")
            await anna.ask(messages.Start())
            eve = Guest(table, address="192.0.2.66")
            assert await anna.refusal(messages.Sit("Anna 2")) == "not-now"  # who has a seat plays already
            await eve.ask(messages.Sit("Eve"))
            kept = eve.last("seated")
            assert kept["seat"] == 2
            await anna.settled()
            rooms = [each.last("table") for each in (anna, eve)]
            assert [(room["waiting"], room["waits"], room["mine"]) for room in rooms] == [
                (["Eve"], [], [0]),
                (["Eve"], [0], []),
            ]
            assert await eve.refusal(messages.Decide(2, table.dealer.phase, "pass")) == "not-your-seat"
            back = Guest(table, kept["token"])  # as after a reload
            await back.settled()
            assert back.last("table")["waits"] == [0]
            after = await _rematch(tables, table, [anna, ben])
            assert [(seat.name, seat.kind) for seat in after.room.seats] == [
                ("Anna", "person"),
                ("Ben", "person"),
                ("Eve", "person"),
            ]
            assert [seat.name for seat in table.room.waiting] == [""]  # the name is at the next table only
            there = Guest(after, kept["token"])
            await there.settled()
            assert there.last("table")["mine"] == [2]
            assert await Guest(table, address="192.0.2.67").refusal(messages.Sit("Kim")) == "not-now"  # it has begun

    run(visit())


def test_a_bot_plays_for_a_latecomer_who_has_gone(tmp_path: Path) -> None:
    """As for all who have not agreed; a bot without a person makes room when the table is full."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), _ = await sit(tables, "Anna", "Ben")
            for level in ("easy", "normal", "easy"):
                await anna.ask(messages.AddBot(level))
            await anna.ask(messages.Start())
            eve, kim, lea, max_ = (Guest(table, address=f"192.0.2.{number}") for number in range(60, 64))
            for guest, name in ((eve, "Eve"), (kim, "Kim"), (lea, "Lea")):
                assert await guest.refusal(messages.Sit(name)) == ""
            assert await max_.refusal(messages.Sit("Max")) == "full"  # five people at most
            assert await kim.refusal(messages.Stand(5)) == "not-your-seat"
            assert await lea.refusal(messages.Stand(7)) == ""
            eve.leave()
            after = await _rematch(tables, table, [anna, ben])
            assert [(seat.name, seat.kind) for seat in after.room.seats] == [
                ("Anna", "person"),
                ("Ben", "person"),
                ("", "bot"),
                ("Eve", "bot"),
                ("Kim", "person"),
            ]

    run(visit())


def test_the_host_decides_who_plays_next(tmp_path: Path) -> None:
    """Only the host takes a name off the list; a ban also ends the connection, and a full duel has no next seat."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), _ = await sit(tables, "Anna", "Ben")
            await anna.ask(messages.Start())
            eve, kim = Guest(table, address="192.0.2.66"), Guest(table, address="192.0.2.67")
            await eve.ask(messages.Sit("Eve"))
            await kim.ask(messages.Sit("Kim"))
            assert await eve.refusal(messages.Remove(3)) == "not-your-seat"
            assert await ben.refusal(messages.Remove(2)) == "not-host"
            assert await anna.refusal(messages.Remove(4)) == "no-such-seat"
            await anna.ask(messages.Remove(2))
            await until(lambda: eve.last("table")["waiting"] == ["Kim"])
            assert eve.last("error")["code"] == "removed"
            await anna.ask(messages.Remove(2, ban=True))
            await until(lambda: kim.connection not in table.connections)
            assert kim.last("error")["code"] == "banned"
            assert anna.last("table")["waiting"] == []
            duel, (host, _), _ = await sit(tables, "Anna", "Ben", variant="duel")
            await host.ask(messages.Start())
            assert await Guest(duel).refusal(messages.Sit("Eve")) == "full"

    run(visit())


def test_lucky_pads_are_dealt_again_when_more_people_play(tmp_path: Path) -> None:
    """Chosen pads are for as many seats as there were; the next game draws them."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), _ = await sit(tables, "Anna", "Ben", variant="longo")
            await anna.ask(messages.SetOptions(lucky=["2/6", "3/9"]))
            assert table.room.options.lucky == ["2/6", "3/9"]
            await anna.ask(messages.Start())
            await Guest(table, address="192.0.2.66").ask(messages.Sit("Eve"))
            after = await _rematch(tables, table, [anna, ben])
            assert len(after.room.seats) == 3
            assert after.room.options.lucky is None

    run(visit())


def test_a_reservation_is_not_lost_while_the_next_table_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its seats are chosen by then: a latecomer is refused, and comes to the next table instead."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), _ = await sit(tables, "Anna", "Ben")
            await anna.ask(messages.Start())
            await play(table, [anna, ben])
            begun, may_end, open_rematch = asyncio.Event(), asyncio.Event(), tables.open_rematch

            async def slowly(room: Room, agreed: list[int]) -> str:
                begun.set()
                await may_end.wait()
                return await open_rematch(room, agreed)

            monkeypatch.setattr(tables, "open_rematch", slowly)
            for each in (anna, ben):
                each.send(messages.Rematch())
            await begun.wait()
            eve = Guest(table, address="192.0.2.66")
            assert await eve.refusal(messages.Sit("Eve")) == "not-now"
            assert table.room.waiting == []
            may_end.set()
            await until(lambda: table.room.next)

    run(visit())


def test_keys_of_seats_that_were_given_up_are_forgotten(tmp_path: Path) -> None:
    """Who sits down and stands up all day keeps the keys of their seats, and no others."""

    async def visit() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, _ben), _ = await sit(tables, "Anna", "Ben")
            eve = Guest(table, address="192.0.2.66")
            for _ in range(5):
                await eve.ask(messages.Sit("Eve"))
                await eve.ask(messages.Stand(2))
            await eve.ask(messages.Sit("Eve"))
            await eve.ask(messages.Sit("Eve 2"))
            own = [seat.key for seat in table.room.seats if seat.name.startswith("Eve")]
            assert eve.connection.keys == own
            assert len(own) == 2
            await anna.settled()

    run(visit())
