"""The database file: one server at a time, nobody else's eyes, and nothing deleted by a wrong clock."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from guests import sit, some_tables
from qwixx.errors import QwixxError
from qwixx.server import database, ledger, retention
from qwixx.server.retention import Keep
from qwixx.server.room import Room
from qwixx.server.sqlite import SqliteStore
from serving import run

DAY = 86400.0


def _store(path: Path) -> SqliteStore:
    return SqliteStore(path, "normal")


def test_one_server_for_each_file(tmp_path: Path) -> None:
    """A second server on the same file is refused, by whatever name it calls it, and told who has it."""
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
    """Hands and sealed choices lie in these files: no other user of the machine may read them, whatever they were."""

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
    """An emptied file, or one that has gone while its last writes lie beside it, is no new beginning."""
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
    """If the power goes while the first file is made there is none, and the next start makes it."""
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


# ---- what is kept for how long


def _codes(path: Path) -> set[str]:
    with contextlib.closing(sqlite3.connect(path)) as database:
        ledgers = {code for (code,) in database.execute("SELECT DISTINCT code FROM ledger")}
        codes = {code for (code,) in database.execute("SELECT code FROM tables")}
    assert ledgers == codes, "a ledger belongs to a table"
    return codes


async def _some_games(store: SqliteStore) -> None:
    for code, stage in (("AAAAA", "lobby"), ("BBBBB", "playing"), ("CCCCC", "over")):
        assert await store.add(Room(code, "classic", stage), ["roll 34/2615"])  # type: ignore[arg-type]


def _clean(path: Path, keep: Keep, days: float, *spare: str) -> int:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
        return retention.clean(database, keep, spare, time.time() + days * DAY)


def test_old_tables_are_marked_and_go_a_day_later(tmp_path: Path) -> None:
    """Unfinished tables go after their time, finished ones only on the operator's wish, never at first sight."""
    path = tmp_path / "tables.db"

    async def look() -> None:
        store = _store(path)
        await _some_games(store)
        keep = Keep(30 * DAY)
        assert [_clean(path, keep, days) for days in (29, 31, 31.5)] == [0, 0, 0]
        assert _clean(path, keep, 32.1, "AAAAA") == 1
        assert _codes(path) == {"AAAAA", "CCCCC"}
        assert [_clean(path, keep, days) for days in (33, 34.1, 400)] == [0, 1, 0]
        assert [_clean(path, Keep(30 * DAY, 365 * DAY), days) for days in (364, 366, 367.1)] == [0, 0, 1]
        assert _codes(path) == set()
        await store.close()

    run(look())


def test_a_wrong_clock_deletes_nothing(tmp_path: Path) -> None:
    """A clock that is far ahead for a while marks tables, and once it is right they lose their mark."""
    path = tmp_path / "tables.db"

    async def look() -> None:
        store = _store(path)
        await _some_games(store)
        keep = Keep(30 * DAY)
        assert [_clean(path, keep, days) for days in (31, 31.9, 0, 0.5)] == [0, 0, 0, 0]
        assert [_clean(path, keep, days) for days in (33, 0, 5000, 31.5, 31.6)] == [0, 0, 0, 0, 0]
        assert _codes(path) == {"AAAAA", "BBBBB", "CCCCC"}
        await store.touch("AAAAA")
        assert (await store.clean(keep), store.count) == (0, 3)
        await store.close()

    run(look())


def test_a_table_that_is_visited_meanwhile_stays(tmp_path: Path) -> None:
    """Between the look and the end somebody may come: then the table is not due any more."""
    path = tmp_path / "tables.db"

    async def look() -> None:
        store = _store(path)
        await _some_games(store)
        assert _clean(path, Keep(30 * DAY), 31) == 0
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("UPDATE tables SET touched = touched + 5 * 86400 WHERE code = 'BBBBB'")
            facts = Keep(30 * DAY).facts(time.time() + 33 * DAY, ())
            assert retention._delete(database, facts, ["AAAAA", "BBBBB", "CCCCC"]) == 1
        assert _codes(path) == {"BBBBB", "CCCCC"}
        await store.close()

    run(look())


def test_many_old_tables_go_in_small_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many go, the disk is never taken for long; the count that `/healthz` tells follows."""
    path = tmp_path / "tables.db"
    monkeypatch.setattr(retention, "AT_ONCE", 3)
    monkeypatch.setattr(retention, "SECOND_LOOK", 0.0)

    async def look() -> None:
        store = _store(path)
        for number in range(10):
            assert await store.add(Room(f"T{number}", "classic"), ["roll 34/2615"])
        assert store.count == 10
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE tables SET touched = 0 WHERE code <> 'T4'")
            database.commit()
        assert [await store.clean(Keep(DAY)) for _ in range(2)] == [0, 9]
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

FIRST = Path(__file__).parent / "golden/store/version-1.sql"


def _schema(path: Path) -> tuple[int, dict[str, str]]:
    with contextlib.closing(sqlite3.connect(path)) as file:
        (version,) = file.execute("PRAGMA user_version").fetchone()
        tables = file.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'")
        return version, {name: " ".join(sql.split()) for name, sql in tables}


def test_the_first_version_is_brought_forward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of version 1 has all its games afterwards, in the form of a new one; a failed try changes nothing."""
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
        game = ledger.resume(*found).game
        assert game is not None
        assert (game.is_over, found[1][0], found[0].seats[0].name) == (True, "roll 43/6241", "Anna")
        assert await store.clean(Keep(30 * DAY)) == 0
        await store.see()
        await store.close()
        await _store(tmp_path / "new.db").close()

    run(look())
    assert _schema(path) == _schema(tmp_path / "new.db")
    assert _schema(path)[0] == 3


def test_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    """A file that a later version has written is refused with a sentence that says what to do, and not touched."""
    path = tmp_path / "tables.db"
    with contextlib.closing(sqlite3.connect(path)) as later:
        later.execute("CREATE TABLE other (one)")
        later.execute("PRAGMA user_version = 4")
    with pytest.raises(QwixxError, match=r"newer version of qwixx \(its form is 4, .* up to 3\); install that version"):
        _store(path)
    assert _schema(path) == (4, {"other": "CREATE TABLE other (one)"})
