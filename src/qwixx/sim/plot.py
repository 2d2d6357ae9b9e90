"""Plots of simulations, good enough for an article. Needs matplotlib: `pip install qwixx[plot]`."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qwixx.base.atomic_files import write_atomically
from qwixx.errors import QwixxError
from qwixx.sim.ladder import Ladder
from qwixx.sim.results import Results
from qwixx.sim.statistics import Line
from qwixx.text.arguments import with_noun

_KINDS = (".svg", ".png", ".pdf")
_COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
"""The palette of Okabe and Ito, whose colors color-blind readers can distinguish too."""
_INK = "#333333"
_DOTS_PER_INCH = 200
_MOST_FILLED = 2
"""More areas than this hide one another."""
_WIDTHS = (1, 2, 5, 10, 20, 50)
"""Possible widths of a step, in points."""
_HALF_IN = 10
"""The middle half of the games is at most this many steps wide."""
_RARE = 0.0005
"""Scores further out than all but this share of the games on either side are left out of the picture."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The distribution of the scores of one bot, in steps of equal width."""

    label: str
    mean: float
    edges: tuple[int, ...]
    heights: tuple[float, ...]
    """Percent of the games for each point between two edges."""


def plot(results: Results, path: str | Path) -> None:
    """Draw the distribution of scores and write the picture; the file extension selects its format."""
    check_picture(path)
    _write(draw(results), Path(path))


def plot_ladder(ladder: Ladder, path: str | Path) -> None:
    """Draw the ratings of a ladder and write the picture."""
    check_picture(path)
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to import

    ratings = ladder.rungs[::-1]
    figure = Figure(figsize=(8, 1.2 + 0.45 * len(ratings)), layout="constrained")
    axes = figure.subplots()
    axes.errorbar(
        [rating.elo for rating in ratings],
        range(len(ratings)),
        xerr=[rating.interval for rating in ratings],
        fmt="o",
        color=_COLORS[0],
        capsize=3,
    )
    axes.set_yticks(range(len(ratings)), [rating.player for rating in ratings])
    axes.set_xlabel("Elo, with 95 % intervals", color=_INK)
    axes.grid(axis="x", color="#dddddd", linewidth=0.8)
    axes.set_axisbelow(True)
    title = f"{ladder.variant}, {with_noun(ladder.seats, 'seat')}, {with_noun(ladder.games, 'game')} a match"
    axes.set_title(title, loc="left", fontsize=13, fontweight="bold", color=_INK, pad=10)
    _write(figure, Path(path))


def _write(figure: Any, file: Path) -> None:
    """Write a figure as a file."""
    try:
        # Without a date and with fixed ids inside, the same results give the same file.
        metadata = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}.get(file.suffix.lower())
        picture = io.BytesIO()
        with _matplotlib().rc_context({"svg.hashsalt": "qwixx"}):
            figure.savefig(picture, format=file.suffix[1:].lower(), dpi=_DOTS_PER_INCH, metadata=metadata)
        write_atomically(file, [picture.getbuffer()])
    except OSError as error:
        raise QwixxError(f"The picture cannot be written to {str(file)!r}: {error.strerror}.") from None


def check_picture(path: str | Path) -> None:
    """Refuse a file name of another format, and any picture if matplotlib is missing."""
    file = Path(path)
    if file.suffix.lower() not in _KINDS:
        raise QwixxError(f"A picture is written as {', '.join(_KINDS)}, not as {file.name!r}.")
    _matplotlib()


def draw(results: Results) -> Any:
    """Draw the distribution of scores, a curve for each bot with its mean; return matplotlib's figure."""
    _matplotlib()
    from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to import

    figure = Figure(figsize=(8, 4.6), layout="constrained")
    axes = figure.subplots()
    found = curves(results)
    for curve, color in zip(found, _COLORS, strict=False):
        if len(found) <= _MOST_FILLED:
            axes.stairs(curve.heights, curve.edges, fill=True, color=color, alpha=0.15)
        axes.stairs(curve.heights, curve.edges, color=color, linewidth=1.5, label=curve.label)
        axes.axvline(curve.mean, color=color, linewidth=1.2, linestyle=(0, (4, 3)))
    axes.set_xlim(_window(results, found))
    axes.set_ylim(0, 1.15 * max((height for curve in found for height in curve.heights), default=1.0))
    axes.set_title(title_of(results), loc="left", fontsize=13, fontweight="bold", color=_INK, pad=10)
    axes.set_xlabel("final score (dashed: mean)", color=_INK)
    axes.set_ylabel("share of games per point, %", color=_INK)
    axes.grid(color="#e4e4e4", linewidth=0.7)
    axes.set_axisbelow(True)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.spines["bottom"].set_color("#999999")
    axes.tick_params(colors=_INK, length=0)
    if found:
        axes.legend(frameon=False, labelcolor=_INK)
    figure.supxlabel(caption_of(results), x=0.012, ha="left", fontsize=8, color="#666666")
    return figure


