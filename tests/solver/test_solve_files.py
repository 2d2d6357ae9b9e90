"""Solved tables on disk: reused, rejected when damaged, continued when unfinished."""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qwixx.errors import QwixxError
from qwixx.solver import Progress, Solution, plan, recall, solve
from qwixx.solver.build.table_files import Heading, read_table, write_table
from qwixx.variants import load
from support.games.small_sheets import tiny_sheet

pytestmark = pytest.mark.slow


def solved(tmp_path: Path, steps: list[Progress] | None = None, name: str = "plain") -> Solution:
    """Solve a small sheet with its table in a file, and record its progress steps."""
    report = None if steps is None else steps.append
    return solve(tiny_sheet(tmp_path, name), table=tmp_path / "table", progress=report)


def test_second_solve_reads_the_table(tmp_path: Path) -> None:
    """An existing table is used: nothing is computed, and all values are the same."""
    first = solved(tmp_path)
    steps: list[Progress] = []
    second = solved(tmp_path, steps)

    assert steps == []
    assert (second.value, second.states, second.cpu_seconds) == (first.value, first.states, first.cpu_seconds)


def test_tables_live_in_the_cache_directory(tmp_path: Path, fresh_cache: Path) -> None:
    """Without a custom file the table is stored in $QWIXX_CACHE, named after variant and sheet."""
    solve(tiny_sheet(tmp_path, "plain"))

    assert [path.name.startswith("small-plain-") for path in (fresh_cache / "solved").iterdir()] == [True]


def truncate(data: bytes) -> bytes:
    """Cut the end off."""
    return data[:-8]


def flip(data: bytes) -> bytes:
    """Change one bit of a value."""
    return data[:-20] + bytes([data[-20] ^ 1]) + data[-19:]


def other_format(data: bytes) -> bytes:
    """Simulate a file of another package version."""
    return data.replace(b'"format": 1', b'"format": 0')


def other_sheet(data: bytes) -> bytes:
    """Simulate a table of another sheet."""
    heading, _, rest = data.partition(b"\n")
    return json.dumps({**json.loads(heading), "layout": "0" * 16}).encode() + b"\n" + rest


def nonsense(data: bytes) -> bytes:
    """Replace all of it."""
    return b"\x00" * len(data)


def nothing(data: bytes) -> bytes:
    """Leave an empty file."""
    return data[:0]


@pytest.mark.parametrize("damage", [truncate, flip, other_format, other_sheet, nonsense, nothing])
def test_a_damaged_table_is_computed_again(tmp_path: Path, fresh_cache: Path, damage: object) -> None:
    """The solver detects any damage of a cached file, computes the table again and writes a valid file."""
    assert callable(damage)
    first = solve(tiny_sheet(tmp_path, "plain"))
    path = next((fresh_cache / "solved").iterdir())
    good = path.read_bytes()
    path.write_bytes(damage(good))
    steps: list[Progress] = []
    second = solve(tiny_sheet(tmp_path, "plain"), progress=steps.append)

    assert steps[-1].reach == 0
    assert second.value == first.value
    assert path.read_bytes().partition(b"\n")[2] == good.partition(b"\n")[2]


@pytest.mark.parametrize("name", ["plain", "all"])
def test_a_table_of_other_rules_is_computed_again(tmp_path: Path, name: str) -> None:
    """A table that is complete but wrong, as from older rules, is detected by computing a sample again."""
    first = solved(tmp_path, name=name)
    path = tmp_path / "table"
    heading = json.loads(path.read_bytes().partition(b"\n")[0])
    wrong = first.values + 0.5
    facts = {key: heading[key] for key in Heading.__dataclass_fields__}
    write_table(path, Heading(**{**facts, "lucky": ()}), wrong)
    steps: list[Progress] = []
    second = solved(tmp_path, steps, name)

    assert steps
    assert second.value == first.value


class StoppedError(Exception):
    """Simulates an interruption of a long run."""


