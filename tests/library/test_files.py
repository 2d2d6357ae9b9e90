"""User files: their folders, and atomic writes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from qwixx.base import user_dirs
from qwixx.base.atomic_files import write_atomically
from qwixx.cli.table.saves import games_directory
from qwixx.server.base.settings import Settings


def test_a_file_is_replaced_atomically(tmp_path: Path) -> None:
    """The new file has all chunks in order; no other file is left in the folder; others may read it."""
    path = tmp_path / "game.qwixx"
    path.write_text("an old game, longer than the new one")
    write_atomically(path, [b"a new ", memoryview(b"game")])
    assert path.read_bytes() == b"a new game"
    assert list(tmp_path.iterdir()) == [path]
    fresh = tmp_path / "fresh"
    fresh.touch()
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(fresh.stat().st_mode)


@pytest.mark.parametrize("failure", [OSError("the disk is full"), KeyboardInterrupt()])
def test_a_file_that_cannot_be_finished(tmp_path: Path, failure: BaseException) -> None:
    """After any error during the write, the old file stays and no partial file is left."""

    def chunks() -> Iterator[bytes]:
        yield b"a new"
        raise failure

    path = tmp_path / "game.qwixx"
    path.write_text("an old game")
    with pytest.raises(type(failure)):
        write_atomically(path, chunks())
    assert path.read_text() == "an old game"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_survives_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The content is on disk before the file gets its name, and the name is on disk before the writer returns."""
    done: list[str] = []
    sync, replace = os.fsync, Path.replace

    def fsync(handle: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(handle).st_mode) else f"{os.fstat(handle).st_size} bytes")
        sync(handle)

    def renamed(self: Path, target: Path) -> Path:
        done.append(f"named {target.name}")
        return replace(self, target)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(Path, "replace", renamed)
    write_atomically(tmp_path / "table", [b"123", b"45"])
    assert done == ["5 bytes", "named table", "folder"]


def test_places_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """QWIXX_DATA moves saved games and the server's tables, QWIXX_CACHE files that can be computed again."""
    monkeypatch.setenv("QWIXX_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("QWIXX_CACHE", str(tmp_path / "cache"))
    assert games_directory() == tmp_path / "data" / "games"
    assert Settings().database == tmp_path / "data" / "qwixx.db"
    assert Settings(db=str(tmp_path / "mine.db")).database == tmp_path / "mine.db"
    assert user_dirs.cache_directory() == tmp_path / "cache"
    monkeypatch.setenv("QWIXX_DATA", "")
    assert user_dirs.data_directory().name == "qwixx"
    monkeypatch.setenv("QWIXX_DATA", "~/games")
    assert user_dirs.data_directory() == Path.home() / "games"
