"""The database file: one server at a time, private, and nothing is deleted by a wrong clock."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qwixx.errors import QwixxError
from qwixx.server.base import retention
from qwixx.server.base.retention import RetentionPolicy
from qwixx.server.room.room import Room
from qwixx.server.store.sqlite import file as database
from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.table import core
from support.paths import GOLDEN
from support.server.in_process_tables import sit, some_tables
from support.server.live_server import run

DAY = 86400.0


def _store(path: Path) -> SqliteStore:
    return SqliteStore(path, "normal")


@pytest.mark.slow
def test_one_server_for_each_file(tmp_path: Path) -> None:
    """A second server on the same file is refused, under any path, with the process that uses it."""
    path = tmp_path / "tables.db"
    other = tmp_path / "other.db"

    async def look() -> None:
        store = _store(path)
        other.symlink_to(path)
        for name in (path, other):
            with pytest.raises(QwixxError, match=rf"in use by another server: process {os.getpid()}, since \d{{4}}-"):
                _store(name)
        command = [sys.executable, "-m", "qwixx.server", "--port", "0", "--no-open", "--db", str(path)]
        second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert second.returncode == 1
        assert f"process {os.getpid()}" in second.stdout + second.stderr
        await store.close()
        await _store(path).close()

    run(look())


@pytest.mark.skipif(os.name != "posix", reason="other systems have no such modes")
def test_files_are_for_their_owner_only(tmp_path: Path) -> None:
    """The files contain hands and sealed choices: other users of the machine cannot read them."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            await sit(all_tables, "Anna")
            names = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
            assert set(names) == {"tables.db", "tables.db-wal", "tables.db-shm", "tables.db.lock"}
            assert set(names.values()) == {0o600}
        (tmp_path / "tables.db").chmod(0o644)
        async with some_tables(tmp_path):
            assert (tmp_path / "tables.db").stat().st_mode & 0o777 == 0o600

    before = os.umask(0)
    try:
        run(look())
    finally:
        os.umask(before)


def test_a_file_of_no_bytes(tmp_path: Path) -> None:
    """An empty file, or a missing one with its WAL left, is refused instead of replaced."""
    path = tmp_path / "tables.db"
    path.touch()
    with pytest.raises(QwixxError, match="no bytes"):
        _store(path)
    assert path.stat().st_size == 0
    path.unlink()
    (tmp_path / "tables.db-wal").write_text("moves")
    with pytest.raises(QwixxError, match="is missing, but"):
        _store(path)
    assert not path.exists()