@pytest.mark.parametrize("name", ["mixed", "all"])
@pytest.mark.parametrize(("stopped", "seconds"), [(StoppedError, 0.0), (KeyboardInterrupt, 3600.0)])
def test_an_interrupted_solve_continues(
    tmp_path: Path, name: str, stopped: type[BaseException], seconds: float
) -> None:
    """A solve that was interrupted continues from the last checkpoint and makes the same table.

    Ctrl-C writes a checkpoint, however long it would be until the next.
    """
    sheet = tiny_sheet(tmp_path, name)
    whole: list[Progress] = []
    first = solve(sheet, table=tmp_path / "whole", progress=whole.append)
    middle = whole[len(whole) // 2].reach

    def stop(step: Progress) -> None:
        if step.reach == middle:
            raise stopped

    with pytest.raises(stopped):
        solve(sheet, table=tmp_path / "part", progress=stop, checkpoint_seconds=seconds)
    rest: list[Progress] = []
    second = solve(sheet, table=tmp_path / "part", progress=rest.append)

    assert [step.reach for step in rest] == list(range(middle - 1, -1, -1))
    assert second.states == first.states
    assert second.values.tobytes() == first.values.tobytes()


@pytest.mark.parametrize("name", ["mixed", "all"])
def test_any_number_of_workers_gives_the_same_table(tmp_path: Path, name: str) -> None:
    """One thread and three threads make the same file, bit for bit."""
    sheet = tiny_sheet(tmp_path, name)
    tables = [solve(sheet, table=tmp_path / str(workers), workers=workers).values for workers in (1, 3)]

    assert tables[0].tobytes() == tables[1].tobytes()


@pytest.mark.parametrize("workers", [-1, 0, 257, 10**9, "x", True, 1.5])
def test_a_number_of_workers_is_checked(tmp_path: Path, workers: Any) -> None:
    """The library refuses nonsense as the command line does, before it looks for a table."""
    with pytest.raises(QwixxError, match="The number of workers"):
        solve(tiny_sheet(tmp_path, "plain"), table=tmp_path / "table", workers=workers)
    assert not (tmp_path / "table").exists()


def test_an_estimate_knows_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the compiler there is no number of seconds: it would be wrong by a factor of hundreds."""
    work = plan(load(tiny_sheet(tmp_path, "plain")), None)
    monkeypatch.setattr("qwixx.solver.build.plan.RUNS_COMPILED", True)
    assert "seconds of one core" in str(work)
    monkeypatch.setattr("qwixx.solver.build.plan.RUNS_COMPILED", False)
    assert str(work).endswith("many hours without the compiler")


def test_a_missing_file_is_no_error(tmp_path: Path) -> None:
    """Reading a table that does not exist returns None, without an error."""
    assert read_table(tmp_path / "none", "0" * 16, (), (1, 1)) is None


def test_a_table_too_large_for_memory_is_refused_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one page of free memory no sheet is solved, and the sentence names the required memory."""
    monkeypatch.setattr("os.sysconf", lambda name: 1)
    with pytest.raises(QwixxError, match="in memory"):
        solve("classic", table=tmp_path / "table")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(b"dear diary\n", "is not a solved table"), (b"\x00" * 50, "is not a solved table"), (None, "is none")],
)
def test_files_that_are_something_else_are_left_alone(tmp_path: Path, content: bytes | None, sentence: str) -> None:
    """A file with other content at the path of the table, or a directory, is refused and not changed."""
    path = tmp_path / "mine"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(QwixxError, match=sentence):
        solve(tiny_sheet(tmp_path, "plain"), table=path)

    assert content is None or path.read_bytes() == content


def test_the_table_of_another_sheet_is_left_alone(tmp_path: Path) -> None:
    """A table of one sheet is not overwritten by that of another."""
    solved(tmp_path)
    written = (tmp_path / "table").read_bytes()
    with pytest.raises(QwixxError, match="another sheet"):
        solved(tmp_path, name="mixed")

    assert (tmp_path / "table").read_bytes() == written


def test_a_folder_without_write_access_is_refused_before_the_work(tmp_path: Path) -> None:
    """If the file cannot be written, nothing is solved."""
    (tmp_path / "file").write_text("in the way")
    steps: list[Progress] = []
    with pytest.raises(QwixxError, match="cannot be kept"):
        solve(tiny_sheet(tmp_path, "plain"), table=tmp_path / "file" / "table", progress=steps.append)

    assert not steps


