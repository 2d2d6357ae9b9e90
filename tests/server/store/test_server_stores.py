"""Both stores, SQLite and PostgreSQL, have the same guarantees."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from qwixx.errors import QwixxError
from qwixx.server.base import retention
from qwixx.server.base.errors import Refused, StoreFailed
from qwixx.server.base.retention import RetentionPolicy
from qwixx.server.base.settings import Settings
from qwixx.server.limits.declared import COUNTED_CHOICES
from qwixx.server.room.room import Room
from qwixx.server.store.interface import LeaseLost, OwnedElsewhere, Store
from qwixx.server.store.open_store import open_store, peer_address
from qwixx.server.store.postgres import cleanup, schema
from qwixx.server.store.postgres import store as keeping
from qwixx.server.store.postgres.store import PostgresStore
from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.today.choices import Choice, CountedChoices, Valued
from qwixx.server.today.scores import DailyScores
from support.server.in_process_tables import until
from support.server.live_server import PATIENCE, run
from support.server.postgres_server import Postgres

DAY = 86400.0


class _Kept:
    """A store, and direct access to its database."""

    def __init__(self, store: Store, execute: Callable[[str], Any], clean: Callable[..., Any]) -> None:
        self.store = store
        self.execute, self.clean = execute, clean


@pytest.fixture(params=["sqlite", "postgres"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], contextlib.AbstractAsyncContextManager[_Kept]]:
    """Return a function that opens the same store each time."""
    if request.param == "sqlite":
        return lambda: _in_file(tmp_path / "tables.db")
    server: Postgres = request.getfixturevalue("database_server")
    url = server.fresh()
    return lambda: _in_database(url)


@contextlib.asynccontextmanager
async def _in_file(path: Path) -> AsyncIterator[_Kept]:
    store = SqliteStore(path, "normal")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as file:

        async def execute(statement: str) -> None:
            file.execute(statement)

        async def clean(keep: RetentionPolicy, days: float, *spare: str) -> int:
            return retention.clean(file, keep, spare, time.time() + days * DAY)

        await store.start(lambda: None)
        yield _Kept(store, execute, clean)
    await store.close()


@contextlib.asynccontextmanager
async def _in_database(url: str) -> AsyncIterator[_Kept]:
    store = PostgresStore(url, "normal", address="127.0.0.1:1")
    await store.start()
    connection = await asyncpg.connect(url)

    async def clean(keep: RetentionPolicy, days: float, *spare: str) -> int:
        return await cleanup.clean(connection, keep, spare, days * DAY)

    yield _Kept(store, connection.execute, clean)
    await connection.close()
    await store.close()


async def _codes(store: Store) -> str:
    return "".join([code for code in "ABC" if await store.room(code) is not None])


@pytest.mark.slow
def test_a_new_table_does_not_take_the_code_of_another(kept: Callable[[], Any]) -> None:
    """Other writes of the batch succeed, and the existing table with this code is not changed."""

    async def look() -> None:
        async with kept() as opened:
            store: Store = opened.store
            assert await store.add(Room("A", "classic"), ["roll 11/1111"])
            first, second, third = await asyncio.gather(
                store.add(Room("B", "longo"), []),
                store.add(Room("A", "longo"), ["roll 22/2222"]),
                store.add(Room("C", "duel"), ["roll 33/3333"]),
            )
            assert (first, second, third) == (True, False, True)
            assert not store.trouble
            assert store.count == 3
            for code, variant, lines in (("A", "classic", ["roll 11/1111"]), ("C", "duel", ["roll 33/3333"])):
                room, kept_lines = await store.read(code) or (None, [])
                assert room is not None
                assert (room.variant, kept_lines) == (variant, lines)

    run(look())


def test_of_two_new_tables_with_one_code_one_is_stored(tmp_path: Path) -> None:
    """Also if both are in one batch; the second has to use another code."""

    async def look() -> None:
        async with _in_file(tmp_path / "qwixx.db") as opened:
            rooms = [Room("A", variant) for variant in ("classic", "longo")]
            added = await asyncio.gather(*(opened.store.add(room, []) for room in rooms))
            assert added == [True, False]
            room = await opened.store.room("A")
            assert room is not None
            assert (room.variant, opened.store.count) == ("classic", 1)

    run(look())


@pytest.mark.slow
def test_writes_share_commits_and_are_read_in_order(kept: Callable[[], Any]) -> None:
    """Writes that arrive while the disk is busy share one commit; a failed one changes nothing."""

    async def look() -> None:
        async with kept() as opened:
            store: Store = opened.store
            assert await store.add(Room("A", "classic"), [])
            await store.acquire("A")
            futures = [store.write("A", None, step, [f"0 r{step}"]) for step in range(500)]
            await asyncio.gather(*futures)
            assert len(set(futures)) < 100
            with pytest.raises(StoreFailed):
                await store.write("A", None, 499, ["0 r1"])
            assert store.trouble
            await store.write("A", None, 499, ["0 pass", "0 r1"], 499)
            assert not store.trouble
            with pytest.raises(StoreFailed):
                await store.write("A", Room("A", "longo"), 400, ["0 r2"], 450)
        async with kept() as opened:
            store = opened.store
            found = await store.read("A")
            assert found is not None
            assert (found[0].variant, len(found[1])) == ("classic", 501)
            assert found[1][498:] == ["0 r498", "0 pass", "0 r1"]
            await store.acquire("A")
            await store.write("A", Room("A", "classic", "over"), 1, ["0 b2", "1 pass"], 1)
            room, lines = await store.read("A") or (None, [])
            assert room is not None
            assert (room.stage, lines) == ("over", ["0 r0", "0 b2", "1 pass"])
            assert (await store.read("B"), await store.room("B"), store.count) == (None, None, 1)
            await store.delete("A")
            assert (await store.read("A"), store.count) == (None, 0)
            await store.heartbeat()
            assert (await store.last_heartbeat() or 0) == pytest.approx(time.time(), abs=60)

    run(look())


@pytest.mark.slow
def test_choices_of_a_day_are_counted_once_with_the_score(kept: Callable[[], Any]) -> None:
    """A full day counts by dice only; a game with a score counts once; rare choices go when the day is over."""
    day, made = ("2026-11-16", "classic"), [Choice(1, "1 white", "1 white x", "r7"), Choice(2, "1 color", "", "pass")]

    async def look() -> None:
        async with kept() as opened:
            store: Store = opened.store
            counted, scores = CountedChoices(store), DailyScores(store)

            async def finish(code: str) -> None:
                await counted.count(*day, code, made)
                await scores.score(*day, code, 63)

            for code in "ABCDE":
                await scores.start(*day, f"device {code}", code, "mark")
            for code in "ABCD":
                await finish(code)
            await finish("A")
            both = {"1 white": {"r7": 4}, "1 white x": {"r7": 4}, "1 color": {"pass": 4}}
            assert await counted.find(*day) == both
            for number in range(COUNTED_CHOICES.fixed):
                store.execute("INSERT INTO choices VALUES (?, ?, ?, 'r7', 3)", (*day, f"1 white {number}"))
            await store.execute("INSERT INTO choices VALUES (?, ?, '9 white', 'g7', 4)", day)
            await finish("E")
            found = await counted.find(*day)
            assert [found[place] for place in both] == [{"r7": 5}, {"r7": 4}, {"pass": 5}]
            await counted.delete_rare("2026-11-14", "2026-11-16")
            assert len(await counted.find(*day)) == COUNTED_CHOICES.fixed + 4
            await counted.delete_rare("2026-11-14", "2026-11-17")
            assert (await counted.find(*day)).keys() == {*both, "9 white"}
            # Averages need three other games whose losses are noted.
            for code, lost in zip("ABC", (1.5, 2.0, 4.0), strict=True):
                assert await counted.is_counted(*day, code) == (True, False)
                await counted.note_loss(*day, code, lost, -lost)
                assert await counted.is_counted(*day, code) == (True, True)
            assert await counted.others(*day, "A") is None
            assert await counted.others(*day, "D") == Valued(3, 2.5, -2.5)
            await counted.delete_before("2026-11-17")
            await store.heartbeat()
            assert await counted.find(*day) == {}
            assert await counted.is_counted(*day, "A") == (False, False)

    run(look())


@pytest.mark.slow
def test_old_tables_are_deleted_at_the_second_check(kept: Callable[[], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Unfinished tables are deleted after their time, finished ones if configured; a wrong clock deletes nothing."""
    monkeypatch.setattr(retention, "BATCH_SIZE", 2)

    async def look() -> None:
        async with kept() as opened:
            store, clean = opened.store, opened.clean
            for room in (Room("A", "classic"), Room("B", "classic", "playing"), Room("C", "classic", "over")):
                assert await store.add(room, ["roll 34/2615"])
            keep = RetentionPolicy(30 * DAY)
            assert [await clean(keep, days) for days in (33, 0, 5000, 31.5, 31.6)] == [0, 0, 0, 0, 0]
            assert [await clean(keep, days) for days in (0, 29, 31, 31.5)] == [0, 0, 0, 0]
            assert await clean(keep, 32.1, "A") == 1
            assert await _codes(store) == "AC"
            assert [await clean(keep, days) for days in (33, 34.1, 400)] == [0, 1, 0]
            assert [await clean(RetentionPolicy(30 * DAY, 365 * DAY), days) for days in (364, 366, 367.1)] == [0, 0, 1]
            assert await _codes(store) == ""
            assert await store.add(Room("A", "classic"), ["roll 34/2615"])
            assert [await clean(keep, 31), await clean(RetentionPolicy(60 * DAY), 32.5)] == [0, 0]
            await opened.execute("UPDATE tables SET touched = touched + 5 * 86400")  # a client has connected meanwhile
            assert [await clean(keep, 33), await clean(keep, 34.1)] == [0, 0]
            assert (await store.clean(keep), await _codes(store)) == (0, "A")

    run(look())


