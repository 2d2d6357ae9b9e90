"""
Are the grades of the coach true? Graded choices are played to the end, and their loss is measured.

    python -m bench.grades [--only GAME ...] [--seats N ...] [--choices N] [--games N] [--minutes N] [--out FOLDER]
                           [--table] [--write]

In games of `normal` bots the network grades choices as slips, mistakes and blunders. The best choice and the graded one
are both played on with common dice, by the network on all seats. A grade is true if the measured loss lies in its band,
give or take half the width of the 95 % interval of the measurement. A decision gives at most one choice of each grade,
and they share the rollouts of the best choice.

Rollouts are played in blocks, and a choice is finished early if more of them would hardly ever change its verdict:
the verdict is that of all rollouts.

FOLDER has a file for each game and number of seats, with a line for each choice. A run continues where the files end;
`--minutes` limits the CPU time of a run. `--table` prints the table of FOLDER and measures nothing. `--write` writes
the error of slips and mistakes, without the noise of the rollouts, to src/qwixx/coach/judges/errors.toml: it is what
people are shown as the error of a game with a number of seats.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from math import erf, inf, sqrt
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
from msgspec import Struct
from msgspec.json import Decoder, encode

from qwixx.base.atomic_files import write_atomically
from qwixx.coach.grades import BLUNDER, MISTAKE, SLIP, THRESHOLDS, grade
from qwixx.coach.judges.judge import WIN, ActionValue, deciding_seats, ranked
from qwixx.coach.judges.net_errors import FILE as ERRORS
from qwixx.coach.judges.net_errors import read_errors
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.coach.judges.rollouts import Doubles, Rollouts, interval
from qwixx.game.game import Game
from qwixx.kernel.state.records import Records
from qwixx.players.built_in.levels import level_key
from qwixx.players.built_in.master import has_net, net_of
from qwixx.sim import replay_game
from qwixx.sim.statistics import Z_95
from qwixx.variants import load, names

SEED = 31
BANDS = {SLIP: (0.02, 0.04), MISTAKE: (0.04, 0.08), BLUNDER: (0.08, inf)}
FOLDER = Path(__file__).with_name("graded")
ENOUGH = 20
"""Slips and mistakes from which an error can be told."""
LEAST = 0.01
"""The smallest error that is written: so few choices cannot show less."""
WORLDS = 400
"""Card games: the rollouts of a choice start from this many determinizations."""
BLOCK = 100
"""Rollouts after which it is asked whether the verdict is clear."""
SURE = 0.99
"""The probability that more rollouts would not change a verdict."""


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
    games: int
    """The rollouts after each of the two choices."""
    most: int
    """The rollouts of a choice that is not finished early."""

    @property
    def is_in_band(self) -> bool:
        """Whether the grade is true, as far as `most` rollouts can tell."""
        return chance_in_band(self.grade, self.measured, self.half / Z_95 * sqrt(self.games), self.most, self.most) > 0


def chance_in_band(name: str, measured: float, deviation: float, games: int, most: int) -> float:
    """Return the probability that a grade is true after `most` rollouts, from the loss that `games` rollouts show."""
    least, limit = BANDS[name]
    half = Z_95 * deviation / sqrt(most)
    if games == most or not deviation:
        return float(least - half <= measured < limit + half)
    to_come = deviation * sqrt(1 / games - 1 / most)
    low, high = ((edge - measured) / to_come for edge in (least - half, limit + half))
    return (erf(high / sqrt(2)) - erf(low / sqrt(2))) / 2


class _Played:
    """Rollouts after one choice, which grow block by block."""

    def __init__(self, rollouts: Rollouts, starts: Records, seat: int, option: ActionValue) -> None:
        self._play = rollouts, starts, seat, option.action
        self._shares: Doubles = np.zeros(0)

    def first(self, games: int) -> Doubles:
        """Return the shares of the win in the first games."""
        rollouts, starts, seat, action = self._play
        before = len(self._shares)
        if games > before:
            more = rollouts.play(starts, games - before, seat, action, first=before).shares[:, seat]
            self._shares = np.concatenate([self._shares, more])
        return self._shares[:games]


def graded_choices(
    judge: NetJudge, name: str, seats: int, number: int
) -> Iterator[tuple[Game, int, ActionValue, dict[str, ActionValue]]]:
    """Yield decisions with graded choices: the game, the seat, the best choice, and a choice of each grade."""
    record = replay_game(name, seats, ("normal",), SEED, number).record()
    draw = Random(number)
    for game in Game.replay(record, copies=False):
        if not game.deciders() or game.deciders() != deciding_seats(game):
            continue
        evaluated = judge.action_values(game)
        for seat in game.deciders():
            options = {option.action.id: option for option in evaluated.choices[seat]}
            choices = ranked(evaluated.choices[seat], seat)
            graded: dict[str, list[ActionValue]] = {}
            for choice in choices:
                if choice.loss >= THRESHOLDS[WIN][SLIP]:
                    graded.setdefault(grade(WIN, choice.loss, 0.0), []).append(options[choice.action.id])
            if graded:
                yield game, seat, options[choices[0].action.id], {each: draw.choice(graded[each]) for each in graded}


def measure(name: str, seats: int, wanted: int, most: int, done: Sequence[Measured]) -> Iterator[Measured]:
    """Yield new measurements until there are enough of each grade."""
    variant = load(name)
    judge = NetJudge(variant, seats)
    rollouts = Rollouts(variant, seats, net_of(variant, seats), worlds=WORLDS)
    counts = Counter(each.grade for each in done)
    number = max((each.number for each in done), default=-1) + 1
    while any(counts[each] < wanted for each in BANDS):
        from_game: Counter[str] = Counter()
        for game, seat, best, graded in graded_choices(judge, name, seats, number):
            given = {each: graded[each] for each in graded if counts[each] < wanted and from_game[each] < 2}
            if not given:
                continue
            starts = rollouts.starts(game, seat, most)
            top = _Played(rollouts, starts, seat, best)
            for each, option in given.items():
                counts[each] += 1
                from_game[each] += 1
                other = _Played(rollouts, starts, seat, option)
                measured, half, games = settle(each, top, other, most)
                said = best.values[seat] - option.values[seat]
                phase, text = str(game.view(None).phase), option.action.text
                numbers = round(said, 4), round(measured, 4), round(half, 4)
                yield Measured(name, seats, number, each, phase, text, *numbers, games, most)
        number += 1


def settle(name: str, top: _Played, other: _Played, most: int) -> tuple[float, float, int]:
    """Return a measured loss, half the width of its 95 % interval, and the rollouts that it took."""
    games = min(BLOCK, most)
    while True:
        one, two = top.first(games), other.first(games)
        measured, half = float((one - two).mean()), interval(one, two)
        chance = chance_in_band(name, measured, half / Z_95 * sqrt(games), games, most)
        if games == most or (half and not 1 - SURE < chance < SURE):
            return measured, half, games
        games = min(games + BLOCK, most)


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
            errors.setdefault(level_key(load(game)), {})[str(seats)] = round(max(error_of(some), LEAST), 3)
    heading = "".join(line for line in ERRORS.read_text("utf-8").splitlines(keepends=True) if line.startswith("#"))
    tables = [
        f'["{name}"]\n' + "".join(f"{seats} = {error}\n" for seats, error in sorted(known.items()))
        for name, known in errors.items()
    ]
    write_atomically(ERRORS, [(heading + "".join(tables)).encode()])


def read(folder: Path) -> list[Measured]:
    """Return all measurements of a folder."""
    line = Decoder(Measured)
    return [line.decode(each) for path in sorted(folder.glob("*.jsonl")) for each in path.read_bytes().splitlines()]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--seats", nargs="*", type=int, default=[], metavar="N", help="these numbers of seats only")
    parser.add_argument("--choices", type=int, default=100, help="choices of each grade, for each game and seats")
    parser.add_argument("--games", type=int, default=800, help="rollouts after each choice, at most")
    parser.add_argument("--minutes", type=float, default=inf, help="CPU time of this run")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER", help="the files of the measurements")
    parser.add_argument("--table", action="store_true", help="print the table of FOLDER, and measure nothing")
    parser.add_argument("--write", action="store_true", help="write the errors that people are shown")
    wanted = parser.parse_args()
    wanted.out.mkdir(exist_ok=True)
    found = read(wanted.out)
    for name in [] if wanted.table else wanted.only or names():
        for seats in load(name).seats:
            if seats == 1 or (wanted.seats and seats not in wanted.seats) or not has_net(load(name), seats):
                continue
            done = [each for each in found if (each.game, each.seats) == (name, seats)]
            with (wanted.out / f"{name}-{seats}.jsonl").open("ab") as file:
                for each in measure(name, seats, wanted.choices, wanted.games, done):
                    found.append(each)
                    file.write(encode(each) + b"\n")
                    file.flush()
                    if time.process_time() > 60 * wanted.minutes:
                        break
    print(table(found))
    if wanted.write:
        write_errors(found)


if __name__ == "__main__":
    main()
