"""The benchmark: its tasks, its intervals by hand, its file from a small run, and the learner for two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bench import baselines as bench
from examples import learn_against

import numbers_of_docs as numbers

pytestmark = pytest.mark.slow


def test_the_tasks_are_all_games() -> None:
    """Six dice games alone and nine games for two, with the versions of the environments."""
    found = [task.id for task in bench.tasks()]
    assert len(found) == len(set(found)) == 6 + 9
    assert found[0] == "solitaire/classic-v0"
    assert {"two/duel-v0", "two/cards-v1", "two/cards-joker-v1"} <= set(found)
    assert set(bench.LEARNED_TASKS) <= set(found)
    assert bench.optimum("classic") == 115.483126
    longo = (188.512351 + 2 * 187.969385 + 2 * 187.599026) / 5
    assert bench.optimum("longo") == pytest.approx(longo), "each of the five pads is equally likely"


def test_intervals_by_hand() -> None:
    """Three seeds with means 1, 2, 3: their deviation is 1, Student's t 4.303. Wins: 3 of 4 games, or ties in all."""
    assert bench.over_seeds([1.0, 2.0, 3.0]) == pytest.approx((2, 4.303 / 3**0.5))
    assert bench.over_games(np.array([0.0, 2.0])) == pytest.approx((1, 1.96 * 2**0.5 / 2**0.5))
    assert bench.share_of_wins(0.75, 0.0, 100) == pytest.approx((0.75, 1.96 * (0.75 * 0.25 / 100) ** 0.5))
    assert bench.share_of_wins(0.0, 1.0, 100) == (0.5, 0), "all games tied: half of the wins, without any spread"


def run(monkeypatch: pytest.MonkeyPatch, file: Path, *words: str) -> dict[str, Any]:
    """Run the benchmark as a program with few games; return its file."""
    few = ("--games", "12", "--games-two", "12", "--seeds", "2", "--steps", "20", "--out", str(file))
    monkeypatch.setattr("sys.argv", ["baselines", *words, *few])
    monkeypatch.setattr(bench, "TABLES", 8)
    bench.main()
    found: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return found


def test_a_small_run_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each task has the results of its players; a later run adds tasks in their order, and the docs show them."""
    file = tmp_path / "baselines.json"
    run(monkeypatch, file, "--only", "two/classic-v0")
    found = run(monkeypatch, file, "--only", "solitaire/classic-v0")
    capsys.readouterr()
    assert list(found) == ["solitaire/classic-v0", "two/classic-v0"]
    alone, two = found.values()
    assert alone["optimum"] == 115.483126
    assert alone["games"] == two["games"] == 12
    players = [row["player"] for row in alone["results"]]
    assert [name for name in players if name != "master"] == ["random", "gap", "optimal", "learner"]
    assert alone["results"][-1]["steps"] == 20 * 8
    assert [row["player"] for row in two["results"]] == ["random", "gap", "master", "learner"]
    assert two["opponent"] == "gap"
    assert 0 < two["results"][2]["wins"][0] <= 1
    block = numbers.baselines(file.read_text("utf-8")).splitlines()
    assert block[2].startswith("| `solitaire/classic-v0` | ")
    assert block[2].endswith(" | 115.48 |")
    assert [line.split(" | ")[1] for line in block[6:10]] == ["random", "gap", "master", "learner, 160 steps, 2 seeds"]


def test_the_learner_for_two_plays_legally_and_learns(capsys: pytest.CaptureFixture[str]) -> None:
    """The batch refuses illegal actions. After a short training it makes more points than before."""
    before = learn_against.first_games("random", learn_against.hopeful_tables(), 64, 5, n=64)
    tables = learn_against.learn("random", 2000, 1, n=64)
    after = learn_against.first_games("random", tables, 64, 5, n=64)
    assert after[:, 0].mean() > before[:, 0].mean() + 5
    assert after[:, 0].mean() > after[:, 1].mean() + 20, "random play is far behind"
    assert "mean margin" in capsys.readouterr().out
