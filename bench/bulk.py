"""
The simulator: games per second for each variant, on one core and on all.

    python -m bench.bulk [--seconds S]

One core is measured in CPU time, which other work on the machine hardly disturbs. All cores can only be measured in
wall-clock time, so that number is valid only on a quiet machine.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

from bench.measuring import cpu_seconds

from qwixx.players import built_in_names, find
from qwixx.players.heuristics import HeuristicPlayer
from qwixx.sim import simulate
from qwixx.variants import load, names


def bots_for(variant: str) -> list[str]:
    """Return the names of the heuristic players that can play a game."""
    players = [find(name) for name in built_in_names()]
    return [player.name for player in players if isinstance(player, HeuristicPlayer) and player.plays(load(variant), 2)]


def one_core(variant: str, bot: str, games: int, rounds: int = 5, seats: int = 2) -> float:
    """Return games per CPU second on one core."""
    simulate(variant, seats, (bot,), 1, workers=1)
    taken = cpu_seconds({"": lambda: simulate(variant, seats, (bot,), games, workers=1)}, rounds)
    return games / taken[""][0]


def by_the_clock(games: int, crew: Executor, workers: int) -> float:
    """Return classic games per second of wall-clock time, the best of three runs."""
    simulate("classic", 2, ("gap",), 400_000, workers=workers, executor=crew)
    return max(
        games / simulate("classic", 2, ("gap",), games, workers=workers, executor=crew).seconds for _ in range(3)
    )


def cores_side_by_side(games: int) -> list[str]:
    """Measure one worker against as many as there are cores."""
    cores = os.cpu_count() or 1
    with (
        ThreadPoolExecutor(1) as alone,
        ThreadPoolExecutor(cores) as threads,
        ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as processes,
    ):
        one = by_the_clock(games, alone, 1)
        rows = [("1 thread", one)]
        rows += [(f"{cores} threads", by_the_clock(games, threads, cores))]
        rows += [(f"{cores} processes", by_the_clock(games, processes, cores))]
    return [
        f"Classic, gap, {games:,} games, by the clock:",
        "",
        "| workers | games per second | times one |",
        "|---|---|---|",
        *(f"| {name} | {speed:,.0f} | {speed / one:.2f} |" for name, speed in rows),
    ]


def report(seconds: float = 1.0) -> list[str]:
    """Measure every variant; return lines of Markdown."""
    start = time.perf_counter()
    lines = ["Two seats, the same bot on both.", "", "| variant | bot | games per CPU second |", "|---|---|---|"]
    for variant in names():
        for bot in bots_for(variant):
            speed = one_core(variant, bot, 1000, rounds=2)
            speed = one_core(variant, bot, max(1000, int(speed * seconds)))
            lines.append(f"| {variant} | {bot} | {speed:,.0f} |")
    alone = one_core("classic", "optimal", int(50_000 * seconds), seats=1)
    lines += ["", f"Classic, one seat, optimal: {alone:,.0f} games per CPU second."]
    lines += ["", *cores_side_by_side(int(4_000_000 * seconds))]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took = time.perf_counter() - start
    return [*lines, "", f"Memory at the end: {memory:.0f} MB. All this took {took:.0f} s."]


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=1.0)
    print("\n".join(report(parser.parse_args().seconds)))


if __name__ == "__main__":
    main()
