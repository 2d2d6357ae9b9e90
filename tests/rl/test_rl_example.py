"""The example that learns: a short training is enough to beat simple players."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from support.paths import ROOT

pytestmark = pytest.mark.slow

SCRIPT = ROOT / "examples" / "learn_solitaire.py"


@pytest.fixture(scope="module")
def script() -> Iterator[Any]:
    """Import the script under its name in `bench`: the compile cache uses that name."""
    root = str(SCRIPT.parent.parent)
    sys.path.insert(0, root)
    yield import_module(f"{SCRIPT.parent.name}.{SCRIPT.stem}")
    sys.path.remove(root)


def test_a_short_training_beats_the_heuristic(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """After some seconds of training the player scores far more than gap, and less than perfect play."""
    table, played, means = script.learn(4000, 1)
    env = script.Env("classic", n=256, seats=1, seed=5, observations=False, masks=False)
    learned = script.first_games(env, table, 1000).mean()
    assert script.bot_scores("gap", 1000, 5).mean() + 10 < learned < script.OPTIMUM
    assert script.bot_scores("random", 1000, 5).mean() < 10
    assert len(played) == len(means)
    assert "mean score" in capsys.readouterr().out


def test_the_player_keeps_to_the_rules(script: Any) -> None:
    """Every action it chooses is legal: the batch would raise. Here an untrained player plays whole games."""
    env = script.Env("classic", n=64, seats=1, seed=6)
    scores = script.play(env, script.hopeful_table(), 300, 0.0)
    assert len(scores) > 64
    assert np.isfinite(scores).all()


def test_the_script_ends_with_a_comparison(
    script: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It prints its score next to random, gap and the exact optimum."""
    monkeypatch.setattr("sys.argv", ["learn_solitaire.py", "--steps", "200", "--games", "50"])
    script.main()
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()[-4:]]
    assert names == ["random", "gap", "learned", "optimum"]
