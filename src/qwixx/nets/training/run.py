"""
The training loop: rounds of self-play and updates; for one seat, rounds of lessons (`lessons`).

While the net is updated with a round, workers already play the next one with the net as it was before. So all workers
are busy, and the result is the same for any number of them. Rounds run in threads or in any executor whose workers have
this package. Every few rounds a checkpoint is written; a training that was killed resumes from it and ends with the
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
from qwixx.kernel.state.records import Ints, Records
from qwixx.nets.feature_tables import copy_to_untrained_seats, empty_net, feature_layout, load_net
from qwixx.nets.network import Net, NetArrays, alone, copy_net, initial_update_counts
from qwixx.nets.policy import refuse
from qwixx.nets.training.baselines import WinShare, baselines_of, mean_points, play_against_all
from qwixx.nets.training.calibration import fit_calibration
from qwixx.nets.training.checkpoint import Checkpoint, Plan, read_checkpoint, write_checkpoint
from qwixx.nets.training.lessons import learn_lessons, play_lessons, play_own_lessons
from qwixx.nets.training.schedule import EXPLORE_PER_MILLE, PASSES, Stage, stage_at
from qwixx.nets.training.self_play import self_play
from qwixx.nets.training.td import td_update
from qwixx.nets.weight_files import Heading, own_path, read_weights, sheet_key, write_weights
from qwixx.solver.build.plan import refuse as refuse_to_solve
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Variant

GAMES: Final = 2_000_000
ALONE: Final = (1,)
"""The seats of a training for solitaire."""
_COMPARISONS: Final = 4000
"""Games of a round times pairs of seats: about this many comparisons of two seats at each turn."""
_SHARE_ALONE: Final = 4
"""With one seat a round has a fourth of these games: later rounds learn from what earlier ones have found."""
_PART: Final = 250
"""Games that a worker plays at a time."""
MOST_GAMES: Final = 10**9
_MIN_ROUNDS: Final = 5
"""Minimum rounds between two checks."""
_CHECK_GAMES_SHARE: Final = 0.25
"""Maximum games of checks, as a share of the training games: a training should learn more than it is measured."""
_CALIBRATION_GAMES: Final = 20_000
"""Games of the calibration at the end, for each number of seats."""
_MIN_CALIBRATION_GAMES: Final = 1000
_CHECKPOINT_SECONDS: Final = 60.0
"""Seconds after which a checkpoint is written, even between two checks."""

Played = tuple[Records, Ints]
"""The positions of some games, and the scores of each."""
Part = tuple[Variant, int, Net, int, range, float | None]
"""The arguments of `play_part`."""
Report = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Settings:
    """The order for a training."""

    variant: Variant
    seats: tuple[int, ...] = (2,)
    """Numbers of seats, which take turns round by round."""
    games: int = GAMES
    seed: int = 0
    workers: int | None = None
    out: Path | None = None
    """The file for the weights; by default where the player looks for them."""
    alone: bool = False
    """One seat: whether it learns from its own games instead of the exact solution."""
    start: Path | None = None
    """Weights to start from, for the same sheet and any number of seats, or for another game with the same tables."""
    fresh: bool = False
    """Whether to start again instead of resuming an interrupted training."""
    checks: int = 20
    """How often the net is saved and measured during the training."""
    check_games: int = 4000
    """Games against each baseline, all numbers of seats together."""
    made_by: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a training."""

    games: int
    wanted: int
    seconds: float
    error: float
    """Mean squared error of the win probabilities in the last rounds."""
    shares: dict[int, dict[str, WinShare]]
    """Win shares against the baselines for each number of seats, if they were measured."""
    points: float | None = None
    """One seat: the mean points of a solitaire by the net, if it was measured."""


def check_settings(settings: Settings) -> None:
    """Refuse settings that make no sense before anything is played. Raises `QwixxError`."""
    if not settings.seats:
        raise QwixxError("A training needs a number of seats.")
    if len(set(settings.seats)) < len(settings.seats):
        raise QwixxError("A number of seats is trained once; one was given twice.")
    if 1 in settings.seats and len(settings.seats) > 1:
        raise QwixxError("A net for one seat learns from the exact solution, so it is trained without other seats.")
    for seats in settings.seats:
        refuse(settings.variant, seats)
    if settings.alone and settings.seats != ALONE:
        raise QwixxError("Only a net for one seat has a teacher that it can do without.")
    if 1 in settings.seats and not settings.alone:
        refuse_to_solve(settings.variant)
    if not 1 <= settings.games <= MOST_GAMES:
        raise QwixxError(f"The number of games must be from 1 to {MOST_GAMES}, not {settings.games}.")
    if not 0 <= settings.seed < 1 << 64:
        raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.")
    if settings.workers is not None and not 1 <= settings.workers <= 256:
        raise QwixxError(f"The number of workers is from 1 to 256, not {settings.workers}.")
    if settings.out is not None and not settings.out.parent.is_dir():
        raise QwixxError(f"There is no folder {str(settings.out.parent)!r} for the weights.")


