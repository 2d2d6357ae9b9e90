"""The results of a simulation: a table for people, plain data for programs."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from importlib import import_module
from math import inf, isfinite
from typing import Any

from qwixx.errors import QwixxError
from qwixx.kernel.state.records import ENDINGS
from qwixx.sim.statistics import FirstSeat, Line, Turns, first_seat_of, line_of, scores_of, turns_of
from qwixx.sim.tally import Tally
from qwixx.text.arguments import with_noun
from qwixx.variants.model import Pad, Variant

_ALL = slice(None)


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Results:
    """The results of a finished simulation, or of the part that was played before it was stopped."""

    variant: Variant
    bots: tuple[str, ...]
    seed: int
    rotated: bool
    tally: Tally
    seconds: float
    stopped: bool = False
    lucky: Pad | None = None
    """Longo: the lucky numbers of all seats, None if the pads were drawn at random."""

    def __eq__(self, other: object) -> bool:
        """Whether the results are the same; the time they took does not count."""
        return isinstance(other, Results) and self.to_dict() == other.to_dict()

    __hash__ = None  # type: ignore[assignment]  # like a dictionary

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.tally.games

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self.bots)

    @property
    def turns(self) -> Turns:
        """The lengths of games, in turns."""
        return turns_of(self.tally)

    @property
    def endings(self) -> dict[str, float]:
        """The share of games that ended for each reason (C11, K8, D8)."""
        pairs = zip(ENDINGS, self.tally.counts.endings, strict=True)
        return {name: int(count) / max(1, self.games) for name, count in pairs if name and count}

    def by_seat(self) -> list[Line]:
        """Return the statistics of each seat over all players; seat 0 begins."""
        return [line_of(self.tally, f"seat {seat}", (seat, _ALL)) for seat in range(self.seats)]

    def by_player(self) -> list[Line]:
        """Return the statistics of each player of the lineup over all seats."""
        return [line_of(self.tally, name, (_ALL, player)) for player, name in enumerate(self.bots)]

    def histogram(self, *, seat: int | None = None, player: int | None = None) -> dict[int, int]:
        """Count how often each score occurred: overall, on one seat, for one player of the lineup, or for both."""
        return scores_of(self.tally, (_ALL if seat is None else seat, _ALL if player is None else player))

    def first_seat_advantage(self) -> FirstSeat | None:
        """Return the first-seat advantage in points and in wins; None in solitaire."""
        return first_seat_of(self.tally)

    def to_dict(self) -> dict[str, Any]:
        """Return everything except the time as plain data: the same seed gives the same data."""
        first = self.first_seat_advantage()
        return {
            "variant": self.variant.id,
            "sheet": self.variant.sheet or None,
            "lucky": None if self.lucky is None else list(self.lucky),
            "seats": self.seats,
            "bots": list(self.bots),
            "seed": self.seed,
            "rotated": self.rotated,
            "stopped": self.stopped,
            "games": self.games,
            "turns": _plain(asdict(self.turns)),
            "endings": self.endings,
            "first_seat_advantage": None if first is None else _plain(asdict(first)),
            "by_seat": [
                _plain({**asdict(line), "histogram": self.histogram(seat=seat)})
                for seat, line in enumerate(self.by_seat())
            ],
            "by_player": [
                _plain({**asdict(line), "histogram": self.histogram(player=player)})
                for player, line in enumerate(self.by_player())
            ],
            "histogram": _plain(self.histogram()),
        }

    def to_dicts(self, by: str = "player") -> list[dict[str, Any]]:
        """
        Return the results as rows of a table, for data frames.

        With `by="player"` or `by="seat"` a row is a `Line`, its quantiles as `q5` to `q95`; with `by="score"` a row
        has the number of games that a player of the lineup finished on a seat with a score.
        """
        if by == "score":
            return [
                {"player": name, "place": place, "seat": seat, "score": score, "games": games}
                for place, name in enumerate(self.bots)
                for seat in range(self.seats)
                for score, games in self.histogram(seat=seat, player=place).items()
            ]
        tables = {"player": self.by_player, "seat": self.by_seat}
        if by not in tables:
            raise QwixxError(f"Rows are by 'player', 'seat' or 'score', not by {by!r}.")
        return [_row(line) for line in tables[by]()]

    def to_pandas(self, by: str = "player") -> Any:
        """Return the rows of `to_dicts` as a `pandas.DataFrame`; pandas has to be installed."""
        return _frames("pandas").DataFrame(self.to_dicts(by))

    def to_polars(self, by: str = "player") -> Any:
        """Return the rows of `to_dicts` as a `polars.DataFrame`; polars has to be installed."""
        return _frames("polars").DataFrame(self.to_dicts(by))

    def __str__(self) -> str:
        lines = [self._headline()]
        for line in self.by_player():
            won = "" if self.seats == 1 else f", {line.win_share:.1%} of the wins"
            lines.append(f"  {line.name}: {with_interval(line.mean, line.interval)} points{won}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Results: {self._headline()}, {', '.join(self.bots)}>"

    def _headline(self) -> str:
        early = ", stopped early" * self.stopped
        return f"{with_noun(self.games, 'game')} of {self.variant.id}, seed {self.seed}{early}"

    def to_json(self) -> str:
        """Return the plain data as JSON."""
        return json.dumps(self.to_dict(), indent=2)


def with_interval(mean: float, interval: float, sign: str = "") -> str:
    """Write a mean with its interval, if the games give one."""
    return f"{mean:{sign}.2f}" + (f" ± {interval:.2f}" if isfinite(interval) else "")


def _row(line: Line) -> dict[str, Any]:
    """Return a line as one row of plain numbers."""
    row = asdict(line)
    quantiles = row.pop("quantiles")
    return {**row, **{f"q{percent}": score for percent, score in quantiles.items()}}


def _frames(name: str) -> Any:
    """Import a data frame library. Raises `QwixxError` if it is not installed."""
    try:
        return import_module(name)
    except ImportError:
        raise QwixxError(f"That takes {name}, which is not installed: pip install {name}.") from None


def _plain(data: dict[Any, Any]) -> dict[str, Any]:
    """Convert keys to text, tuples to lists and infinity to None, as JSON requires."""
    return {str(key): _plain_value(value) for key, value in data.items()}


def _plain_value(value: Any) -> Any:
    if isinstance(value, dict):
        return _plain(value)
    return list(value) if isinstance(value, tuple) else None if value == inf else value