# ---- PostgreSQL alone


@pytest.mark.slow
def test_connection_errors_are_one_sentence(database_server: Postgres) -> None:
    """Every reason why a database cannot be used is one sentence, without the password."""
    server, port = database_server, database_server.port
    url = server.fresh()
    name = url.rpartition("/")[2]
    wrong = {
        server.url(name, password="wrong"): f"'{name}' at 127.0.0.1:{port} cannot be used: it refuses the name or the",
        server.url("none"): "there is no database of that name; `createdb` makes one",
        "postgresql://qwixx:wrong@127.0.0.1:1/qwixx": "'qwixx' at 127.0.0.1:1 cannot be used: it cannot be reached",
        "postgresql://qwixx:wrong@127.0.0.1:port/qwixx": "QWIXX_DB should look like postgresql://name:password@host",
    }
    for each, sentence in wrong.items():
        with pytest.raises(QwixxError) as raised:
            open_store(Settings(db=each))
        assert sentence in str(raised.value)
        assert "wrong" not in str(raised.value)
    open_store(Settings(db=url))
    server.execute("UPDATE form SET version = 7", url)
    with pytest.raises(QwixxError, match=r"newer version of qwixx \(its form is 7, .* up to 5\)"):
        open_store(Settings(db=url))
    assert peer_address(Settings(), 9000) == "127.0.0.1:9000"
    assert peer_address(Settings(host="::1", peer="[fd00::1]:8321")) == "[fd00::1]:8321"
    with pytest.raises(QwixxError, match="QWIXX_PEER should look like"):
        peer_address(Settings(peer="http://somewhere"))


