"""
Draw the pictures of docs/study.md.

    python examples/study.py [DIRECTORY] [--games N]        # needs matplotlib: pip install 'qwixx[plot]'

All data comes from `simulate` and `solve`, with the seed and the numbers of games in the study.
"""

# ruff: noqa: T201 - a script that shows its progress prints it

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import qwixx
from qwixx import Game, simulate
from qwixx.players import default_heuristic
from qwixx.solver import solve
from qwixx.variants import load

SEED = 1
INK = "#333333"
COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
"""Blue, vermilion, green, purple, orange: color-blind readers can tell them apart, too."""
DICE = ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo")
SLOW = {"cards": 20, "cards-joker": 20, "duel": 5}
"""By which factor to play fewer games of slow variants."""

mpl.rcParams.update(
    {
        "svg.hashsalt": "qwixx",  # the same picture is the same file
        "svg.fonttype": "none",
        "font.family": "sans-serif",
        "font.size": 10,
        "axes.edgecolor": "#999999",
        "axes.labelcolor": INK,
        "text.color": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
)


def density(histogram: dict[int, int]) -> tuple[Any, Any]:
    """Return the share of games by score, for all scores between the lowest and the highest."""
    scores = np.arange(min(histogram), max(histogram) + 1)
    counts = np.array([histogram.get(int(score), 0) for score in scores], float)
    smooth = np.convolve(counts, np.ones(5) / 5, mode="same")  # smooth, because scores jump by the points of a row
    return scores, smooth / counts.sum()


def new_axes(width: float, height: float, title: str, across: str, up: str) -> tuple[Figure, Any]:
    """Start a picture."""
    figure = Figure(figsize=(width, height), layout="constrained")
    axes = figure.subplots()
    axes.set_title(title, loc="left", fontsize=11, fontweight="bold")
    axes.set_xlabel(across)
    axes.set_ylabel(up)
    axes.grid(axis="x", color="#e6e6e6", linewidth=0.8)
    axes.set_axisbelow(True)
    return figure, axes


def draw_variants(games: int) -> Figure:
    """Draw the scores of the nine games, two seats, simple heuristics."""
    names = qwixx.games()
    figure, axes = new_axes(8, 6, "Scores of two players by rules of thumb", "points", "")
    for place, name in enumerate(reversed(names)):
        results = simulate(name, 2, (default_heuristic(load(name)),), games // SLOW.get(name, 1), seed=SEED)
        scores, shares = density(results.histogram())
        height = shares / shares.max() * 0.85
        axes.fill_between(scores, place, place + height, color=COLORS[0], alpha=0.35, linewidth=0)
        axes.plot(scores, place + height, color=COLORS[0], linewidth=1.2)
        mean = sum(line.mean for line in results.by_player()) / 2
        axes.plot([mean, mean], [place, place + 0.85], color=INK, linewidth=1)
        axes.annotate(f"{mean:.1f}", (mean, place + 0.87), ha="center", fontsize=8)
    axes.set_yticks(range(len(names)), list(reversed(names)))
    axes.set_xlim(-25, 225)
    return figure


def draw_seats(games: int) -> Figure:
    """Draw the scores of classic by the number of seats."""
    title = "Classic, gap players: the more seats, the lower the scores"
    figure, axes = new_axes(8, 3.6, title, "points", "share of games")
    for seats, color in zip(range(1, 6), COLORS, strict=True):
        results = simulate("classic", seats, ("gap",), games, seed=SEED)
        scores, shares = density(results.histogram())
        axes.plot(scores, shares, color=color, linewidth=1.6, label=f"{seats} seat{'s' * (seats > 1)}")
    axes.legend(frameon=False)
    axes.set_xlim(-25, 175)
    axes.set_ylim(bottom=0)
    return figure


def draw_first_seat(games: int) -> Figure:
    """Draw how much more than its fair share the first seat wins."""
    title = "Does the first seat win more? Its share of wins beyond a fair one"
    figure, axes = new_axes(8, 4.2, title, "percentage points, with 95 % intervals", "")
    for place, name in enumerate(reversed(DICE)):
        for seats, color in zip(range(2, 6), COLORS, strict=False):
            first = simulate(name, seats, ("gap",), games, seed=SEED).first_seat_advantage()
            assert first is not None
            beyond = 100 * (first.win_share - first.fair_share)
            ends = [[100 * abs(end - first.win_share)] for end in first.win_share_range]
            label = f"{seats} seats" if place == 0 else None
            up = place + (3.5 - seats) * 0.17
            axes.errorbar(beyond, up, xerr=ends, fmt="o", color=color, markersize=4, label=label)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(DICE)), list(reversed(DICE)))
    axes.legend(frameon=False)
    return figure


def draw_optimal(games: int) -> Figure:
    """Draw simple heuristics and best play in solitaire."""
    figure, axes = new_axes(8, 3.6, "Classic solitaire: rules of thumb and best play", "points", "share of games")
    for (bot, words), color in zip(
        (("random", "by lot"), ("gap", "smallest gap, up to 1"), ("optimal", "best play")), COLORS, strict=False
    ):
        results = simulate("classic", 1, (bot,), games, seed=SEED)
        scores, shares = density(results.histogram())
        mean = results.by_player()[0].mean
        axes.fill_between(scores, shares, color=color, alpha=0.25, linewidth=0)
        axes.plot(scores, shares, color=color, linewidth=1.6, label=f"{words}: {mean:.1f} on average")
    axes.legend(frameon=False)
    axes.set_xlim(-25, 225)
    axes.set_ylim(bottom=0)
    return figure


def draw_first_cross(_games: int) -> Figure:
    """Draw the value of the first cross by the number of cells that it skips."""
    solution = solve("classic")

    def expected(sheet: str) -> float:
        return solution.expected(Game.from_position(f"classic active=0 phase=roll | {sheet}").raw()[1])

    title = "The first cross of a classic solitaire: what is left to expect"
    figure, axes = new_axes(8, 3.6, title, "cells skipped in the row", "expected final score")
    skipped = range(10)
    worth = [expected(f"r={2 + cells}") for cells in skipped]
    for points, words in ((expected("-"), "an empty sheet"), (expected("misses=1"), "a miss")):
        axes.axhline(points, color=COLORS[1], linewidth=1.2)
        axes.annotate(f"{words}: {points:.1f}", (9.3, points + 0.8), ha="right", fontsize=9, color=COLORS[1])
    axes.plot(skipped, worth, "o-", color=COLORS[0], linewidth=1.6)
    for cells, points in zip(skipped, worth, strict=True):
        axes.annotate(f"{points:.1f}", (cells, points), (4, 4), textcoords="offset points", fontsize=8)
    axes.set_xticks(list(skipped))
    axes.set_ylim(60, 128)
    return figure


PICTURES: dict[str, Callable[[int], Figure]] = {
    "study-variants": draw_variants,
    "study-seats": draw_seats,
    "study-first-seat": draw_first_seat,
    "study-optimal": draw_optimal,
    "study-first-cross": draw_first_cross,
}


def main() -> None:
    """Draw all pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--games", type=int, default=1_000_000)
    options = parser.parse_args()
    options.directory.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        path = options.directory / f"{name}.svg"
        draw(options.games).savefig(path, metadata={"Date": None})
        print(path)


if __name__ == "__main__":
    main()
