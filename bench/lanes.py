"""
The gain of each loop that plays simulated games: the same games by a fast lane and by the general lane.

    python -m bench.lanes [--games N] [--rounds N] [--solitaire SHEET]

Results must be equal, game by game. Times are of one core, the best of the rounds, which take turns. The last column is
how many times as fast the fast lane is: a lane that is not a third faster should go.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
from bench.measuring import cpu_seconds

from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import MENU, STATE, Records
from qwixx.players.game_loop import play_block
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.sim.block import Block, Engine, batched_engine, engine_for
from qwixx.sim.lineup import seating_tables
from qwixx.solver import play_optimal, play_steps, solve
from qwixx.variants import load
from qwixx.variants.layout import compile_layout

SEED = np.uint64(1)
HEURISTICS = (("classic", "gap"), ("gemixxt-a", "gap"), ("bonus-a", "gap"), ("duel", "greedy"), ("cards", "greedy"))
NETS = (("classic", "master"), ("classic", "easy"), ("duel", "master"), ("cards", "master"))


def step_by_step(block: Block) -> Engine:
    """Return the loop that plays heuristic players decision by decision."""
    variant = block.variant
    players = [player for player in block.seated if isinstance(player, HeuristicPlayer)]
    tables = seating_tables(variant, players, rotate=True)
    states, menus = np.zeros(1, STATE), np.zeros(1, MENU)

    def play(seed: np.uint64, first: int, results: Records) -> None:
        play_block(compile_layout(variant), states, 2, tables, seed, first, results, menus, np.zeros(0, STATE))

    return play


def line(name: str, games: int, rounds: int, fast: tuple[str, Engine], general: tuple[str, Engine]) -> str:
    """Compare two loops and return a line of the table."""
    found = {}
    for lane, engine in (fast, general):
        results: Records = np.zeros(games, RESULT)
        engine(SEED, 0, results)
        found[lane] = results
    assert (found[fast[0]] == found[general[0]]).all(), f"{name}: the lanes played different games"
    tasks = {lane: partial(engine, SEED, 0, found[lane]) for lane, engine in (fast, general)}
    taken = cpu_seconds(tasks, rounds)
    speeds = {lane: games / best for lane, (best, _) in taken.items()}
    return (
        f"| {name} | {fast[0]} | {speeds[fast[0]]:,.0f} | {general[0]} | {speeds[general[0]]:,.0f} "
        f"| {speeds[fast[0]] / speeds[general[0]]:.2f} |"
    )


def main() -> None:
    """Compare all lanes, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--solitaire", default="classic", help="the sheet that is solved for the optimal player")
    options = parser.parse_args()
    games, rounds = options.games, options.rounds
    print("| games of two | fast lane | games a second | general lane | games a second | times as fast |")
    print("|---|---|---|---|---|---|")
    for name, bot in HEURISTICS:
        block = Block(load(name), (bot, bot), rotate=True, seed=1, first=0, count=games)
        steps = ("game_loop", step_by_step(block))
        if block.uses_fast_path:
            print(line(f"{name}, {bot}", games, rounds, ("fast_path", engine_for(block)), steps), flush=True)
        print(line(f"{name}, {bot}", games, rounds, steps, ("batched_games", batched_engine(block))), flush=True)
    for name, bot in NETS:
        block = Block(load(name), (bot, bot), rotate=True, seed=1, first=0, count=games)
        lanes = ("net_games", engine_for(block)), ("batched_games", batched_engine(block))
        print(line(f"{name}, {bot}", games // 20, rounds, *lanes), flush=True)
    solution = solve(options.solitaire)
    assert (play_optimal(solution, games) == play_steps(solution, games)).all()
    tasks = {"fast": partial(play_optimal, solution, games), "steps": partial(play_steps, solution, games)}
    taken = cpu_seconds(tasks, rounds)
    fast, steps_seconds = taken["fast"][0], taken["steps"][0]
    print(
        f"| {solution.variant} solitaire, optimal | solver/play/games | {games / fast:,.0f} | play_steps "
        f"| {games / steps_seconds:,.0f} | {steps_seconds / fast:.2f} |"
    )


if __name__ == "__main__":
    main()
