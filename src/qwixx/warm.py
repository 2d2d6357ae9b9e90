"""
Compiling ahead of time: one table of what there is to compile, and how to use it once so that all of it is kept.

Records have the same types in every game, so one small use of each kind compiles what all games need.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from qwixx.game import Game
from qwixx.kernel import jit
from qwixx.kernel.results import RESULT
from qwixx.players import find
from qwixx.players.house.optimal import Solitaires, optimal_tables
from qwixx.players.side_by_side import SideBySide
from qwixx.rl.batch import Env
from qwixx.sim import simulate
from qwixx.solver import Solution, best_actions, new_game, opening_values, plan, play_optimal, play_steps, solve
from qwixx.variants import load, names
from qwixx.variants.model import Pad, Variant

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is compiled before its first use: its folder, its name in a sentence, and a use of all of it."""

    folder: str
    words: str
    use: Callable[[], Iterator[str]]
    """Uses everything once, and tells on the way what it is at."""

    @property
    def is_cold(self) -> bool:
        """Whether the first to use it will have to wait for the compiler."""
        return jit.is_cold(_PACKAGE / self.folder)

    def warm(self) -> Iterator[str]:
        """Compile all of it and keep that, telling on the way what it is at."""
        yield from self.use()
        jit.mark_warm(_PACKAGE / self.folder)


def _play_games() -> Iterator[str]:
    """Play a game of every variant through all that a player uses."""
    chooser = random.Random(1)  # noqa: S311 - a game, not a secret
    for name in names():
        yield name
        game = Game(name, seats=2, seed=1)
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
                continue
            for seat in game.deciders():
                game.view(seat)
                game.decide(seat, chooser.choice(game.legal(seat)))
        Game.from_record(game.record())
        Game.from_position(game.position())


def _invite() -> Iterator[str]:
    """Let a player who weighs answer one question, and play a game side by side; let the optimal player do both."""
    yield "easy"
    game = Game("classic", 2, seed=1, first=0)
    game.roll()
    find("easy").sit(game.variant, 2).answer(game.question(0))
    yield "random"
    SideBySide(game.variant, [find("easy"), find("random")]).play(np.uint64(1), 0, np.zeros(1, RESULT))
    yield "optimal"
    sheet = _left_end(game.variant)
    optimal_tables(sheet, solver=_unsolved)  # where the optimal player looks first
    alone = Game(sheet, seats=1, seed=1)
    alone.roll()
    find("optimal").sit(sheet, 1).answer(alone.question(0))
    Solitaires(sheet).play(alone.raw()[0], np.uint64(1), 0, np.zeros(1, RESULT))


def _simulate() -> Iterator[str]:
    """Play a game in each lane."""
    for bot in ("gap", "random"):
        yield bot
        simulate("classic", 2, (bot,), 1)


def _solve() -> Iterator[str]:
    """Solve the left ends of a sheet without marked cells and of one with them, and play them."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("classic", "bonus-a"):
            yield name
            table = Path(folder) / name
            for _ in range(2):  # worked out, then read and checked
                solution = solve(_left_end(load(name)), table=table)
            opening_values(solution)
            game = Game(_left_end(load(name)), seats=1, seed=1)
            game.roll()
            best_actions(solution, *game.raw())
            solution.expected(new_game(solution))
            play_optimal(solution, 1)
            play_steps(solution, 1)


def _unsolved(variant: Variant, pad: Pad | None) -> Solution:
    """Make a table of zeros: looking something up in it compiles the same as in a solved one, and takes no solver."""
    work = plan(variant, pad)
    zeros = np.zeros(work.shape)
    return Solution(variant.id, work.lucky, 0.0, 0, 0.0, 0.0, work.layouts, work.folds, work.firsts, zeros)


def _left_end(variant: Variant) -> Variant:
    """Cut a sheet down to three cells in each row, the last of which closes it."""
    rows = tuple(replace(row, cells=row.cells[:3], closes_from=2) for row in variant.rows)
    return replace(variant, rows=rows, closing_crosses=1)


def _step() -> Iterator[str]:
    """Let a few games of a batch take a step."""
    yield "batch"
    env = Env("classic", n=2, seats=2)
    env.reset()
    env.step(np.asarray(env.masks.argmax(axis=1)))


RULES = Part("kernel", "rules", _play_games)
PLAYERS = Part("players", "players", _invite)
SIMULATOR = Part("sim", "simulator", _simulate)
SOLVER = Part("solver", "solver", _solve)
ENVIRONMENTS = Part("rl", "environments", _step)
PARTS = (RULES, PLAYERS, SIMULATOR, SOLVER, ENVIRONMENTS)
