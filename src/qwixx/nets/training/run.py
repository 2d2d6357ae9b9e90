"""
Running a training: rounds of games that a net plays against itself, and lessons from them.

While the net learns from a round, the next one is played already, by the net as it was before: so all workers are busy,
and the result is the same for any number of them. Rounds go to threads or to any executor whose workers have this
package. What was learned is kept every few rounds; a training that was killed goes on from there and ends with the
same net.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Final

import numpy as np

from qwixx.errors import QwixxError
from qwixx.kernel.records import Ints, Records
from qwixx.learn.bench import BENCH
from qwixx.learn.calibration import set_right
from qwixx.learn.deciding import refuse
from qwixx.learn.games import play_games
from qwixx.learn.lessons import learn
from qwixx.learn.net import Net, copy_net, lessons_had
from qwixx.learn.schedule import PASSES, PER_MILLE, Stage, stage_at
from qwixx.learn.tables import empty_net, lay_out, spread
from qwixx.learn.weights import Heading, own_path, read_weights, sheet_key, write_weights
from qwixx.train.checkpoint import Checkpoint, Plan, read_checkpoint, write_checkpoint
from qwixx.train.yardsticks import Share, measure_all, yardsticks_of
from qwixx.variants.compile import compile_layout
from qwixx.variants.model import Variant

GAMES: Final = 2_000_000
_COMPARISONS: Final = 4000
"""A round has so many games that every seat is compared with every other about this often at each turn."""
_PART: Final = 250
"""Games that a worker plays at a time."""
MOST_GAMES: Final = 10**9
_FEWEST_ROUNDS: Final = 5
"""Rounds between two checks at least."""
_GAMES_CHECKED: Final = 0.25
"""Games of checks, as a share of those that are learned from: a training should learn more than it is measured."""
_GAMES_SET_RIGHT: Final = 20_000
"""Games by which chances are set right at the end, for each number of seats."""
_FEWEST_SET_RIGHT: Final = 1000
_KEPT_EVERY: Final = 60.0
"""Seconds after which a training is kept, even between two checks."""

Played = tuple[Records, Ints]
"""The positions of some games, and the scores of each."""
Part = tuple[Variant, int, Net, int, int, int]
"""What `play_part` is told."""
Report = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """What to train, and how."""

    variant: Variant
    seats: tuple[int, ...] = (2,)
    """Numbers of seats, which take turns round by round."""
    games: int = GAMES
    seed: int = 0
    workers: int | None = None
    out: Path | None = None
    """Where the weights go; where the player looks for them if nothing is said."""
    start: Path | None = None
    """Weights to go on from, for the same sheet and any number of seats, or for another game with the same tables."""
    fresh: bool = False
    """Whether a training that was interrupted is begun anew."""
    checks: int = 20
    """How often the net is kept and measured on the way."""
    check_games: int = 4000
    """Games against each yardstick, all numbers of seats together."""
    made_by: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is."""

    games: int
    wanted: int
    seconds: float
    error: float
    """Mean squared error of the chances in the last rounds."""
    shares: dict[int, dict[str, Share]]
    """Win shares against the yardsticks for each number of seats, where they were measured."""


def check_settings(settings: Settings) -> None:
    """Refuse settings that make no sense before anything is played. Raises `QwixxError`."""
    if not settings.seats:
        raise QwixxError("A training needs a number of seats.")
    if len(set(settings.seats)) < len(settings.seats):
        raise QwixxError("A number of seats is trained once; one was given twice.")
    for seats in settings.seats:
        refuse(settings.variant, seats)
    if not 1 <= settings.games <= MOST_GAMES:
        raise QwixxError(f"The number of games is from 1 to {MOST_GAMES}, not {settings.games}.")
    if not 0 <= settings.seed < 1 << 64:
        raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.")
    if settings.workers is not None and not 1 <= settings.workers <= 256:
        raise QwixxError(f"The number of workers is from 1 to 256, not {settings.workers}.")