@pytest.mark.slow
def test_processes_start_at_the_same_time(database_server: Postgres) -> None:
    """Several processes on an empty database run the migrations once, completely or not at all."""
    url = database_server.fresh()

    async def look() -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(schema, "_STEPS", (*schema._STEPS, "CREATE nonsense"))
            with pytest.raises(QwixxError, match="syntax error"):
                await schema.prepare(url)
        await asyncio.gather(*(schema.prepare(url) for _ in range(5)))

    run(look())
    assert database_server.fetch(url, "SELECT version FROM form") == [(5,)]


@pytest.mark.slow
def test_a_table_has_one_writer(database_server: Postgres) -> None:
    """An expired lease is taken over, and the old owner cannot write any more."""
    url = database_server.fresh()

    async def look() -> None:
        lost: list[str] = []
        one, two = (PostgresStore(url, address=f"127.0.0.1:{port}") for port in (1, 2))
        await one.start(lambda: lost.append("one"))
        await two.start(lambda: lost.append("two"))
        assert await one.add(Room("A", "classic"), ["roll 11/1111"])
        with pytest.raises(LeaseLost):
            await one.write("A", None, 1, ["0 pass"])  # not taken
        await one.acquire("A")
        await one.acquire("A")
        one.leases.forget("A")  # as if it could not be given back
        await one.acquire("A")
        await one.write("A", None, 1, ["0 pass"])
        with pytest.raises(OwnedElsewhere, match=r"127\.0\.0\.1:1$"):
            await two.acquire("A")
        assert (one.is_owner("A"), two.is_owner("A"), lost) == (True, False, ["one"])

        one.leases._until = 0.0  # as if the process had been slow, and nobody had noticed
        assert not one.is_owner("A")
        assert await one.verify_owner("A")

        one.leases.renewing.stop()  # as if the process were stopped
        async with asyncio.timeout(PATIENCE):
            while not two.is_owner("A"):
                with contextlib.suppress(OwnedElsewhere):
                    await two.acquire("A")
                await asyncio.sleep(0.02)
        assert not one.is_owner("A")  # by its own clock
        assert lost == ["one"]
        await two.write("A", None, 2, ["1 pass"])
        tries: list[Callable[[], asyncio.Future[None]]] = [
            lambda: one.write("A", None, 3, ["0 r2"]),
            lambda: one.write("A", Room("A", "longo"), 3, []),
            lambda: one.write("A", None, 0, ["roll 66/6666"], 0),
            lambda: one.delete("A"),
        ]
        for write in tries:
            with pytest.raises(StoreFailed):
                await write()
        assert lost == ["one", "one"]
        assert await one.read("A") == (Room("A", "classic"), ["roll 11/1111", "0 pass", "1 pass"])

        two.release("A")
        await two.heartbeat()
        await one.acquire("A")  # registered again
        await one.write("A", None, 3, ["0 b12"])
        await one.close()
        await two.acquire("A")  # a server that stops normally releases its tables immediately
        await two.close()

    run(look())


