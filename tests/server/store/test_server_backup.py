"""Backup and restore: complete and correct or not there, for both stores."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.server.base.settings import Settings
from qwixx.server.store import backup
from qwixx.server.store.sqlite.store import SqliteStore
from qwixx.server.table import core
from support.paths import GOLDEN
from support.server.live_server import run
from support.server.postgres_server import Postgres

FIRST = GOLDEN / "store/version-1.sql"
TABLES, LINES = 3, 73
"""The content of that file."""


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return a database file of the first version."""
    path = tmp_path / "old.db"
    with contextlib.closing(sqlite3.connect(path)) as file:
        file.executescript(FIRST.read_text("utf-8"))
    return path


def test_a_copy_of_a_file_in_use(old: Path, tmp_path: Path) -> None:
    """While a server uses the file, a backup is made that another server can use; it is private."""

    async def look() -> None:
        store = SqliteStore(old)
        await store.execute("INSERT INTO secrets VALUES (?, ?)", ("days", "xyz"))
        await store.execute("INSERT INTO days VALUES (?, ?, ?, ?, ?)", ("2026-11-16", "classic", "device", "AXCZL", 63))
        await store.execute("INSERT INTO choices VALUES (?, ?, ?, ?, ?)", ("2026-11-16", "classic", "1 white", "r7", 4))
        await store.execute("INSERT INTO losses VALUES (?, ?, ?, ?, ?)", ("2026-11-16", "classic", "AXCZL", 6500, -20))
        done = await backup.backup(Settings(db=str(old)), tmp_path / "copy.db")
        assert (done.tables, done.lines) == (TABLES, LINES)
        with pytest.raises(QwixxError, match="in use by another server"):
            await backup.restore(Settings(db=str(old)), tmp_path / "copy.db")
        await store.close()
        with pytest.raises(QwixxError, match="exists already; move it away first"):
            await backup.restore(Settings(db=str(old)), tmp_path / "copy.db")
        again = await backup.restore(Settings(db=str(tmp_path / "new.db")), tmp_path / "copy.db")
        assert again.digest == done.digest
        store = SqliteStore(tmp_path / "new.db")
        assert await store.query("SELECT value FROM secrets", ()) == [("xyz",)]
        assert await store.query("SELECT code, score FROM days", ()) == [("AXCZL", 63)]
        assert await store.query("SELECT action, number FROM choices", ()) == [("r7", 4)]
        assert await store.query("SELECT lost, luck FROM losses", ()) == [(6500, -20)]
        found = await store.read("AXCZL")
        assert found is not None
        game = core.resume(*found).game
        assert game is not None
        assert game.is_over
        await store.close()

    run(look())
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == (0o600 if os.name == "posix" else 0o666)
    assert not list(tmp_path.glob("*.new*"))


def test_failed_backups(old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is overwritten, no partial file is left, and a copy that differs from its source fails."""
    copy, settings = tmp_path / "copy.db", Settings(db=str(old))

    def refused(sentence: str, work: Any) -> None:
        with pytest.raises(QwixxError, match=sentence):
            run(work)
        assert not copy.exists()
        assert not list(tmp_path.glob("*.new*"))

    refused("There is no file", backup.backup(Settings(db=str(tmp_path / "none.db")), copy))
    refused("There is no file", backup.restore(settings, copy))
    refused("cannot be read: .*not a database", backup.restore(Settings(db=str(copy)), FIRST))
    with monkeypatch.context() as patch:
        add = backup.File.add

        async def forget(self: backup.File, kind: str, rows: backup.Rows) -> None:
            await add(self, kind, rows[:-1])

        patch.setattr(backup.File, "add", forget)
        refused("not what was read", backup.backup(settings, copy))
    with monkeypatch.context() as patch:

        def crash(self: Path, target: Path) -> Path:
            raise OSError("No space left on device")

        patch.setattr(Path, "replace", crash)
        refused("cannot be written: No space left", backup.backup(settings, copy))
    (tmp_path / "taken").touch()
    with pytest.raises(QwixxError, match="exists already; nothing was written"):
        run(backup.backup(settings, tmp_path / "taken"))  # type: ignore[arg-type]


@pytest.mark.slow
def test_from_a_file_to_postgresql_and_back(old: Path, tmp_path: Path, database_server: Postgres) -> None:
    """With the commands: a file is restored into PostgreSQL, and a backup of that is the same again."""
    url = database_server.fresh()

    def command(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(main, words)
        return done.exit_code, done.output

    there = str(tmp_path / "there.db")
    assert command("backup", there, "--db", str(old)) == (
        0,
        f"3 tables with 73 lines written to {there}, and compared.\n",
    )
    assert command("backup", str(tmp_path / "none"), "--db", url)[0] == 2
    assert command("restore", there, "--db", url) == (
        0,
        f"3 tables with 73 lines restored from {there}, and compared.\n3 tables with 73 lines checked: all well.\n",
    )
    code, words = command("restore", there, "--db", url)
    assert (code, "has tables already; restore into an empty one" in words) == (2, True)
    back = str(tmp_path / "back.db")
    assert command("backup", back, "--db", url) == (0, f"3 tables with 73 lines written to {back}, and compared.\n")
    rows = []
    for path in (there, back):
        with contextlib.closing(sqlite3.connect(path)) as file:
            rows.append([file.execute(question.format("BINARY")).fetchall() for question in backup.QUERIES.values()])
    assert rows[0] == rows[1]