def weights_path(settings: Settings) -> Path:
    """Return the file for the weights of a training."""
    return settings.out or own_path(settings.variant, settings.seats)


def checkpoint_path(settings: Settings) -> Path:
    """Return the file for the checkpoint of a training."""
    target = weights_path(settings)
    return target.with_name(f"{target.name}.training")


def train(settings: Settings, report: Report | None = None, executor: Executor | None = None) -> Path:
    """
    Train a net, write its weights and return their file; an interrupted training resumes.

    With `executor` the games are played there. The same settings give the same weights for any number of workers, even
    if the training was killed and resumed. Raises `QwixxError`.
    """
    check_settings(settings)
    path = checkpoint_path(settings)
    checkpoint = _resume_or_start(settings, path)
    started = saved_at = perf_counter()
    rounds = _rounds(settings)
    every = _rounds_between_checks(settings, rounds)
    errors: list[float] = []
    with _workers(settings, executor) as pool:
        played = _submit(settings, checkpoint.behind, checkpoint.rounds, pool)
        while checkpoint.rounds < rounds:
            parts = [_result(*part) for part in played]
            if checkpoint.rounds + 1 < rounds:
                played = _submit(settings, copy_net(checkpoint.net), checkpoint.rounds + 1, pool)
            behind = copy_net(checkpoint.net)
            stage = stage_at(
                checkpoint.rounds / rounds,
                soft=settings.start is None,
                cards=settings.variant.is_cards,
                lessons=settings.seats == ALONE and not settings.alone,
            )
            errors.append(_update(settings, _seats_of(settings, checkpoint.rounds), checkpoint, parts, stage))
            checkpoint = Checkpoint(checkpoint.plan, checkpoint.rounds + 1, checkpoint.net, behind, checkpoint.updates)
            is_checked = checkpoint.rounds % every == 0 or checkpoint.rounds == rounds
            if checkpoint.rounds < rounds and (is_checked or perf_counter() > saved_at + _CHECKPOINT_SECONDS):
                write_checkpoint(path, checkpoint)
                saved_at = perf_counter()
            if report is not None:
                games = settings.check_games if is_checked else 0
                shares, points = _measure(settings, checkpoint.net, games) if games else ({}, None)
                done = min(_first_of(settings, checkpoint.rounds), settings.games)
                seconds = perf_counter() - started
                report(Progress(done, settings.games, seconds, float(np.mean(errors)), shares, points))
            if is_checked:
                errors.clear()
    _calibrate(settings, checkpoint.net)
    target = weights_path(settings)
    write_weights(target, _heading(settings, checkpoint), checkpoint.net, checkpoint.updates)
    path.unlink(missing_ok=True)
    return target


def _per_round(seats: int) -> int:
    """Return the games of a round: fewer with more seats, because each game has more to learn from."""
    return _COMPARISONS // (seats * (seats - 1) or _SHARE_ALONE)


def _seats_of(settings: Settings, number: int) -> int:
    """Return the number of seats in a round."""
    return settings.seats[number % len(settings.seats)]


def _first_of(settings: Settings, number: int) -> int:
    """Return the number of the first game of a round."""
    sizes = [_per_round(seats) for seats in settings.seats]
    cycles, rest = divmod(number, len(sizes))
    return cycles * sum(sizes) + sum(sizes[:rest])


def _rounds(settings: Settings) -> int:
    """Return the number of rounds for all games."""
    rounds = settings.games // _first_of(settings, len(settings.seats)) * len(settings.seats)
    while _first_of(settings, rounds) < settings.games:
        rounds += 1
    return rounds


