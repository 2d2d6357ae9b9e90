"""
Compiling ahead of time: one table of what there is to compile, and how to use it once so that all of it is kept.

Records have the same types in every game, so one small use of each kind compiles what all games need. Run as a program
with the folders of some parts, it compiles them without a word, beside a program that is already playing.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from qwixx.advice import advise
from qwixx.analysis.facts import facts_of
from qwixx.analysis.reasons import reasons_of
from qwixx.game import Game
from qwixx.kernel import jit, kept
from qwixx.kernel.records import ACTIONS, DECK, Records
from qwixx.kernel.results import RESULT
from qwixx.learn.bench import BENCH
from qwixx.learn.calibration import calibration
from qwixx.learn.games import play_games
from qwixx.learn.lessons import learn
from qwixx.learn.net import lessons_had
from qwixx.learn.tables import empty_net, lay_out
from qwixx.learn.value import value_of
from qwixx.learn.weighing import CHOICE, MOST_CHOICES, ROOM, weigh, worth
from qwixx.places import cache_directory
from qwixx.players import find
from qwixx.players.house.optimal import Solitaires, optimal_tables
from qwixx.players.side_by_side import SideBySide
from qwixx.rl import nodes
from qwixx.rl.advance import MARGIN
from qwixx.rl.batch import Env
from qwixx.rl.playing import Playing
from qwixx.rl.spaces import Space
from qwixx.sim import simulate
from qwixx.solver import Solution, best_actions, new_game, opening_values, plan, play_optimal, play_steps, solve
from qwixx.variants import load, names
from qwixx.variants.model import Pad, Variant

if TYPE_CHECKING:
    from qwixx.kernel.waiting import Show

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Part:
    """Something that is compiled before its first use: its folder, its name in a sentence, and a use of all of it."""

    folder: str
    words: str
    use: Callable[[], None]
    """Uses everything once."""

    @property
    def is_cold(self) -> bool:
        """Whether the first to use it will have to wait for the compiler."""
        return kept.is_cold(_PACKAGE / self.folder)

    def warm(self, show: Show | None = None) -> None:
        """Compile all of it and keep that, and let somebody see how far it is."""
        from qwixx.kernel import twins, waiting  # noqa: PLC0415 - loads the compiler

        jit.compile_now()
        home = f"{Game.__module__.partition('.')[0]}.{self.folder}."
        entries = [entry.function for entry in jit.ENTRIES if entry.function.__module__.startswith(home)]
        with waiting.watching(show or Unseen(), len(set().union(*map(twins.within, entries)))):
            self.use()
        kept.mark_warm(_PACKAGE / self.folder)


class Unseen:
    """Shows nothing."""

    def begin(self, total: int) -> None:
        """Something has to be compiled."""

    def advance(self, done: int, total: int) -> None:
        """So many functions are done."""

    def end(self) -> None:
        """Leave the screen: it is all done."""


def why_interpreted() -> str:
    """Say why nothing is compiled here, in a sentence; empty if it is."""
    if not jit.HAS_COMPILER:
        return (
            "There is no compiler here, so everything runs interpreted; pip install 'qwixx[fast]' adds one"
            " (in a copy of the repository '.[fast]')."
        )
    return "" if jit.COMPILES else "Everything runs interpreted here, since QWIXX_JIT is 0."


def why_forgotten() -> str:
    """Say why compiled code cannot be kept for the next run, in a sentence; empty if it can."""
    if kept.base() is not None:
        return ""
    return (
        f"Compiled code cannot be kept, for nothing can be written in {str(cache_directory())!r};"
        " set QWIXX_CACHE to a folder where that is possible."
    )


def compile_now() -> None:
    """Compile whatever is called from now on: for a lot of work."""
    jit.compile_now()


def _play_games() -> None:
    """Play a game of every variant through all that a player uses."""
    chooser = random.Random(1)  # noqa: S311 - a game, not a secret
    for name in names():
        game = Game(name, seats=2, seed=1)
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
                continue
            for seat in game.deciders():
                game.view(seat)
                reasons_of(game, seat, game.legal(seat)[:1])
                facts_of(game, seat, game.legal(seat)[0])
                game.decide(seat, chooser.choice(game.legal(seat)))
        game.outcome()
        Game.from_record(game.record())
        Game.from_position(game.position())
    Game.from_position("duel active=0 phase=roll | r=2,3,4,5,6,12 | -")


def _invite() -> None:
    """Let a player who weighs answer one question, and play a game side by side; let the optimal player do both."""
    game = Game("classic", 2, seed=1, first=0)
    game.roll()
    find("gap").sit(game.variant, 2).answer(game.question(0))
    simulate("classic", 2, ("random",), 1)
    simulate("classic", 2, ("master", "gap"), 1)
    find("master").sit(game.variant, 2).answer(game.question(0))
    advise(game, 0, by="gap", games=1)
    SideBySide(game.variant, [find("easy"), find("random")]).play(np.uint64(1), 0, np.zeros(1, RESULT))
    sheet = _left_end(game.variant)
    optimal_tables(sheet, solver=_unsolved)  # where the optimal player looks first
    alone = Game(sheet, seats=1, seed=1)
    alone.roll()
    find("optimal").sit(sheet, 1).answer(alone.question(0))
    Solitaires(sheet).play(alone.raw()[0], np.uint64(1), 0, np.zeros(1, RESULT))


def _teach() -> None:
    """Let a net that knows nothing play a game, learn from it and be asked about it."""
    game = Game("classic", 2, seed=1, first=0)
    layouts, states = game.raw()
    inputs = lay_out(layouts)
    net = empty_net(inputs, 1)
    positions, scores = play_games(layouts, inputs, net, 2, 1, seed=1, first=0, per_mille=10)
    step = np.float32(0)
    benches: Records = np.zeros(1, BENCH)
    seen = lessons_had(net)
    learn(layouts, inputs, net.tables, net.layers, seen, benches, 2, positions, scores, step, np.float32(1), step)
    calibration(layouts, net, 2, 1)
    value_of(layouts, net, states)
    part, rooms = net.for_seats(2), np.zeros(1, ROOM)
    worth(layouts, inputs, part.tables, part.layers, benches, rooms, states)
    game.roll()
    weigh(layouts, inputs, part.tables, part.layers, benches, rooms, states, np.zeros(MOST_CHOICES, CHOICE))


def _simulate() -> None:
    """Play a game in each lane."""
    for bot in ("gap", "random"):
        simulate("classic", 2, (bot,), 1)


def _solve() -> None:
    """Solve the left ends of a sheet without marked cells and of one with them, and play them."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("classic", "bonus-a"):
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


