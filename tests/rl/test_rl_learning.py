"""The table for citations: its intervals by hand, its page from a small run, and the learner for two."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import numbers_of_docs as numbers
from support.paths import ROOT

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def bench() -> Iterator[Any]:
    """Import the benchmark as `python -m bench.learning` does: from the root."""
    sys.path.insert(0, str(ROOT))
    yield import_module("bench.learning")
    sys.path.remove(str(ROOT))


def test_intervals_by_hand(bench: Any) -> None:
    """Three seeds with means 1, 2, 3: their deviation is 1, Student's t 4.303. Wins: 3 of 4 games, or ties in all."""
    seeds = bench.over_seeds([1.0, 2.0, 3.0])
    assert seeds.mean == 2
    assert seeds.interval == pytest.approx(4.303 / 3**0.5)
    games = bench.over_games(np.array([0.0, 2.0]))
    assert (games.mean, games.interval) == (1, pytest.approx(1.96 * 2**0.5 / 2**0.5))
    wins = bench.share_of_wins(0.75, 0.0, 100)
    assert (wins.mean, wins.interval) == (0.75, pytest.approx(1.96 * (0.75 * 0.25 / 100) ** 0.5))
    tied = bench.share_of_wins(0.0, 1.0, 100)
    assert (tied.mean, tied.interval) == (0.5, 0), "all games tied: half of the wins, without any spread"


def test_a_small_run_writes_the_page(
    bench: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page has a line for each player, with one that is not available yet, and the docs can copy its table."""
    monkeypatch.setattr(bench, "TABLES", 8)
    monkeypatch.setattr(bench, "PLAYERS", ("random", "nobody-yet"))
    page = tmp_path / "learning.md"
    words = f"learning --seeds 2 --steps 20 --steps-against 20 --games 12 --out {page}"
    monkeypatch.setattr("sys.argv", words.split())
    bench.main()
    capsys.readouterr()
    text = page.read_text("utf-8")
    table = [line for line in text.splitlines() if line.startswith("|")]
    assert [line.split("|")[1].strip() for line in table] == ["player", "---", "random", "nobody-yet", "learner"]
    assert "not in this version" in table[3]
    assert "160 and 160 steps | 1 to 2 |" in table[4]
    assert table[2].count("±") == table[4].count("±") == 4
    block = numbers.learning(text)
    assert block.splitlines()[:4] == [*table[:3], table[4]]  # without the bot that is not available
    assert "by `python -m bench.learning --seeds 2 --steps 20 --steps-against 20 --games 12`." in block


def test_the_learner_for_two_plays_legally_and_learns(bench: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """The batch refuses illegal actions. After a short training it makes more points than before."""
    player = bench.learn_against
    before = player.first_games("random", player.hopeful_tables(), 64, 5, n=64)
    tables = player.learn("random", 2000, 1, n=64)
    after = player.first_games("random", tables, 64, 5, n=64)
    assert after[:, 0].mean() > before[:, 0].mean() + 5
    assert after[:, 0].mean() > after[:, 1].mean() + 20, "random play is far behind"
    assert "mean margin" in capsys.readouterr().out
