"""A picture of a simulation that one would put into an article. Needs matplotlib: `pip install qwixx[plot]`."""

from __future__ import annotations

from pathlib import Path

from qwixx.errors import QwixxError
from qwixx.sim.results import Results
from qwixx.sim.tally import LOWEST

_KINDS = (".svg", ".png", ".pdf")


def plot(results: Results, path: str | Path) -> None:
    """Draw how scores are spread, a line for each player, and write the picture; the ending says its kind."""
    file = Path(path)
    if file.suffix.lower() not in _KINDS:
        raise QwixxError(f"A picture is written as {', '.join(_KINDS)}, not as {file.name!r}.")
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - optional, and slow to import
    except ImportError:
        raise QwixxError("Pictures need matplotlib: pip install 'qwixx[plot]'.") from None
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for player, line in enumerate(results.by_player()):
        scores, shares = _curve(results, player)
        label = f"{line.name}: {line.mean:.2f} ± {line.interval:.2f}"
        axes.step(scores, shares, where="mid", label=label, linewidth=1.4)
        axes.axvline(line.mean, color=axes.lines[-1].get_color(), linewidth=0.8, linestyle=":")
    axes.set_xlabel("final score")
    axes.set_ylabel("share of games, %")
    plural = "seat" if results.seats == 1 else "seats"
    axes.set_title(f"{results.variant.name}, {results.seats} {plural}, {results.games:,} games")
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    try:
        figure.savefig(file)
    except OSError as error:
        raise QwixxError(f"The picture cannot be written to {str(file)!r}: {error.strerror}.") from None


def _curve(results: Results, player: int) -> tuple[list[int], list[float]]:
    """Give the scores of a player and the share of games, in percent, with each."""
    counts = results.tally.histogram[:, player].sum(axis=0)
    seen = counts.nonzero()[0]
    if not len(seen):
        return [], []
    places = range(int(seen[0]), int(seen[-1]) + 1)
    games = int(counts.sum())
    return [place + LOWEST for place in places], [100 * int(counts[place]) / games for place in places]
