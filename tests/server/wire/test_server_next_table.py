"""A socket moves to another table: a rematch starts without a new connection."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest
from websockets.asyncio.client import connect

from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.store.write_batch import Batch
from support.server.in_process_tables import until
from support.server.live_server import Client, click, joined, open_table, run, serving

pytestmark = pytest.mark.slow


@pytest.fixture(params=["wire", "plain"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the fast socket path, or the path of any ASGI server."""
    if request.param == "plain":
        monkeypatch.setattr("qwixx.server.wire.uvicorn_versions.is_supported", lambda: False)


async def _move_on(client: Client, code: str, *, changes: bool = False) -> None:
    """Say hello at another table, and wait for its answer."""
    await client.send("hello", tokens=client.tokens, changes=changes, table=code)
    await client.until(lambda m: m["t"] == "table" and m["code"] == code)


@pytest.mark.usefixtures("_way")
def test_another_game_over_the_same_sockets(tmp_path: Path) -> None:
    """Both people keep their sockets and seats, and play the next game to its end."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna, joined(server, code) as ben:
            await ben.send("sit", name="Ben")
            await ben.until("seated")
            await anna.send("start")
            for number in range(2):
                await asyncio.gather(*(click(each, random.Random(7)) for each in (anna, ben)))
                if number:
                    break
                assert anna.room["follows"]
                for each in (anna, ben):
                    await each.send("rematch")
                for each in (anna, ben):
                    await each.until(lambda m: m["t"] == "table" and m["next"])
                following = anna.room["next"]
                for each in (anna, ben):
                    each.state = {}
                    await _move_on(each, following, changes=each is ben)
            assert (anna.room["mine"], ben.room["mine"]) == ([0], [1])
            assert (anna.room["code"], anna.room["stage"]) == (following, "over")
            assert anna.state["outcome"] == ben.state["outcome"]
            old, new = server.tables.loaded[code], server.tables.loaded[following]
            assert (len(old.connections), len(new.connections)) == (0, 2)
            assert server.tables.connections == 2

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.usefixtures("_way")
def test_the_old_table_sends_nothing_more(tmp_path: Path) -> None:
    """The old table reports the departure to those who stay, and the client gets messages of the new table only."""

    async def look() -> None:
        code, token = open_table(server, name="Anna")
        other, _ = open_table(server, name="Cleo")
        async with joined(server, code, token) as anna, joined(server, code) as ben:
            await anna.until(lambda m: m["t"] == "table" and m["watchers"] == 1)
            await ben.send("ping")
            await _move_on(ben, other)
            before = len(ben.received)
            await anna.until(lambda m: m["t"] == "table" and m["watchers"] == 0)
            await anna.send("rename", seat=0, name="Anouk")
            await anna.until(lambda m: m["t"] == "table" and m["seats"][0]["name"] == "Anouk")
            await ben.quiet()
            assert not [received for received in ben.received[before:] if code in received or "Anouk" in received]
            assert await ben.ask("stand", seat=0) == "not-your-seat"
            assert ben.room["mine"] == []

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.usefixtures("_way")
def test_tokens_are_shown_again(tmp_path: Path) -> None:
    """A seat at the next table belongs to the client that shows its token there; the old seat is given up."""

    async def look() -> None:
        code, token = open_table(server, name="Anna")
        other, others = open_table(server, name="Cleo")
        async with joined(server, code, token) as anna:
            anna.tokens = [str(others)]
            await _move_on(anna, other)
            assert anna.room["mine"] == [0]
            anna.tokens = []
            await _move_on(anna, code)
            assert anna.room["mine"] == []

    with serving(tmp_path) as server:
        run(look())


def test_moving_to_the_same_table_changes_nothing(tmp_path: Path) -> None:
    """A hello with the code of the current table, in any case, is a second hello and nothing more."""

    async def look() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna, joined(server, code) as ben:
            await anna.until(lambda m: m["t"] == "table" and m["watchers"] == 1)
            connection = next(iter(server.tables.loaded[code].connections))
            for named in (code, code.lower(), ""):
                await anna.send("hello", tokens=[token], table=named)
                await anna.quiet()
            assert next(iter(server.tables.loaded[code].connections)) is connection
            await ben.quiet()
            rooms = [received for received in ben.received if '"t":"table"' in received]
            assert all('"here":true' in room for room in rooms)

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.usefixtures("_way")
def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    """A client that moves to an unknown table gets an error and is disconnected, as with a first hello."""

    async def look() -> None:
        code, token = open_table(server, name="Anna")
        for named, close_code in (("ZZZZZZZZ", 4404), ("nonsense, and no code", 4404)):
            async with joined(server, code, token) as anna:
                assert await anna.ask("hello", tokens=[token], table=named) == "no-such-table"
                assert await anna.close_code() == close_code
        await until(lambda: not server.tables.loaded[code].connections)
        async with joined(server, code, token) as anna:
            assert await anna.ask("hello", tokens=[token], table="X" * 300) == "unreadable"

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.usefixtures("_way")
def test_the_next_message_is_for_the_next_table(tmp_path: Path) -> None:
    """A message that is sent without waiting for the answer is handled too, also while addresses take turns."""

    async def look() -> None:
        for _ in range(10):
            (code, _token), (other, _other) = (open_table(server, name="Anna") for _ in range(2))
            async with joined(server, code) as ben:
                await ben.send("hello", tokens=[], table=other)
                await ben.send("sit", name="Ben")
                await ben.until("seated")
                assert ben.room["code"] == other
                await ben.quiet()
                assert [seat["name"] for seat in ben.room["seats"]] == ["Anna", "Ben"]
                assert len(server.tables.loaded[code].room.seats) == 1

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.usefixtures("_way")
def test_a_slow_disk_gives_nobody_a_seat_of_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eve leaves her table while it is still writing, and before it has handled her second socket.

    Later results of her table about that socket do not apply to her at Bob's table.
    """
    commit = SqliteStore._commit

    def slowly(store: SqliteStore, batch: Batch) -> Exception | None:
        time.sleep(0.1)
        return commit(store, batch)

    async def look() -> None:
        own, token = open_table(server, name="Eve")
        other, _ = open_table(server, name="Bob")
        async with joined(server, other) as bob, joined(server, own, token) as busy:
            for number in range(3):
                await busy.send("rename", seat=0, name=f"Eve {number}")
                await asyncio.sleep(0.02)
                async with connect(f"ws://{server.address}/ws/{own}", compression=None) as socket:
                    eve = Client(socket)
                    eve.tokens = [str(token)]
                    await eve.send("hello", tokens=eve.tokens)
                    await _move_on(eve, other)
                    await busy.quiet()
                    await asyncio.sleep(0.15)
                    assert await eve.ask("stand", seat=0) == "not-your-seat"
                    assert eve.room["mine"] == []
            await bob.quiet()
            assert [seat["name"] for seat in bob.room["seats"]] == ["Bob"]

    with serving(tmp_path) as server:
        monkeypatch.setattr(SqliteStore, "_commit", slowly)
        run(look())