def _rounds_between_checks(settings: Settings, rounds: int) -> int:
    """Return the rounds between two checks: at most `checks` checks, and fewer if they take too many games."""
    a_check = settings.check_games * max(len(baselines_of(settings.variant, seats)) for seats in settings.seats)
    most = int(settings.games * _CHECK_GAMES_SHARE) // a_check if a_check else settings.checks
    return max(_MIN_ROUNDS, rounds // max(1, min(settings.checks, most)))


def _measure(settings: Settings, net: Net, games: int) -> tuple[dict[int, dict[str, WinShare]], float | None]:
    """Return the win shares of a net for each number of seats, or for one seat its mean points."""
    if settings.seats == ALONE:
        return {}, mean_points(settings.variant, net, games)[0]
    each = max(1, games // len(settings.seats))
    return {seats: play_against_all(settings.variant, seats, net, each) for seats in settings.seats}, None


def _resume_or_start(settings: Settings, path: Path) -> Checkpoint:
    """Return the checkpoint of an interrupted training, or that of a new one."""
    layouts = compile_layout(settings.variant)
    start = b"" if settings.start is None else _read(settings.start)
    digest = hashlib.blake2b(start, digest_size=8).hexdigest() if start else ""
    cycle = _first_of(settings, len(settings.seats))
    digest += "alone" if settings.alone else ""
    plan = Plan(sheet_key(settings.variant), settings.seats, settings.games, settings.seed, cycle, digest)
    found = None if settings.fresh else read_checkpoint(path)
    if found is not None:
        if found.plan != plan:
            raise QwixxError(
                f"Another training was interrupted in {str(path)!r}; finish it with its own settings, or start again."
            )
        return found
    if settings.start is not None:
        heading, net = read_weights(settings.start, settings.variant, to_begin=True)
        if (heading.seats == ALONE) != (settings.seats == ALONE):
            raise QwixxError("A net for one seat starts from another one for one seat, and no other net does.")
        updates = initial_update_counts(net)
        copy_to_untrained_seats(feature_layout(layouts), net, heading.seats, settings.seats)
    else:
        net = empty_net(feature_layout(layouts), settings.seed)
        net = alone(net) if settings.seats == ALONE else net
        updates = np.zeros(len(net.tables), np.float32)
    return Checkpoint(plan, 0, net, copy_net(net), updates)


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise QwixxError(f"The weights in {str(path)!r} cannot be read: {error.strerror}.") from None


def _calibrate(settings: Settings, net: Net) -> None:
    """Calibrate a net with additional games of self-play; short trainings are not calibrated."""
    games = min(settings.games // 10, _CALIBRATION_GAMES) if settings.seats != ALONE else 0
    if games >= _MIN_CALIBRATION_GAMES:
        layouts = compile_layout(settings.variant)
        for seats in settings.seats:
            fit_calibration(layouts, net, seats, games, seed=settings.seed + 1)


def _heading(settings: Settings, checkpoint: Checkpoint) -> Heading:
    return Heading(
        variant=settings.variant.id,
        layout=checkpoint.plan.layout,
        seats=settings.seats,
        rows=len(checkpoint.net.tables),
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


def play_part(variant: Variant, seats: int, net: Net, seed: int, games: range, share: float | None) -> Played:
    """Play a part of a round, on any machine. One seat: lessons of the exact solution, or with `share` of the net."""
    first, count = games.start, len(games)
    if seats == 1 and share is None:
        return play_lessons(variant, count, seed=seed, first=first), np.zeros(0, np.int32)
    arrays = load_net(compile_layout(variant), net, seats)
    if share is not None:
        return play_own_lessons(arrays, count, share, seed=seed, first=first), np.zeros(0, np.int32)
    return self_play(arrays, seats, count, seed=seed, first=first, explore_per_mille=EXPLORE_PER_MILLE)


def _submit(settings: Settings, net: Net, number: int, pool: Executor) -> list[tuple[Future[Played], Part]]:
    """Submit the games of a round, in parts that are the same for any number of workers."""
    begin, end = _first_of(settings, number), min(_first_of(settings, number + 1), settings.games)
    seats = _seats_of(settings, number)
    share = stage_at(begin / settings.games).lambda_ if settings.alone else None
    parts: list[Part] = [
        (settings.variant, seats, net, settings.seed, range(first, min(first + _PART, end)), share)
        for first in range(begin, end, _PART)
    ]
    return [(pool.submit(play_part, *part), part) for part in parts]


def _result(future: Future[Played], part: Part) -> Played:
    """Return the games of a worker; if it died, play its part here."""
    if future.cancelled() or isinstance(future.exception(), (OSError, RuntimeError)):
        return play_part(*part)
    return future.result()


def _update(settings: Settings, seats: int, checkpoint: Checkpoint, parts: list[Played], stage: Stage) -> float:
    """Update the net with a round, each game several times; return the mean squared error of the first pass."""
    arrays = load_net(compile_layout(settings.variant), checkpoint.net, seats)
    if seats == 1:
        return _teach(settings, checkpoint, arrays, np.concatenate([lessons for lessons, _ in parts]), stage)
    first: list[float] = []
    for repeat in range(PASSES):
        for positions, scores in parts:
            error = td_update(arrays, checkpoint.updates, positions, scores, seats, stage)
            if repeat == 0:
                first.append(error)
    return float(np.mean(first))


def _teach(settings: Settings, checkpoint: Checkpoint, arrays: NetArrays, lessons: Records, stage: Stage) -> float:
    """Update the net with the lessons of a round, in random orders; return the mean squared error of the first pass."""
    draw = np.random.default_rng([settings.seed, checkpoint.rounds])
    orders = [draw.permutation(len(lessons)).astype(np.int32) for _ in range(PASSES)]
    first, *_ = [learn_lessons(arrays, checkpoint.updates, lessons, order, stage.rate) for order in orders]
    return first