def weights_path(settings: Settings) -> Path:
    """Say where the weights of a training go."""
    return settings.out or own_path(settings.variant, settings.seats)


def checkpoint_path(settings: Settings) -> Path:
    """Say where a training is kept until it is done."""
    target = weights_path(settings)
    return target.with_name(f"{target.name}.training")


def train(settings: Settings, report: Report | None = None, executor: Executor | None = None) -> Path:
    """
    Train a net, keep its weights and give the file; a training that was interrupted goes on.

    With `executor` the games are played there. The same settings give the same weights for any
    number of workers, also if the training was killed in between. Raises `QwixxError`.
    """
    check_settings(settings)
    path = checkpoint_path(settings)
    kept = _begin(settings, path)
    started = kept_at = perf_counter()
    rounds = _rounds(settings)
    every = _rounds_between_checks(settings, rounds)
    errors: list[float] = []
    with _workers(settings, executor) as pool:
        played = _submit(settings, kept.behind, kept.rounds, pool)
        while kept.rounds < rounds:
            parts = [_result(*part) for part in played]
            if kept.rounds + 1 < rounds:
                played = _submit(settings, copy_net(kept.net), kept.rounds + 1, pool)
            behind = copy_net(kept.net)
            stage = stage_at(kept.rounds / rounds, soft=settings.start is None, cards=settings.variant.is_cards)
            errors.append(_learn(settings, _seats_of(settings, kept.rounds), kept, parts, stage))
            kept = Checkpoint(kept.plan, kept.rounds + 1, kept.net, behind, kept.seen)
            is_checked = kept.rounds % every == 0 or kept.rounds == rounds
            if kept.rounds < rounds and (is_checked or perf_counter() > kept_at + _KEPT_EVERY):
                write_checkpoint(path, kept)
                kept_at = perf_counter()
            if report is not None:
                games = settings.check_games if is_checked else 0
                shares = _measure(settings, kept.net, games) if games else {}
                done = min(_first_of(settings, kept.rounds), settings.games)
                report(Progress(done, settings.games, perf_counter() - started, float(np.mean(errors)), shares))
            if is_checked:
                errors.clear()
    _set_right(settings, kept.net)
    target = weights_path(settings)
    write_weights(target, _heading(settings, kept), kept.net)
    path.unlink(missing_ok=True)
    return target


def _per_round(seats: int) -> int:
    """Say how many games a round has: fewer with more seats, since each of them has more to learn from."""
    return _COMPARISONS // (seats * (seats - 1))


def _seats_of(settings: Settings, number: int) -> int:
    """Say how many seats play in a round."""
    return settings.seats[number % len(settings.seats)]


def _first_of(settings: Settings, number: int) -> int:
    """Give the number of the first game of a round."""
    sizes = [_per_round(seats) for seats in settings.seats]
    cycles, rest = divmod(number, len(sizes))
    return cycles * sum(sizes) + sum(sizes[:rest])


def _rounds(settings: Settings) -> int:
    """Count the rounds that it takes to play all games."""
    rounds = settings.games // _first_of(settings, len(settings.seats)) * len(settings.seats)
    while _first_of(settings, rounds) < settings.games:
        rounds += 1
    return rounds


