"""The command lines of modules that generate files."""

from __future__ import annotations

from pathlib import Path

import pytest

from qwixx.base.generator_arguments import parse_paths
from qwixx.server import generate_types


def test_paths_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    """One path for each name, and one or more for the last."""
    monkeypatch.setattr("sys.argv", ["generate", "a", "b", "c"])
    assert parse_paths("Generates.", "first", "rest", many=True) == [Path("a"), Path("b"), Path("c")]
    with pytest.raises(SystemExit):
        parse_paths("Generates.", "first", "second")


@pytest.mark.parametrize(("arguments", "status"), [(["--help"], 0), (["--check"], 2), ([], 2), (["a", "b"], 2)])
def test_an_option_is_no_file(
    arguments: list[str], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--help shows the usage; another option, or a wrong number of files, is refused. Nothing is written."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["generate_types", *arguments])
    with pytest.raises(SystemExit) as ended:
        generate_types.main()
    assert ended.value.code == status
    assert not list(tmp_path.iterdir())