def test_a_complete_table_is_mapped(tmp_path: Path) -> None:
    """The values of a file are memory-mapped from a page boundary, and changes do not reach the file."""
    solved(tmp_path)
    written = (tmp_path / "table").read_bytes()
    second = solved(tmp_path)
    assert isinstance(second.values.base, np.memmap)
    assert written.index(b"\n") == 4095
    second.values[:] = 0.0

    assert second.values.flags.aligned
    assert (tmp_path / "table").read_bytes() == written


def test_tables_with_short_headings_are_read(tmp_path: Path) -> None:
    """A file whose header is not padded, as earlier versions wrote it, is accepted."""
    first = solved(tmp_path)
    path = tmp_path / "table"
    heading, _, values = path.read_bytes().partition(b"\n")
    path.write_bytes(heading.rstrip() + b"\n" + values)
    steps: list[Progress] = []
    second = solved(tmp_path, steps)

    assert steps == []
    assert second.values.tobytes() == first.values.tobytes()


def settle(path: Path) -> None:
    """Make a file look as if it had been written a minute ago."""
    then = path.stat().st_mtime_ns - 60_000_000_000
    os.utime(path, ns=(then, then))


def damage_in_place(path: Path) -> None:
    """Change a value of a file, but not its size and time."""
    before = path.stat()
    with path.open("r+b") as file:
        file.seek(-8, os.SEEK_END)
        file.write(b"\xff" * 8)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.usefixtures("fresh_cache")
def test_a_checked_table_is_trusted_until_it_changes(tmp_path: Path) -> None:
    """A trusting reader does not read a checked file again, not even a damaged one; a reader that does not trust does.

    With another modification time the file is checked again.
    """
    sheet, path = tiny_sheet(tmp_path, "plain"), tmp_path / "table"
    first = solve(sheet, table=path)
    settle(path)
    solve(sheet, table=path)  # checks it
    damage_in_place(path)
    steps: list[Progress] = []
    trusting = solve(sheet, table=path, trust=True, progress=steps.append)
    assert steps == []
    assert np.isnan(trusting.values[-1, -1])

    settle(path)
    solve(sheet, table=path, trust=True, progress=steps.append)
    assert steps
    settle(path)
    solve(sheet, table=path)
    damage_in_place(path)
    steps.clear()
    assert solve(sheet, table=path, progress=steps.append).value == first.value
    assert steps


def test_a_file_of_this_moment_is_not_trusted(tmp_path: Path, fresh_cache: Path) -> None:
    """A file that was written just now could change without a new timestamp: it is checked next time."""
    sheet, path = tiny_sheet(tmp_path, "plain"), tmp_path / "table"
    for _ in range(2):
        solve(sheet, table=path)

    assert not (fresh_cache / "checked").exists()


@pytest.mark.usefixtures("fresh_cache")
def test_a_table_checked_by_other_rules_is_checked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record of a check is valid only for the rules it was made with."""
    checked = import_module("qwixx.solver.build.verified_files")
    sheet, path = tiny_sheet(tmp_path, "plain"), tmp_path / "table"
    solve(sheet, table=path)
    settle(path)
    solve(sheet, table=path)
    assert checked.is_checked(path)
    monkeypatch.setattr(checked, "source_key", lambda files: "other rules")
    assert not checked.is_checked(path)


@pytest.mark.usefixtures("fresh_cache")
def test_the_last_solutions_are_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second call finds the solution in the cache; when the cache is full, the least recently used one is removed."""
    plain, mixed = load(tiny_sheet(tmp_path, "plain")), load(tiny_sheet(tmp_path, "mixed"))
    first = recall(plain)
    assert recall(plain) is first
    recall(mixed)
    assert recall(plain) is first

    monkeypatch.setattr(import_module("qwixx.solver.build.run"), "_MOST_BYTES", first.values.nbytes)
    assert recall(mixed).value == recall(mixed).value
    assert recall(plain) is not first
    assert recall(plain).value == first.value