def _rounds_between_checks(settings: Settings, rounds: int) -> int:
    """Say after how many rounds the net is measured again: at most `checks` times, and less often if that took long."""
    a_check = settings.check_games * max(len(yardsticks_of(settings.variant, seats)) for seats in settings.seats)
    most = int(settings.games * _GAMES_CHECKED) // a_check if a_check else settings.checks
    return max(_FEWEST_ROUNDS, rounds // max(1, min(settings.checks, most)))


def _measure(settings: Settings, net: Net, games: int) -> dict[int, dict[str, Share]]:
    """Measure a net with each number of seats."""
    each = max(1, games // len(settings.seats))
    return {seats: measure_all(settings.variant, seats, net, each) for seats in settings.seats}


def _begin(settings: Settings, path: Path) -> Checkpoint:
    """Take up a training that was interrupted, or begin one."""
    layouts = compile_layout(settings.variant)
    start = b"" if settings.start is None else _read(settings.start)
    digest = hashlib.blake2b(start, digest_size=8).hexdigest() if start else ""
    cycle = _first_of(settings, len(settings.seats))
    plan = Plan(sheet_key(settings.variant), settings.seats, settings.games, settings.seed, cycle, digest)
    found = None if settings.fresh else read_checkpoint(path)
    if found is not None:
        if found.plan != plan:
            raise QwixxError(
                f"Another training was interrupted in {str(path)!r}; finish it with its own settings, or begin anew."
            )
        return found
    if settings.start is not None:
        heading, net = read_weights(settings.start, settings.variant, to_begin=True)
        seen = lessons_had(net)
        spread(lay_out(layouts), net, heading.seats, settings.seats)
    else:
        net = empty_net(lay_out(layouts), settings.seed)
        seen = np.zeros(len(net.tables), np.float32)
    return Checkpoint(plan, 0, net, copy_net(net), seen)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise QwixxError(f"The weights in {str(path)!r} cannot be read: {error.strerror}.") from None


def _set_right(settings: Settings, net: Net) -> None:
    """Make the chances of a net what comes of them, by games that are played once more; short trainings stay as are."""
    games = min(settings.games // 10, _GAMES_SET_RIGHT)
    if games >= _FEWEST_SET_RIGHT:
        layouts = compile_layout(settings.variant)
        for seats in settings.seats:
            set_right(layouts, net, seats, games, seed=settings.seed + 1)


def _heading(settings: Settings, kept: Checkpoint) -> Heading:
    return Heading(
        variant=settings.variant.id,
        layout=kept.plan.layout,
        seats=settings.seats,
        rows=len(kept.net.tables),
        games=settings.games,
        seed=settings.seed,
        made_by=settings.made_by,
    )


@contextmanager
def _workers(settings: Settings, executor: Executor | None) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    with ThreadPoolExecutor(settings.workers or os.cpu_count() or 1) as threads:
        yield threads


def play_part(variant: Variant, seats: int, net: Net, seed: int, first: int, games: int) -> Played:
    """Play a part of a round, on any machine."""
    layouts = compile_layout(variant)
    return play_games(layouts, lay_out(layouts), net, seats, games, seed=seed, first=first, per_mille=PER_MILLE)


def _submit(settings: Settings, net: Net, number: int, pool: Executor) -> list[tuple[Future[Played], Part]]:
    """Hand out the games of a round, in parts that are the same for any number of workers."""
    begin, end = _first_of(settings, number), min(_first_of(settings, number + 1), settings.games)
    seats = _seats_of(settings, number)
    parts: list[Part] = [
        (settings.variant, seats, net, settings.seed, first, min(_PART, end - first))
        for first in range(begin, end, _PART)
    ]
    return [(pool.submit(play_part, *part), part) for part in parts]


def _result(future: Future[Played], part: Part) -> Played:
    """Take what a worker played; if it died on the way, play its part here."""
    if future.cancelled() or isinstance(future.exception(), (OSError, RuntimeError)):
        return play_part(*part)
    return future.result()


def _learn(settings: Settings, seats: int, kept: Checkpoint, parts: list[Played], stage: Stage) -> float:
    """Learn from a round, each game several times; give the mean squared error of the first time."""
    layouts = compile_layout(settings.variant)
    inputs = lay_out(layouts)
    benches: Records = np.zeros(1, BENCH)
    net = kept.net.for_seats(seats)
    first: list[float] = []
    for turn in range(PASSES):
        for positions, scores in parts:
            error = learn(
                layouts,
                inputs,
                net.tables,
                net.layers,
                kept.seen,
                benches,
                seats,
                positions,
                scores,
                np.float32(stage.keep),
                np.float32(stage.softness),
                np.float32(stage.rate),
            )
            if turn == 0:
                first.append(error)
    return float(np.mean(first))
