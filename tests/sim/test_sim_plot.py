"""The plot of a simulation: its content, and its file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from qwixx import QwixxError
from qwixx.cli import main
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import Records
from qwixx.sim import Results, simulate
from qwixx.sim.plot import caption_of, curves, draw, plot, title_of
from qwixx.sim.tally import Tally
from qwixx.variants import load

pytestmark = pytest.mark.slow


def results_of(bots: tuple[str, ...], *games: tuple[int, ...]) -> Results:
    """Make the results of games with given scores, seat 0 first."""
    written: Records = np.zeros(len(games), RESULT)
    for index, scores in enumerate(games):
        written["score"][index, : len(scores)] = scores
    tally = Tally.empty(len(bots))
    tally.add_games(written, len(bots), 0, 1)
    return Results(load("classic"), bots, 3, False, tally, 1.0)


def test_a_curve_counts_scores_in_steps() -> None:
    """Eight games with 0, 10, 10, 20, 20, 20, 30 and 40 points.

    The middle half lies between 10 and 20, and 2 * 10 / 8 ** (1/3) = 10, so a step is ten points wide. The first has an
    eighth of the games, 1.25 % for each point; then come two, three, one and one eighth. The mean is 150 / 8.
    """
    scores = [(score,) for score in (0, 10, 10, 20, 20, 20, 30, 40)]
    (curve,) = curves(results_of(("gap",), *scores))

    assert curve.edges == (0, 10, 20, 30, 40, 50)
    assert curve.heights == (1.25, 2.5, 3.75, 1.25, 1.25)
    assert curve.mean == 150 / 8
    assert curve.label.startswith("gap: mean 18.8, ")


def test_players_who_are_the_same_bot_share_a_curve() -> None:
    """Two bots at three seats make two curves, with the mean of both players where there are two."""
    found = curves(results_of(("gap", "random", "gap"), (50, 5, 40), (60, 7, 30)))

    assert [(curve.label.split(":")[0], curve.mean) for curve in found] == [("gap", 45), ("random", 6)]
    assert sum(found[0].heights) == pytest.approx(100 / (found[0].edges[1] - found[0].edges[0]))


def test_a_picture_has_title_axes_and_caption() -> None:
    """Title, axes, legend and a caption with all settings that reproduce the numbers."""
    results = simulate("longo", 2, ("gap", "random"), 300, seed=8, lucky=(6, 11))
    figure = draw(results)
    (axes,) = figure.axes

    assert title_of(results) == axes.get_title(loc="left") == "Qwixx Longo, 2 players: final scores"
    assert axes.get_xlabel().startswith("final score")
    assert "share of games" in axes.get_ylabel()
    assert [text.get_text().split(":")[0] for text in axes.get_legend().get_texts()] == ["gap", "random"]
    assert caption_of(results) == "longo, lucky numbers 6/11; 2 seats; bots: gap, random; 300 games; seed 8"
    assert caption_of(results) in [text.get_text() for text in figure.findobj() if hasattr(text, "get_text")]
    assert [line.get_xdata()[0] for line in axes.lines] == [pytest.approx(line.mean) for line in results.by_player()], (
        "a line marks each mean"
    )


def test_a_picture_is_written(tmp_path: Path) -> None:
    """A plot is a picture file, the same for the same results; other file formats are refused."""
    results = simulate("classic", 1, ("gap",), 300)
    for name in ("scores.svg", "again.svg", "scores.png", "scores.pdf"):
        plot(results, tmp_path / name)

    assert "<svg" in (tmp_path / "scores.svg").read_text()
    assert (tmp_path / "scores.svg").read_bytes() == (tmp_path / "again.svg").read_bytes()
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(QwixxError, match="written as"):
        plot(results, tmp_path / "scores.exe")
    with pytest.raises(QwixxError, match="cannot be written"):
        plot(results, tmp_path / "nowhere" / "scores.png")


def test_nothing_is_played_for_an_invalid_picture_file(tmp_path: Path) -> None:
    """A wrong file extension is refused before the games, not after: a billion of them would be wasted."""
    words = ["simulate", "classic", "--games", str(10**11), "--plot", str(tmp_path / "scores.exe")]
    refused = CliRunner().invoke(main, words)

    assert refused.exit_code == 2
    assert "written as" in refused.stderr


def test_a_run_stopped_before_its_first_game_has_a_picture(tmp_path: Path) -> None:
    """Ctrl-C may come immediately; the picture is empty then."""
    results = replace(results_of(("gap",), (10,)), tally=Tally.empty(1), stopped=True)
    plot(results, tmp_path / "empty.svg")

    assert curves(results) == []
