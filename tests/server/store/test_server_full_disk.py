"""A full disk: one sentence, no acknowledged move is lost, and play continues after it."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import shutil
import sqlite3
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from qwixx.cli import main
from qwixx.server.store.postgres import schema
from support.server.live_server import PATIENCE, Server, joined, open_table, run, seated, serving
from support.server.postgres_server import Postgres

pytestmark = pytest.mark.slow
SENTENCE = "its disk is full; nothing that was written before is lost"
_FULL = """CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$"""
"""The error of PostgreSQL, with its SQLSTATE."""
FULL = "SELECT RAISE(ABORT, 'database or disk is full');"
"""The error of SQLite."""


def fill(server: Postgres, url: str, *tables: str) -> None:
    """Make writes to some tables of a database fail as on a full disk."""
    server.execute(_FULL, url)
    for each in tables:
        server.execute(f"CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON {each} EXECUTE FUNCTION no_room()", url)


def opened(server: Server) -> tuple[int, str]:
    """Try to open a table; return the status, and the code of the table or of the refusal."""
    answer = httpx.post(f"http://{server.address}/api/tables", json={"variant": "classic"}, timeout=60)
    return answer.status_code, answer.json()["code"]


async def wait_until_healthy(server: Server) -> None:
    """Wait until the server reports that it is healthy again."""
    async with asyncio.timeout(PATIENCE):
        while httpx.get(f"http://{server.address}/healthz").status_code != 200:
            await asyncio.sleep(0.1)


def test_moves_that_cannot_be_written(
    tmp_path: Path, database_server: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    """Such a move is not sent, clients are disconnected, and acknowledged moves are stored."""
    url = database_server.fresh()
    caplog.set_level(logging.WARNING)

    async def game(server: Server) -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
            await anna.send("start")
            await anna.until("state")
            await ben.until("state")
            await ben.decide(1, "pass")
            await ben.until(lambda message: {"e": "decided", "seat": 1} in message.get("events", ()))
            await anna.until("state")
            await asyncio.to_thread(fill, database_server, url, "ledger", "tables")
            before = len(ben.received)
            await anna.decide(0, "pass")
            assert await anna.close_code() == 4500
            assert await ben.close_code() == 4500
            assert not any('"decided"' in data for data in ben.received[before:])
            assert opened(server) == (500, "trouble")
            assert f"writing fails: {SENTENCE}" in caplog.text
            question = f"SELECT line FROM ledger WHERE code = '{code}' ORDER BY step"
            kept = await asyncio.to_thread(database_server.fetch, url, question)
            assert [line for (line,) in kept][1:] == ["1 pass"], "the roll, and what was acknowledged"
            await asyncio.to_thread(database_server.execute, "DROP FUNCTION no_room CASCADE", url)
        await wait_until_healthy(server)
        assert opened(server)[0] == 201
        async with joined(server, code, token) as anna:
            await anna.until("state")
            assert anna.state["view"]["deciders"] == [0]
            phase = anna.state["phase"]
            await anna.decide(0, "pass")
            await anna.until(lambda message: message["t"] == "state" and message["phase"] > phase)

    with serving(tmp_path, db=url) as server:
        run(game(server))


def test_one_line_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """With a file: people who open tables and play get `trouble`, and the log has one line and no traceback."""
    caplog.set_level(logging.WARNING)

    async def test() -> None:
        with serving(tmp_path) as server:
            code, token = open_table(server, name="Anna")
            with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as file:
                for change, table in itertools.product(("INSERT", "UPDATE"), ("tables", "ledger", "seen")):
                    file.execute(f"CREATE TRIGGER {change}_{table} BEFORE {change} ON {table} BEGIN {FULL} END")
            assert opened(server) == (500, "trouble")
            async with joined(server, code, token) as anna:
                await anna.send("start")
                assert await anna.close_code() == 4500
            assert httpx.get(f"http://{server.address}/healthz").status_code == 503
            assert [(line.getMessage(), line.exc_info) for line in caplog.records] == [
                ("writing fails: database or disk is full", None)
            ]
            with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as file:
                for (name,) in file.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
                    file.execute(f"DROP TRIGGER {name}")
            assert opened(server)[0] == 201

    run(test())


@contextlib.contextmanager
def small_disk(megabytes: int) -> Iterator[Path]:
    """Mount a disk of this many megabytes, which needs root."""
    folder = Path(tempfile.mkdtemp(prefix="qwixx-disk-"))
    mount = ("mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0777", "tmpfs", str(folder))
    try:
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
            pytest.skip("no disk can be mounted here; the test above has the same error from the database")
        try:
            yield folder
        finally:
            subprocess.run(("umount", "-l", str(folder)), check=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def test_a_disk_that_is_really_full(
    tmp_path: Path, database_server: Postgres, caplog: pytest.LogCaptureFixture
) -> None:
    """The database on a small disk that fills up; every acknowledged table is there later."""
    with small_disk(40) as disk:
        place = disk / "tables"
        place.mkdir()
        shutil.chown(place, "postgres", "postgres")
        database_server.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        url = database_server.url("small")
        database_server.execute("CREATE DATABASE small TABLESPACE small")
        with serving(tmp_path, db=url) as server:
            codes = [opened(server)[1]]
            with (disk / "somebody-else").open("wb") as balloon, contextlib.suppress(OSError):
                while True:
                    balloon.write(bytes(1 << 16))
                    balloon.flush()
            for _ in range(2000):
                status, code = opened(server)
                if status != 201:
                    break
                codes.append(code)
            assert (status, code) == (500, "trouble")
            assert f"writing fails: {SENTENCE}" in caplog.text
            (disk / "somebody-else").unlink()
            run(wait_until_healthy(server))
            status, code = opened(server)
            assert status == 201
            kept = {each for (each,) in database_server.fetch(url, "SELECT code FROM tables")}
            assert kept == {*codes, code}
        database_server.execute("DROP DATABASE small WITH (FORCE)")
        database_server.execute("DROP TABLESPACE small")


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("postgresql://qwixx:secret@127.0.0.1:1/qwixx", "'qwixx' at 127.0.0.1:1 cannot be used: it cannot be reached"),
        ("postgresql://qwixx:secret@{server}/postgres", "it refuses the name or the password in QWIXX_DB"),
        ("postgresql://qwixx:secret@127.0.0.1:many/qwixx", "QWIXX_DB should look like postgresql://name:password@"),
        ("full", SENTENCE),
    ],
)
def test_a_server_that_cannot_start_says_why(url: str, sentence: str, database_server: Postgres) -> None:
    """In one sentence and with exit code 2, without the password."""
    if url == "full":
        url = database_server.fresh()
        assert serve(url, QWIXX_POOL="none")[1] == "Error: QWIXX_POOL should be a number, not 'none'.\n"
        asyncio.run(schema.prepare(url))
        fill(database_server, url, "servers")
    code, said = serve(url.replace("{server}", f"127.0.0.1:{database_server.port}"))
    assert (code, said.count("\n")) == (2, 1), said
    assert sentence in said
    assert "secret" not in said


def serve(url: str, **settings: str) -> tuple[int, str]:
    """Run `qwixx serve`, which should not start; return its exit code and error message."""
    around = {"QWIXX_DB": url, **settings}
    result = CliRunner().invoke(main, ["serve", "--no-open", "--port", "0"], env=around)
    return result.exit_code, result.stderr