def _step() -> None:
    """Let a few games of a batch take a step, and one game of each adapter."""
    for opponents in (None, {1: "random"}):
        env = Env("classic", n=2, seats=2, rewards="gain", opponents=opponents)
        env.reset()
        env.step(np.asarray(env.masks.argmax(axis=1)))
        env.reset(options={"position": "classic | - | -"})
        game = Playing(env.space, MARGIN, opponents)
        game.begin(np.random.default_rng(1))
        game.begin(np.random.default_rng(1), Game("classic", seats=2).raw()[1])
        game.look(game.asked)
        game.look_behind()
        game.step(int(game.look(game.asked)[1].argmax()))
        game.pay()
    _branch(env.space)


def _branch(space: Space) -> None:
    """Step through a game as a tree search does."""
    game = Game("classic", seats=2, first=0)
    layouts, states = game.raw()
    seat = nodes.roll(layouts, states, np.ones(6, np.int32), 0)
    room, seen = np.zeros(ACTIONS, np.int32), np.zeros((1, space.size), np.int8)
    nodes.legal(layouts, states, seat, room)
    nodes.see(layouts, states, seat, seen)
    nodes.decide(layouts, states, seat, int(room[0]), 0)
    nodes.deal(layouts, states, np.zeros(DECK, np.int32), 0, 0)  # refused, which compiles all the same


RULES = Part("kernel", "rules", _play_games)
PLAYERS = Part("players", "players", _invite)
SIMULATOR = Part("sim", "simulator", _simulate)
SOLVER = Part("solver", "solver", _solve)
ENVIRONMENTS = Part("rl", "environments", _step)
TRAINING = Part("learn", "training", _teach)
PARTS = (RULES, PLAYERS, SIMULATOR, SOLVER, ENVIRONMENTS, TRAINING)


def main(parent: int, folders: list[str]) -> None:
    """Compile some parts beside a program that waits for them, without getting in its way."""
    _end_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the other; if that ends, so does this
    if hasattr(os, "nice"):
        os.nice(5)
    for part in PARTS:
        if part.folder in folders and part.is_cold:
            part.warm()


def _end_with(parent: int) -> None:
    """End when the program ends that asked for it."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
