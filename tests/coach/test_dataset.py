"""`qwixx data`: the rows of a dataset, its file, and refusals."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from pyarrow import parquet

import qwixx
from qwixx.cli import main
from qwixx.coach.review.dataset import COLUMNS, Dataset
from qwixx.errors import QwixxError
from qwixx.sim import replay_game
from support.paths import ROOT

PAGE = (ROOT / "docs" / "model-cards.md").read_text("utf-8")


def test_the_docs_list_the_columns() -> None:
    """The table of the page is that of the schema."""
    for each in COLUMNS:
        assert f"| `{each.name}` | {each.type} | {each.meaning} |" in PAGE


@pytest.mark.slow(3)
def test_rows_are_the_decisions_of_the_games(tmp_path: Path) -> None:
    """Each row is a decision of the simulated game, by the bot on this seat; its values are those of the position."""
    wanted = Dataset("duel", 2, ("greedy", "random"), 2, seed=5)
    rows = list(wanted.rows())
    assert set(rows[0]) == {each.name for each in COLUMNS}
    games = [replay_game("duel", 2, ("greedy", "random"), 5, number) for number in range(2)]
    for row in rows:
        game = games[row["game"]]
        assert row["bot"] == ("greedy", "random")[(row["seat"] + row["game"]) % 2], "the bots change seats"
        assert row["score"] == game.scores()[row["seat"]]
        before = qwixx.Game.from_position(row["position"])
        assert sorted(choice["action"] for choice in row["choices"]) == sorted(map(str, before.legal(row["seat"])))
        values = {choice["action"]: choice["value"] for choice in row["choices"]}
        assert values[row["best"]] == max(values.values())
        assert row["loss"] == pytest.approx(values[row["best"]] - values[row["action"]])
    assert {row["won"] for row in rows} <= {0.0, 0.5, 1.0}
    file = tmp_path / "decisions.parquet"
    assert wanted.write(file) == len(rows)
    table = parquet.read_table(file)
    assert table.to_pylist() == rows
    assert table.schema.metadata[b"qwixx.bots"] == b"greedy,random"
    assert [each.name for each in tmp_path.iterdir()] == [file.name], "the temporary file is gone"


@pytest.mark.slow(2)
def test_the_command_writes_a_file(tmp_path: Path) -> None:
    """It says how many decisions it has written."""
    file = tmp_path / "alone.parquet"
    done = CliRunner().invoke(main, ["data", "duel", "--bots", "greedy", "--games", "1", "-o", str(file)])
    assert done.exit_code == 0, done.output
    assert f"{parquet.read_table(file).num_rows} decisions written to" in done.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--games", "0"], "The number of games must be from 1 to 1,000,000, not 0."),
        (["--games", "1000001"], "The number of games must be from 1 to 1,000,000, not 1000001."),
        (["--deep", "-1"], "The number of games must be from 0 to 1000000, not -1."),
        (["--bots", "nobody"], "nobody"),
        (["--seats", "7"], "1 to 5 seats"),
    ],
)
def test_nonsense_is_refused(words: list[str], sentence: str, tmp_path: Path) -> None:
    """A sentence, and no file."""
    done = CliRunner().invoke(main, ["data", "classic", "-o", str(tmp_path / "x.parquet"), *words])
    assert done.exit_code == 2
    assert sentence in done.output
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_missing(tmp_path: Path) -> None:
    """The error of the system is a sentence, before any game is played."""
    with pytest.raises(QwixxError, match="cannot be written"):
        Dataset("duel", 2, ("greedy",), 1).write(tmp_path / "no" / "x.parquet")


def test_without_pyarrow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what to install."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(QwixxError, match=r"pip install 'qwixx\[data\]'"):
        Dataset("duel", 2, ("greedy",), 1).write(tmp_path / "x.parquet")
