"""
Ahead-of-time compilation: a table of the parts with compiled code, and a small job for each that compiles all of it.

Records have the same types in every game, so one small job of each kind compiles what all games need. Run as a program
with the folders of some parts, it compiles them silently, for a program that is already playing.
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

from qwixx.base.user_dirs import cache_directory
from qwixx.coach.advice import advise
from qwixx.coach.reasons.decision_effects import effects_of
from qwixx.coach.reasons.sentences import reasons_of
from qwixx.game.game import Game
from qwixx.jit import cache, decorators
from qwixx.kernel import api
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import ACTIONS, DECK, Records
from qwixx.nets.evaluate import CHOICE, MOST_CHOICES, WORKSPACE, action_values, state_value
from qwixx.nets.feature_tables import empty_net, feature_layout, load_net
from qwixx.nets.network import alone, initial_update_counts
from qwixx.nets.training.calibration import calibration
from qwixx.nets.training.lessons import learn_lessons, play_lessons, play_own_lessons
from qwixx.nets.training.schedule import Stage
from qwixx.nets.training.self_play import self_play
from qwixx.nets.training.td import td_update
from qwixx.nets.value import value_of
from qwixx.players import find
from qwixx.players.batched_games import BatchedGames
from qwixx.players.built_in.optimal import SolitaireGames, optimal_tables
from qwixx.rl import chance_nodes
from qwixx.rl.batch import Env
from qwixx.rl.single_game import SingleGame
from qwixx.rl.spaces import Space
from qwixx.rl.stepping import MARGIN
from qwixx.sim import simulate
from qwixx.solver import Solution, best_actions, new_game, opening_values, plan, play_optimal, play_steps, solve
from qwixx.solver.policies.distribution import distribution_of
from qwixx.solver.policies.ranking import ranking_values
from qwixx.solver.policies.targets import compute_target
from qwixx.variants import load, names
from qwixx.variants.layout import compile_layout
from qwixx.variants.model import Pad, Variant

if TYPE_CHECKING:
    from qwixx.jit.progress import ProgressReporter

_PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the package with compiled code: its folder, its name in a sentence, and a job that uses all of it."""

    folder: str
    words: str
    use: Callable[[], None]
    """Calls every entry of the part once."""

    @property
    def is_uncached(self) -> bool:
        """Whether its next use has to wait for the compiler."""
        return cache.is_uncached(_PACKAGE / self.folder)

    def warm(self, show: ProgressReporter | None = None) -> None:
        """
        Compile all of it to the cache, and show the progress.

        One process compiles, so that several programs that start at the same time do not slow each other down. The
        others wait here and then find the code in the cache.
        """
        with cache.compile_lock(_PACKAGE / self.folder):
            if self.is_uncached:
                self._warm(show)

    def _warm(self, show: ProgressReporter | None) -> None:
        from qwixx.jit import compiler, progress  # noqa: PLC0415 - loads the compiler

        decorators.compile_now()
        prefix = f"{Game.__module__.partition('.')[0]}.{self.folder}."
        entries = [entry.function for entry in decorators.ENTRIES if entry.function.__module__.startswith(prefix)]
        with progress.report_progress(show or NoProgress(), len(set().union(*map(compiler.callees_of, entries)))):
            self.use()
        cache.mark_cached(_PACKAGE / self.folder)


class NoProgress:
    """Shows nothing."""

    def begin(self, total: int) -> None:
        """Do nothing."""

    def advance(self, done: int, total: int) -> None:
        """Do nothing."""

    def end(self) -> None:
        """Do nothing."""


def why_interpreted() -> str:
    """Return a sentence on why nothing is compiled here; empty if it is."""
    if decorators.RUNS_COMPILED:
        return ""
    if not decorators.HAS_COMPILER:
        return (
            "There is no compiler here, so everything runs interpreted; pip install 'qwixx[fast]' adds one"
            " (in a copy of the repository '.[fast]')."
        )
    return "Everything runs interpreted here, since QWIXX_JIT is 0."