def test_a_crash_while_a_file_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power cut during creation there is no file, and the next start creates it."""
    path = tmp_path / "tables.db"

    def crash(self: Path, target: Path) -> Path:
        raise OSError("the power is gone")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", crash)
        with pytest.raises(QwixxError, match="the power is gone"):
            _store(path)
    assert not path.exists()

    async def look() -> None:
        await _store(path).close()

    run(look())


# ---- retention


def _codes(path: Path) -> set[str]:
    with contextlib.closing(sqlite3.connect(path)) as database:
        ledgers = {code for (code,) in database.execute("SELECT DISTINCT code FROM ledger")}
        codes = {code for (code,) in database.execute("SELECT code FROM tables")}
    assert ledgers == codes, "a ledger belongs to a table"
    return codes


async def _some_games(store: SqliteStore) -> None:
    for code, stage in (("AAAAA", "lobby"), ("BBBBB", "playing"), ("CCCCC", "over")):
        assert await store.add(Room(code, "classic", stage), ["roll 34/2615"])  # type: ignore[arg-type]


def _clean(path: Path, keep: RetentionPolicy, days: float, *spare: str) -> int:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        return retention.clean(database, keep, spare, time.time() + days * DAY)


def test_old_tables_are_marked_and_deleted_a_day_later(tmp_path: Path) -> None:
    """Unfinished tables are deleted after their time, finished ones only if configured, never at the first check."""
    path = tmp_path / "tables.db"

    async def look() -> None:
        store = _store(path)
        await _some_games(store)
        keep = RetentionPolicy(30 * DAY)
        assert [_clean(path, keep, days) for days in (29, 31, 31.5)] == [0, 0, 0]
        assert _clean(path, keep, 32.1, "AAAAA") == 1
        assert _codes(path) == {"AAAAA", "CCCCC"}
        assert [_clean(path, keep, days) for days in (33, 34.1, 400)] == [0, 1, 0]
        assert [_clean(path, RetentionPolicy(30 * DAY, 365 * DAY), days) for days in (364, 366, 367.1)] == [0, 0, 1]
        assert _codes(path) == set()
        await store.close()

    run(look())


def test_a_wrong_clock_deletes_nothing(tmp_path: Path) -> None:
    """A clock that is ahead for a while marks tables; when it is right again, they lose the mark."""
    path = tmp_path / "tables.db"

    async def look() -> None:
        store = _store(path)
        await _some_games(store)
        keep = RetentionPolicy(30 * DAY)
        assert [_clean(path, keep, days) for days in (31, 31.9, 0, 0.5)] == [0, 0, 0, 0]
        assert [_clean(path, keep, days) for days in (33, 0, 5000, 31.5, 31.6)] == [0, 0, 0, 0, 0]
        assert _codes(path) == {"AAAAA", "BBBBB", "CCCCC"}
        await store.touch("AAAAA")
        assert (await store.clean(keep), store.count) == (0, 3)
        await store.close()

    run(look())


def test_a_table_that_is_visited_meanwhile_stays(tmp_path: Path) -> None:
    """After a visit between mark and deletion the table is not due any more."""
    path = tmp_path / "tables.db"

    async def look() -> None:
        store = _store(path)
        await _some_games(store)
        assert _clean(path, RetentionPolicy(30 * DAY), 31) == 0
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("UPDATE tables SET touched = touched + 5 * 86400 WHERE code = 'BBBBB'")
            facts = RetentionPolicy(30 * DAY).facts(time.time() + 33 * DAY, ())
            assert retention._delete(database, facts, ["AAAAA", "BBBBB", "CCCCC"]) == 1
        assert _codes(path) == {"BBBBB", "CCCCC"}
        await store.close()

    run(look())


def test_many_old_tables_are_deleted_in_small_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many deletions do not block the disk for long; the count of `/healthz` follows."""
    path = tmp_path / "tables.db"
    monkeypatch.setattr(retention, "BATCH_SIZE", 3)
    monkeypatch.setattr(retention, "GRACE_SECONDS", 0.0)

    async def look() -> None:
        store = _store(path)
        for number in range(10):
            assert await store.add(Room(f"T{number}", "classic"), ["roll 34/2615"])
        assert store.count == 10
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE tables SET touched = 0 WHERE code <> 'T4'")
            database.commit()
        assert [await store.clean(RetentionPolicy(DAY)) for _ in range(2)] == [0, 9]
        assert (_codes(path), store.count) == ({"T4"}, 1)
        await store.delete("T4")
        await store.delete("T4")
        assert (_codes(path), store.count) == (set(), 0)
        await store.close()
        again = _store(path)
        assert again.count == 0
        await again.close()

    run(look())


# ---- versions of the file

FIRST = GOLDEN / "store/version-1.sql"


def _schema(path: Path) -> tuple[int, dict[str, str]]:
    with contextlib.closing(sqlite3.connect(path)) as file:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        tables = file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
        return version, {name: " ".join(sql.split()) for name, sql in tables}


def test_the_first_version_is_migrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A migrated file of version 1 has all its games and the current schema; a failed migration changes nothing."""
    path = tmp_path / "tables.db"
    with contextlib.closing(sqlite3.connect(path)) as old:
        old.executescript(FIRST.read_text("utf-8"))
    before = _schema(path)

    with monkeypatch.context() as patch:
        patch.setattr(database, "_STEPS", (*database._STEPS[:-1], database._STEPS[-1] + "; CREATE nonsense"))
        with pytest.raises(QwixxError, match="cannot be used"):
            _store(path)
    assert _schema(path) == before

    async def look() -> None:
        store = _store(path)
        assert store.count == 3
        found = await store.read("AXCZL")
        assert found is not None
        game = core.resume(*found).game
        assert game is not None
        assert (game.is_over, found[1][0], found[0].seats[0].name) == (True, "roll 43/6241", "Anna")
        assert await store.clean(RetentionPolicy(30 * DAY)) == 0
        await store.heartbeat()
        await store.close()
        await _store(tmp_path / "new.db").close()

    run(look())
    assert _schema(path) == _schema(tmp_path / "new.db")
    assert _schema(path)[0] == 5


def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """A file of a newer version is refused with a sentence that says what to do, and not changed."""
    path = tmp_path / "tables.db"
    with contextlib.closing(sqlite3.connect(path)) as later:
        later.execute("CREATE TABLE other (one)")
        later.execute("PRAGMA user_version = 6")
    with pytest.raises(QwixxError, match=r"newer version of qwixx \(its form is 6, .* up to 5\); install that version"):
        _store(path)
    assert _schema(path) == (6, {"other": "CREATE TABLE other (one)"})