def test_a_ban_applies_between_tables(tmp_path: Path) -> None:
    """A socket that waits for its turn to move is at no table; it is refused when it reaches the next one."""

    async def look() -> None:
        codes = [str(open_table(server)[0]) for _ in range(2)]
        async with joined(server, codes[0]) as eve:
            for number in range(4):  # until it has to wait
                await eve.send("hello", tokens=[], table=codes[(number + 1) % 2])
            await until(lambda: not any(table.connections for table in server.tables.loaded.values()))
            server.tables.banned.add("127.0.0.1", 60)
            assert await eve.refusal() == "barred"
            assert await eve.close_code() == 4403

    with serving(tmp_path, request_rate=5, request_burst=10) as server:
        run(look())


def test_moving_costs_as_much_as_connecting(tmp_path: Path) -> None:
    """A client that moves from table to table without end has to wait, as for new sockets.

    Each move costs as much as five requests: six of them and the two that opened the tables are 32. 20 of these pass
    immediately, and ten per second after that.
    """

    async def look() -> None:
        begin = time.monotonic()  # before the tables open: the request budget refills meanwhile
        codes = [str(open_table(server)[0]) for _ in range(2)]
        async with joined(server, codes[0]) as anna:
            for number in range(5):
                await _move_on(anna, codes[(number + 1) % 2])
            assert time.monotonic() - begin > 1.0

    with serving(tmp_path, request_rate=10, request_burst=20) as server:
        run(look())