def why_not_cached() -> str:
    """Return a sentence on why compiled code cannot be cached for the next run; empty if it can."""
    if cache.cache_root() is not None:
        return ""
    return (
        f"Compiled code cannot be cached, because nothing can be written in {str(cache_directory())!r};"
        " set QWIXX_CACHE to a folder where that is possible."
    )


def compile_now() -> None:
    """Compile every entry at its next call, for long jobs."""
    decorators.compile_now()


def _play_games() -> None:
    """Play a game of every variant with all functions that a player uses."""
    chooser = random.Random(1)  # noqa: S311 - a game, not a secret
    for name in names():
        game = Game(name, seats=2, seed=1)
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
                continue
            for seat in game.deciders():
                game.view(seat)
                effects_of(game, seat, game.legal(seat)[0])
                game.decide(seat, chooser.choice(game.legal(seat)))
        game.outcome()
        api.bar_fits(*game.raw(), 0, 0)
        Game.from_record(game.record())
        Game.from_position(game.position())
    Game.from_position("duel active=0 phase=roll | r=2,3,4,5,6,12 | -")


def _explain() -> None:
    """Find the reasons of one choice, and evaluate the choices by rollouts."""
    game = Game("classic", seats=2, seed=1, first=0)
    game.roll()
    reasons_of(game, 0, game.legal(0)[:1])
    advise(game, 0, by="gap", games=1)


def _use_players() -> None:
    """Let a heuristic player answer one question and play a game in a batch; let the optimal player do both."""
    game = Game("classic", 2, seed=1, first=0)
    game.roll()
    find("gap").sit(game.variant, 2).answer(game.question(0))
    simulate("classic", 2, ("random",), 1)
    simulate("classic", 2, ("master", "gap"), 1)
    find("master").sit(game.variant, 2).answer(game.question(0))
    BatchedGames(game.variant, [find("easy"), find("random")]).play(np.uint64(1), 0, np.zeros(1, RESULT))
    sheet = _left_end(game.variant)
    optimal_tables(sheet, solver=_unsolved)  # the optimal player looks there first
    solitaire = Game(sheet, seats=1, seed=1)
    solitaire.roll()
    find("optimal").sit(sheet, 1).answer(solitaire.question(0))
    SolitaireGames(sheet).play(solitaire.raw()[0], np.uint64(1), 0, np.zeros(1, RESULT))


def _train() -> None:
    """Let an untrained net play a game, learn from it and evaluate it."""
    game = Game("classic", 2, seed=1, first=0)
    layouts, states = game.raw()
    net = empty_net(feature_layout(layouts), 1)
    arrays = load_net(layouts, net, 2)
    positions, scores = self_play(arrays, 2, 1, seed=1, first=0, explore_per_mille=10)
    updates = initial_update_counts(net)
    td_update(arrays, updates, positions, scores, 2, Stage(lambda_=0.0, softness=1.0, rate=0.0))
    calibration(layouts, net, 2, 1)
    _teach()
    value_of(layouts, net, states)
    hands = Game("cards", 2, seed=1, first=0).raw()
    value_of(hands[0], empty_net(feature_layout(hands[0]), 1), hands[1])
    workspaces: Records = np.zeros(1, WORKSPACE)
    state_value(arrays, workspaces, states)
    game.roll()
    action_values(arrays, workspaces, states, np.zeros(MOST_CHOICES, CHOICE))


def _teach() -> None:
    """Let a net for one seat learn from a game on a small sheet, and play one of its own."""
    sheet = _left_end(load("classic"))
    optimal_tables(sheet, solver=_unsolved)  # the games look there first
    lessons = play_lessons(sheet, 1, seed=1, first=0)
    layouts = compile_layout(sheet)
    net = empty_net(feature_layout(layouts), 1)
    arrays = load_net(layouts, alone(net), 1)
    learn_lessons(arrays, initial_update_counts(net), lessons, np.zeros(1, np.int32), 0.0)
    play_own_lessons(arrays, 1, 1.0, seed=1, first=0)


