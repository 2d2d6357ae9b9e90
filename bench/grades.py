"""
Are the grades of the coach true? Graded choices are played to the end, and their loss is measured.

    python -m bench.grades [--only GAME ...] [--seats N ...] [--choices N] [--games N] [--out FILE] [--table] [--write]

In games of `normal` bots the network grades choices as slips, mistakes and blunders. The best choice and the graded one
are both played on with common dice, by the network on all seats. A grade is true if the measured loss lies in its band,
give or take half the width of the 95 % interval of the measurement. At most one choice is taken from a decision.

Each measured choice is a line of FILE, and a run continues where FILE ends. `--table` prints the table of FILE and
measures nothing. `--write` writes the error of slips and mistakes, without the noise of the rollouts, to
src/qwixx/coach/judges/errors.toml: it is what people are shown as the error of a game with a number of seats.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from math import inf, sqrt
from pathlib import Path
from random import Random
from statistics import fmean

from msgspec import Struct, to_builtins
from msgspec.json import Decoder

from qwixx.base.atomic_files import write_atomically
from qwixx.coach.grades import BLUNDER, MISTAKE, SLIP, THRESHOLDS, grade
from qwixx.coach.judges.judge import WIN, deciding_seats, ranked
from qwixx.coach.judges.net_errors import FILE as ERRORS
from qwixx.coach.judges.net_errors import read_errors
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.coach.judges.rollouts import interval
from qwixx.game.game import Game
from qwixx.players.built_in.levels import level_key
from qwixx.players.built_in.master import has_net
from qwixx.sim import replay_game
from qwixx.sim.statistics import Z_95
from qwixx.variants import load, names

SEED = 31
BANDS = {SLIP: (0.02, 0.04), MISTAKE: (0.04, 0.08), BLUNDER: (0.08, inf)}
FILE = Path(__file__).with_name("grades.jsonl")
ENOUGH = 20
"""Slips and mistakes from which an error can be told."""


class Measured(Struct, frozen=True):
    """One graded choice and its measured loss, in win probability."""

    game: str
    seats: int
    number: int
    """The game of `normal` bots."""
    grade: str
    phase: str
    action: str
    said: float
    measured: float
    half: float
    """Half the width of the 95 % interval of the measured loss."""

    @property
    def is_in_band(self) -> bool:
        """Whether the grade is true as far as the measurement can tell."""
        least, most = BANDS[self.grade]
        return self.measured + self.half >= least and self.measured - self.half < most


def graded_choices(judge: NetJudge, name: str, seats: int, number: int) -> Iterator[tuple[Game, int, str, list[str]]]:
    """Yield decisions of a game that have graded choices: the game, the seat, and for each choice its grade."""
    record = replay_game(name, seats, ("normal",), SEED, number).record()
    draw = Random(number)
    for game in Game.replay(record, copies=False):
        if not game.deciders() or game.deciders() != deciding_seats(game):
            continue
        evaluated = judge.action_values(game)
        for seat in game.deciders():
            choices = ranked(evaluated.choices[seat], seat)
            graded = [
                (grade(WIN, choice.loss, 0.0), choice) for choice in choices if choice.loss >= THRESHOLDS[WIN][SLIP]
            ]
            if graded:
                name_, choice = draw.choice(graded)
                yield game, seat, name_, [choices[0].action.text, choice.action.text]


def measure(name: str, seats: int, wanted: int, games: int, done: Sequence[Measured]) -> Iterator[Measured]:
    """Yield new measurements until there are enough of each grade."""
    judge = NetJudge(load(name), seats)
    assert judge.rollouts is not None
    counts = Counter(each.grade for each in done)
    number = max((each.number for each in done), default=-1) + 1
    while any(counts[each] < wanted for each in BANDS):
        from_game: Counter[str] = Counter()
        for game, seat, given, texts in graded_choices(judge, name, seats, number):
            if counts[given] >= wanted or from_game[given] == 2:
                continue
            evaluated = judge.action_values(game)
            found = {option.action.text: option for option in evaluated.choices[seat]}
            best, graded = (found[text] for text in texts)
            starts = judge.rollouts.starts(game, seat, games)
            one, two = (judge.rollouts.play(starts, games, seat, x.action).shares[:, seat] for x in (best, graded))
            counts[given] += 1
            from_game[given] += 1
            said = best.values[seat] - graded.values[seat]
            measured = float((one - two).mean())
            yield Measured(
                name,
                seats,
                number,
                given,
                str(game.view(None).phase),
                texts[1],
                round(said, 4),
                round(measured, 4),
                round(interval(one, two), 4),
            )
        number += 1


def row_of(found: Sequence[Measured]) -> list[str]:
    """Return the cells of a row of the table: for each grade said, measured and in band, and the error."""
    cells = []
    for name in BANDS:
        some = [each for each in found if each.grade == name]
        if not some:
            cells += ["", ""]
            continue
        said, measured = fmean(x.said for x in some), fmean(x.measured for x in some)
        in_band = sum(each.is_in_band for each in some) / len(some)
        cells += [
            f"{100 * said:.1f} / {100 * measured:.1f} / {100 * in_band:.0f} % of {len(some)}",
            f"{100 * error_of(some):.1f}",
        ]
    return cells


def table(found: Sequence[Measured]) -> str:
    """Return the table of all measurements, as in docs/analysis.md."""
    lines = [
        "| game, seats | slip: said / measured / in band | error | mistake | error | blunder | error | games |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in names():
        for seats in load(name).seats:
            some = [each for each in found if (each.game, each.seats) == (name, seats)]
            if some:
                count = len({each.number for each in some})
                lines.append(f"| {name} {seats} | {' | '.join(row_of(some))} | {count} |")
    return "\n".join(lines)


def error_of(some: Sequence[Measured]) -> float:
    """Return the root mean square of the errors, without the noise of the rollouts."""
    return sqrt(max(fmean((x.said - x.measured) ** 2 - (x.half / Z_95) ** 2 for x in some), 0.0))


def write_errors(found: Sequence[Measured]) -> None:
    """Write the error of slips and mistakes of each game and number of seats that was measured."""
    errors = {name: dict(known) for name, known in read_errors().items()}
    for game, seats in sorted({(each.game, each.seats) for each in found}):
        some = [x for x in found if (x.game, x.seats) == (game, seats) and x.grade != BLUNDER]
        if len(some) >= ENOUGH:
            errors.setdefault(level_key(load(game)), {})[str(seats)] = round(error_of(some), 3)
    heading = "".join(line for line in ERRORS.read_text("utf-8").splitlines(keepends=True) if line.startswith("#"))
    tables = [
        f'["{name}"]\n' + "".join(f"{seats} = {error}\n" for seats, error in sorted(known.items()))
        for name, known in errors.items()
    ]
    write_atomically(ERRORS, [(heading + "".join(tables)).encode()])


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--seats", nargs="*", type=int, default=[], metavar="N", help="these numbers of seats only")
    parser.add_argument("--choices", type=int, default=100, help="choices of each grade, for each game and seats")
    parser.add_argument("--games", type=int, default=800, help="rollouts after each choice")
    parser.add_argument("--out", type=Path, default=FILE, metavar="FILE", help="the file of the measurements")
    parser.add_argument("--table", action="store_true", help="print the table of FILE, and measure nothing")
    parser.add_argument("--write", action="store_true", help="write the errors that people are shown")
    wanted = parser.parse_args()
    read = Decoder(Measured)
    found = [read.decode(line) for line in wanted.out.read_text("utf-8").splitlines()] if wanted.out.is_file() else []
    for name in [] if wanted.table else wanted.only or names():
        for seats in load(name).seats:
            if seats == 1 or (wanted.seats and seats not in wanted.seats) or not has_net(load(name), seats):
                continue
            done = [each for each in found if (each.game, each.seats) == (name, seats)]
            with wanted.out.open("a", encoding="utf-8") as file:
                for each in measure(name, seats, wanted.choices, wanted.games, done):
                    found.append(each)
                    print(json.dumps(to_builtins(each)), file=file, flush=True)
    print(table(found))
    if wanted.write:
        write_errors(found)


if __name__ == "__main__":
    main()
