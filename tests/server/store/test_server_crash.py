"""Crash safety: kill the server at any moment, and every move that a client saw is on disk."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import connect

import qwixx
from qwixx.errors import QwixxError
from qwixx.server.room import ledger
from qwixx.server.room.room import Room
from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.table import core, registry
from support.server.live_server import Client, ServerProcess, click, joined, open_table, run, seated, serving

pytestmark = pytest.mark.slow


def _read(path: Path, code: str) -> tuple[Room, list[str]]:
    """Read a table from the file."""
    with contextlib.closing(sqlite3.connect(path)) as database:
        (room,) = database.execute("SELECT room FROM tables WHERE code = ?", (code,)).fetchone()
        lines = database.execute("SELECT line FROM ledger WHERE code = ? ORDER BY step", (code,)).fetchall()
    return msgspec.json.decode(room, type=Room), [line for (line,) in lines]


def _events_received(client: Client) -> list[Any]:
    return [event for data in client.received if '"t":"state"' in data for event in json.loads(data)["events"]]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[[], ServerProcess]]:
    """Return a function that starts servers; running ones are killed at the end."""
    started: list[ServerProcess] = []

    def begin() -> ServerProcess:
        started.append(ServerProcess(tmp_path))
        return started[-1]

    yield begin
    for server in started:
        server.kill()


@pytest.mark.parametrize(("variant", "moves"), [("bonus-b", 3), ("cards-joker", 17), ("longo", 40)])
def test_kill_and_restart(variant: str, moves: int, tmp_path: Path, start: Callable[[], ServerProcess]) -> None:
    """After a kill during a game the server has every move that a client has seen."""

    async def play_on(client: Client, rng: random.Random, states: int) -> None:
        with contextlib.suppress(Exception):
            left = iter(range(states))
            await click(client, rng, lambda _: next(left))

    async def until_killed() -> tuple[str, list[Client]]:
        server = start()
        code, token = open_table(server, variant=variant, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
            await anna.send("start")
            rng = random.Random(moves)
            await asyncio.wait(
                [asyncio.create_task(play_on(client, rng, moves)) for client in (anna, ben)],
                return_when=asyncio.FIRST_COMPLETED,
            )
            server.kill()
            for client in (anna, ben):
                with contextlib.suppress(Exception):
                    while True:
                        await client.receive()
        return code, [anna, ben]

    async def go_on(code: str, clients: list[Client]) -> None:
        server = start()
        async with (
            joined(server, code, clients[0].tokens[0]) as anna,
            joined(server, code, clients[1].tokens[0]) as ben,
        ):
            for before, after in zip(clients, (anna, ben), strict=True):
                await after.until("state")
                assert after.state["phase"] >= before.state["phase"]
                if after.state["phase"] == before.state["phase"] and before.state["view"] == after.state["view"]:
                    assert after.state["mine"] == before.state["mine"]
            ends = await asyncio.gather(click(anna, random.Random(8)), click(ben, random.Random(9)))
            assert ends[0]["outcome"] == ends[1]["outcome"]
        assert server.interrupt() == 0

    async def whole() -> None:
        code, clients = await until_killed()
        room, lines = _read(tmp_path / "tables.db", code)
        game = core.resume(room, lines).game
        assert game is not None
        happened = msgspec.to_builtins(game.events)
        happened = json.loads(json.dumps(happened))
        for client in clients:
            received = _events_received(client)
            assert received
            assert happened[: len(received)] == received
        await go_on(code, clients)

    run(whole())


def test_a_changed_mind_survives_a_kill(tmp_path: Path, start: Callable[[], ServerProcess]) -> None:
    """The last acknowledged choice is the stored one, whenever the server is killed."""

    async def choose(turns: int) -> None:
        server = start()
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben"):
            await anna.send("start")
            await anna.until("state")
            legal = anna.state["mine"]["0"]["legal"]
            for turn in range(turns):
                wanted = legal[turn % len(legal)]
                await anna.decide(0, wanted)
                await anna.until(lambda m: m["t"] == "state" and m["mine"]["0"]["choice"] == wanted)  # noqa: B023
            server.kill()
        room, lines = _read(tmp_path / "tables.db", code)
        assert [line for line in lines if line.startswith("0 ")] == [f"0 {wanted}"]
        again = start()
        async with joined(again, code, token) as anna:
            await anna.until("state")
            assert anna.state["mine"]["0"]["choice"] == wanted
        assert again.interrupt() == 0
        assert room.stage == "playing"

    for turns in (1, 7):
        run(choose(turns))


def test_idle_tables_are_unloaded_and_loaded_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An idle table is unloaded; clients find it unchanged when they reconnect, also many at the same time."""
    monkeypatch.setattr(registry, "SWEEP_SECONDS", 0.02)

    async def game() -> None:
        code, token = open_table(server, name="Anna", bots=["normal"])
        for _ in range(5):
            async with joined(server, code, token) as anna:
                if anna.room["stage"] == "lobby":
                    await anna.send("start")
                await anna.until(lambda m: m["t"] == "state" and m["view"]["deciders"] == [0])
            while server.tables.loaded:
                await asyncio.sleep(0.01)
            async with contextlib.AsyncExitStack() as stack:
                entering = (stack.enter_async_context(joined(server, code, token)) for _ in range(5))
                clients = await asyncio.gather(*entering)
                for client in clients:
                    await client.until("state")
                    assert client.state["view"] == anna.state["view"]
                await clients[0].decide(0, "pass")
                await clients[4].until(lambda m: m["t"] == "state" and m["phase"] > anna.state["phase"])

    with serving(tmp_path, idle_minutes=0) as server:
        run(game())