def _simulate() -> None:
    """Play a game with each engine of the simulator."""
    for bot in ("gap", "random"):
        simulate("classic", 2, (bot,), 1)


def _solve() -> None:
    """Solve the left ends of a sheet without marked cells and of one with them, and play them."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("classic", "bonus-a"):
            table = Path(folder) / name
            for _ in range(2):  # solved, then read and checked
                solution = solve(_left_end(load(name)), table=table)
            opening_values(solution)
            game = Game(_left_end(load(name)), seats=1, seed=1)
            game.roll()
            best_actions(solution, *game.raw())
            solution.expected(new_game(solution))
            play_optimal(solution, 1)
            play_steps(solution, 1)
    _evaluate_policies(_left_end(load("classic")))


def _evaluate_policies(sheet: Variant) -> None:
    """Evaluate policies on a small sheet, and solve it for a target, with a table that stays in memory."""
    solution = _unsolved(sheet, None)
    distribution_of(sheet, None, solution.values, new_game(solution))
    random = find("random").ranking(sheet)
    assert random is not None
    ranking_values(sheet, None, random)
    compute_target(sheet, 1)


def _unsolved(variant: Variant, pad: Pad | None) -> Solution:
    """Return a table of zeros: a lookup compiles the same code as in a solved one, without the solver."""
    work = plan(variant, pad)
    zeros = np.zeros(work.shape)
    return Solution(variant.id, variant, work.lucky, 0.0, 0, 0.0, 0.0, work.layouts, work.folds, work.firsts, zeros)


def _left_end(variant: Variant) -> Variant:
    """Return a sheet with three cells in each row, the last of which closes it."""
    rows = tuple(replace(row, cells=row.cells[:3], closes_from=2) for row in variant.rows)
    return replace(variant, rows=rows, closing_crosses=1)


def _step() -> None:
    """Take a step in a small batch of games, and in one game of each adapter."""
    for opponents in (None, {1: "random"}):
        env = Env("classic", n=2, seats=2, rewards="gain", opponents=opponents)
        env.reset()
        env.step(np.asarray(env.masks.argmax(axis=1)))
        env.reset(options={"position": "classic | - | -"})
        game = SingleGame(env.space, MARGIN, opponents)
        game.begin(np.random.default_rng(1))
        game.begin(np.random.default_rng(1), Game("classic", seats=2).raw()[1])
        game.observe(game.asked)
        game.observe_everything()
        game.step(int(game.observe(game.asked)[1].argmax()))
        game.pay()
    _branch(env.space)


def _branch(space: Space) -> None:
    """Take the steps of a tree search through a game."""
    game = Game("classic", seats=2, first=0)
    layouts, states = game.raw()
    seat = chance_nodes.roll(layouts, states, np.ones(6, np.int32), 0)
    room, seen = np.zeros(ACTIONS, np.int32), np.zeros((1, space.size), np.int8)
    chance_nodes.legal(layouts, states, seat, room)
    chance_nodes.observe_into(layouts, states, seat, seen)
    chance_nodes.decide(layouts, states, seat, int(room[0]), 0)
    chance_nodes.deal(layouts, states, np.zeros(DECK, np.int32), 0, 0)  # refused, but compiled


RULES = Part("kernel", "rules", _play_games)
PLAYERS = Part("players", "players", _use_players)
SIMULATOR = Part("sim", "simulator", _simulate)
SOLVER = Part("solver", "solver", _solve)
ENVIRONMENTS = Part("rl", "environments", _step)
TRAINING = Part("nets", "training", _train)
COACH = Part("coach", "coach", _explain)
PARTS = (RULES, PLAYERS, COACH, SIMULATOR, SOLVER, ENVIRONMENTS, TRAINING)


def main(parent: int, folders: list[str]) -> None:
    """Compile some parts at a low priority, for a parent process that waits for them."""
    _exit_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the parent; if that ends, so does this process
    if hasattr(os, "nice"):
        os.nice(5)
    for part in PARTS:
        if part.folder in folders and part.is_uncached:
            part.warm()


def _exit_with(parent: int) -> None:
    """End this process when the parent ends."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
