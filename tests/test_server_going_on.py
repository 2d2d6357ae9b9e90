"""A socket goes on to another table: another game begins without a new connection."""

from __future__ import annotations

import asyncio
import random
import time
from pathlib import Path

import pytest

from guests import until
from serving import Client, click, joined, open_table, run, serving


@pytest.fixture(params=["wire", "plain"])
def _way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Take the short way to the pages, or that of any ASGI server."""
    if request.param == "plain":
        monkeypatch.setattr("qwixx.server.versions.fits", lambda: False)


async def _go_on(client: Client, code: str, *, changes: bool = False) -> None:
    """Say hello at another table, and wait until it has answered."""
    await client.send("hello", tokens=client.tokens, changes=changes, table=code)
    await client.until(lambda m: m["t"] == "table" and m["code"] == code)


@pytest.mark.usefixtures("_way")
def test_another_game_over_the_same_sockets(tmp_path: Path) -> None:
    """Both people go on with what they have, sit where they sat, and play the next game to its end."""

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
                    await _go_on(each, following, changes=each is ben)
            assert (anna.room["mine"], ben.room["mine"]) == ([0], [1])
            assert (anna.room["code"], anna.room["stage"]) == (following, "over")
            assert anna.state["outcome"] == ben.state["outcome"]
            old, new = server.tables.loaded[code], server.tables.loaded[following]
            assert (len(old.connections), len(new.connections)) == (0, 2)
            assert server.tables.connections == 2

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.usefixtures("_way")
def test_the_table_that_was_left_says_nothing_more(tmp_path: Path) -> None:
    """It knows who has left, tells those who stay, and whoever went on hears only of the new one."""

    async def look() -> None:
        code, token = open_table(server, name="Anna")
        other, _ = open_table(server, name="Cleo")
        async with joined(server, code, token) as anna, joined(server, code) as ben:
            await anna.until(lambda m: m["t"] == "table" and m["watchers"] == 1)
            await ben.send("ping")
            await _go_on(ben, other)
            before = len(ben.heard)
            await anna.until(lambda m: m["t"] == "table" and m["watchers"] == 0)
            await anna.send("rename", seat=0, name="Anouk")
            await anna.until(lambda m: m["t"] == "table" and m["seats"][0]["name"] == "Anouk")
            await ben.quiet()
            assert not [heard for heard in ben.heard[before:] if code in heard or "Anouk" in heard]
            assert await ben.ask("stand", seat=0) == "not-your-seat"
            assert ben.room["mine"] == []

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.usefixtures("_way")
def test_tokens_are_shown_anew(tmp_path: Path) -> None:
    """A seat at the next table belongs to who shows its token there, and the one before is given up."""

    async def look() -> None:
        code, token = open_table(server, name="Anna")
        other, others = open_table(server, name="Cleo")
        async with joined(server, code, token) as anna:
            anna.tokens = [str(others)]
            await _go_on(anna, other)
            assert anna.room["mine"] == [0]
            anna.tokens = []
            await _go_on(anna, code)
            assert anna.room["mine"] == []

    with serving(tmp_path) as server:
        run(look())


def test_its_own_table_is_stayed_at(tmp_path: Path) -> None:
    """A hello that names the table where one is, in capitals or small letters, is a second hello and nothing more."""

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
            rooms = [heard for heard in ben.heard if '"t":"table"' in heard]
            assert all('"here":true' in room for room in rooms)

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.usefixtures("_way")
def test_a_table_that_is_not_there(tmp_path: Path) -> None:
    """Whoever goes on to nowhere hears so and is hung up on, as if that table had been asked for at first."""

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


def test_going_on_costs_as_much_as_coming(tmp_path: Path) -> None:
    """
    Who goes from table to table without end has to wait, as for new sockets.

    Each takes the time of five requests: six of them and the two that opened the tables are 32, of which 20 pass at
    once and ten a second after that.
    """

    async def look() -> None:
        codes = [str(open_table(server)[0]) for _ in range(2)]
        async with joined(server, codes[0]) as anna:
            begin = time.monotonic()
            for number in range(5):
                await _go_on(anna, codes[(number + 1) % 2])
            assert time.monotonic() - begin > 1.0

    with serving(tmp_path, request_rate=10, request_burst=20) as server:
        run(look())