def test_a_failing_disk_shows_nothing_that_is_not_saved(tmp_path: Path) -> None:
    """A move that cannot be written is not sent; the table is loaded again from the disk."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
            await anna.send("start")
            await anna.until("state")
            await ben.until("state")
            with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as saboteur:
                saboteur.execute("CREATE TRIGGER full BEFORE INSERT ON ledger BEGIN SELECT RAISE(FAIL, 'full'); END")
                before = len(ben.received)
                await anna.decide(0, "pass")
                assert await anna.close_code() == 4500
                assert await ben.close_code() == 4500
                assert not any('"decided"' in data for data in ben.received[before:])
                saboteur.execute("DROP TRIGGER full")
                saboteur.commit()
        async with joined(server, code, token) as anna:
            await anna.until("state")
            assert anna.state["view"]["deciders"] == [0, 1]

    with serving(tmp_path) as server:
        run(game())


def test_a_ledger_that_does_not_replay(tmp_path: Path) -> None:
    """A table with a damaged ledger is refused with a code; the server and its other tables continue."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna:
            await anna.send("start")
            await anna.until("state")
        while server.tables.loaded:
            await asyncio.sleep(0.01)
        with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as vandal:
            vandal.execute("UPDATE ledger SET line = 'roll 99/9999'")
            vandal.commit()
        async with connect(f"ws://{server.address}/ws/{code}") as socket:
            client = Client(socket)
            await client.send("hello", tokens=[token])
            assert await client.close_code() == 4409
        other, token = open_table(server, name="Anna")
        async with joined(server, other, token) as anna:
            assert anna.room["code"] == other

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "SWEEP_SECONDS", 0.02)
        with serving(tmp_path, idle_minutes=0) as server:
            run(game())


def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """A file that is not a database, or is too new, is refused with a sentence and not changed."""
    wrong = tmp_path / "wrong.db"
    wrong.write_text("This is a letter, not a database. " * 50)
    with pytest.raises(QwixxError, match="cannot be used"):
        SqliteStore(wrong)
    later = tmp_path / "later.db"
    with contextlib.closing(sqlite3.connect(later)) as database:
        database.execute("PRAGMA user_version = 99")
    with pytest.raises(QwixxError, match="newer version of qwixx"):
        SqliteStore(later)


def test_the_ledger_is_a_record(tmp_path: Path) -> None:
    """The database contains the text of the game, readable without this server."""

    async def game() -> None:
        code, token = open_table(server, variant="gemixxt-a", name="Anna", bots=["easy"])
        async with joined(server, code, token) as anna:
            await anna.send("start")
            end = await click(anna, random.Random(1))
        room, lines = _read(tmp_path / "tables.db", code)
        text = ledger.record_text(room, lines, end["outcome"]["scores"])
        played = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("# fair: "))
        assert qwixx.Game.from_record(text).record() == played

    with serving(tmp_path) as server:
        run(game())
