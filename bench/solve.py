"""
Solve solitaire variants and print value, states, time and memory, then check by play.

    python bench/solve.py [--fresh] [--workers N] [--games N] [variant or longo:5/10 ...]

With `--fresh` tables are computed in a temporary directory instead of being read from the cache; otherwise the times
are those of the day when they were computed. The last columns are the mean of this many games with the optimal policy,
its distance from the solved value in standard errors, and games per CPU second.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from qwixx.solver import play_optimal, solve

DEFAULT = ["classic", "gemixxt-a", "gemixxt-b", "longo:5/10", "longo:6/11", "longo:4/9", "bonus-a", "bonus-b"]


def _line(name: str, table: Path | None, workers: int | None, games: int) -> str:
    variant, _, pair = name.partition(":")
    lucky = tuple(int(number) for number in pair.split("/")) if pair else None
    assert lucky is None or len(lucky) == 2
    solution = solve(variant, lucky, workers=workers, table=table)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    play_optimal(solution, 10)
    start = time.process_time()
    scores = play_optimal(solution, games, seed=1)
    speed = games / (time.process_time() - start)
    error = float(np.std(scores)) / games**0.5
    return (
        f"| {name} | {solution.value:.6f} | {solution.states:,} | {solution.seconds:.1f} | {solution.cpu_seconds:.1f}"
        f" | {memory:,.0f} | {np.mean(scores):.4f} | {(np.mean(scores) - solution.value) / error:+.2f} | {speed:,.0f} |"
    )


def main() -> None:
    """Solve the requested variants and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variants", nargs="*", default=DEFAULT)
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--workers", type=int)
    parser.add_argument("--games", type=int, default=1_000_000)
    options = parser.parse_args()
    print("| variant | value | states | seconds | CPU s | peak MB | played | z | games per CPU s |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as directory:
        for name in options.variants:
            table = Path(directory) / f"{name.replace(':', '-').replace('/', '-')}.qwixx" if options.fresh else None
            print(_line(name, table, options.workers, options.games), flush=True)


if __name__ == "__main__":
    main()