@pytest.mark.slow
def test_a_failover_is_a_sentence_in_the_log(database_server: Postgres, caplog: pytest.LogCaptureFixture) -> None:
    """While the database restarts, leases are not renewed: the log says why, once, without a traceback."""
    url = database_server.fresh()
    caplog.set_level("INFO", "qwixx")

    async def look() -> None:
        store = PostgresStore(url, address="127.0.0.1:1")
        await store.start()
        renewing = store.leases.renewing
        await asyncio.to_thread(database_server.stop)
        await until(lambda: renewing.has_failed)
        await asyncio.to_thread(database_server.start)
        await until(lambda: not renewing.has_failed)
        await store.close()

    run(look())
    (line,) = [record for record in caplog.records if record.name == "qwixx.background"]
    assert (line.getMessage(), line.exc_info) == ("background work fails: the store failed", None)
    assert vars(line)["work"] == "leases"
    assert vars(line)["error"]


@pytest.mark.slow
def test_a_full_pool_and_a_restart(database_server: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads without a free connection are refused as busy while writes continue; a restart loses nothing."""
    url = database_server.fresh()
    monkeypatch.setattr(keeping, "MAX_WAIT", 0.5)

    async def look() -> None:
        store = PostgresStore(url, address="127.0.0.1:1", readers=2)
        await store.start()
        assert await store.add(Room("A", "classic"), ["roll 11/1111"])
        await store.acquire("A")
        async with store._reading(), store._reading():
            with pytest.raises(Refused, match="busy"):
                await store.read("A")
            await store.write("A", None, 1, ["0 pass"])
        assert await store.room("A") is not None

        await asyncio.to_thread(database_server.stop)
        with pytest.raises(StoreFailed):
            await store.write("A", None, 2, ["1 pass"])
        assert store.trouble
        await asyncio.to_thread(database_server.start)
        async with asyncio.timeout(PATIENCE):
            while True:
                with contextlib.suppress(StoreFailed):
                    await store.acquire("A")
                    break
                await asyncio.sleep(0.05)
        await store.write("A", None, 2, ["1 r2"])
        found = await store.read("A")
        assert found is not None
        assert found[1] == ["roll 11/1111", "0 pass", "1 r2"]
        await until(lambda: not store.trouble)
        await store.close()

    run(look())