def curves(results: Results) -> list[Curve]:
    """Return a curve for each bot of the lineup; players who are the same bot share one."""
    spreads: dict[str, dict[int, int]] = {}
    for player, name in enumerate(results.bots):
        spread = spreads.setdefault(name, {})
        for score, count in results.histogram(player=player).items():
            spread[score] = spread.get(score, 0) + count
    if not results.games:
        return []
    width = _step_width(results.by_player())
    found = []
    for name, spread in spreads.items():
        mean = sum(score * count for score, count in spread.items()) / sum(spread.values())
        label = f"{name}: mean {mean:.1f}, deviation {_deviation(spread, mean):.1f}"
        found.append(Curve(label, mean, *_steps(spread, width)))
    return found


def title_of(results: Results) -> str:
    """Return the title of the picture."""
    players = "solitaire" if results.seats == 1 else f"{results.seats} players"
    return f"{results.variant.name}, {players}: final scores"


def caption_of(results: Results) -> str:
    """Return the settings of the run, so that a reader can reproduce the numbers."""
    pads = "" if results.lucky is None else f", lucky numbers {results.lucky[0]}/{results.lucky[1]}"
    sheet = f" on the sheet {results.variant.sheet}" if results.variant.sheet else ""
    bots = ", ".join(dict.fromkeys(results.bots)) if len(set(results.bots)) == 1 else ", ".join(results.bots)
    seats = with_noun(results.seats, "seat")
    games = with_noun(results.games, "game")
    return f"{results.variant.id}{sheet}{pads}; {seats}; bots: {bots}; {games}; seed {results.seed}"


def _step_width(lines: list[Line]) -> int:
    """
    Choose one width of steps for all curves: wide enough to hide both noise and a comb pattern.

    The rule of Freedman and Diaconis hides the noise. The comb is real: a miss costs five points and crosses earn 1, 3,
    6, 10 and so on, so some scores are far more frequent than their neighbors. But it hides the shape.
    """
    wanted = 0.0
    for line in lines:
        half = line.quantiles[75] - line.quantiles[25]
        wanted = max(wanted, 2 * half / line.games ** (1 / 3), half / _HALF_IN)
    return next((width for width in _WIDTHS if width >= wanted), _WIDTHS[-1])


def _steps(histogram: dict[int, int], width: int) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Count scores in steps of this width, which begin at multiples of it."""
    first, last = min(histogram) // width, max(histogram) // width
    counts = [0] * (last - first + 1)
    for score, count in histogram.items():
        counts[score // width - first] += count
    total = sum(counts)
    edges = tuple(step * width for step in range(first, last + 2))
    return edges, tuple(100 * count / total / width for count in counts)


def _deviation(histogram: dict[int, int], mean: float) -> float:
    total = sum(histogram.values())
    return float((sum(count * (score - mean) ** 2 for score, count in histogram.items()) / max(1, total - 1)) ** 0.5)


def _window(results: Results, found: list[Curve]) -> tuple[float, float]:
    """Choose the scores to show, in whole steps: one strange game in a million shall not squeeze the rest."""
    if not found:
        return 0, 1
    histogram = sorted(results.histogram().items())
    most = _RARE * results.games * results.seats
    width = found[0].edges[1] - found[0].edges[0]
    low = _first_beyond(histogram, most) // width
    high = _first_beyond(histogram[::-1], most) // width + 1
    return (low - 0.5) * width, (high + 0.5) * width


def _first_beyond(pairs: list[tuple[int, int]], most: float) -> int:
    """Return the first score up to which more than `most` games were counted."""
    seen = 0
    for score, count in pairs:
        seen += count
        if seen > most:
            return score
    return pairs[-1][0]


def _matplotlib() -> Any:
    try:
        import matplotlib as mpl  # noqa: PLC0415 - optional, and slow to import
    except ImportError:
        raise QwixxError("Pictures need matplotlib: pip install 'qwixx[plot]'.") from None
    return mpl
