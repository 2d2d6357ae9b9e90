"""
The kernel, decision by decision, compared with a loop that was written by hand for classic only.

    python -m bench.core [--games N] [--rounds N]

Both play the same games: the checksums must be equal. Then the six dice games side by side, decisions through `Game`
compared with those of the kernel, and the time of a decision without the compiler.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from copy import deepcopy
from functools import partial
from random import Random

import numpy as np
from bench.classic_loop import play_classic
from bench.measuring import Task, cpu_seconds

from qwixx import Game
from qwixx.jit.decorators import COMPILES
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import MENU, STATE, Records
from qwixx.players.built_in.gap import GAP, WEIGHTS
from qwixx.players.game_loop import play_block
from qwixx.players.heuristics import SEATING
from qwixx.variants import load
from qwixx.variants.layout import compile_layout

DICE_GAMES = ("classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo")
SEED = np.uint64(1)


def play_kernel(variant: str, games: int) -> Records:
    """Play games of two gap bots through the functions of the kernel."""
    results: Records = np.zeros(games, RESULT)
    tables: Records = np.zeros(1, SEATING)
    tables["players"] = GAP.record(load(variant))
    states, menus = np.zeros(1, STATE), np.zeros(1, MENU)
    layouts = compile_layout(load(variant))
    play_block(layouts, states, 2, tables, SEED, 0, results, menus, np.zeros(0, STATE))
    return results


def play_by_hand(games: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    """Play the same games with the hand-written loop."""
    results = np.zeros((games, 3), np.int32)
    play_classic(SEED, WEIGHTS["most_skipped"], WEIGHTS["most_skipped_or_miss"], WEIGHTS["lock"], results)
    return results


def checksum(turns: object, first: object, second: object) -> int:
    """Combine turns and scores of all games into one number."""
    words = [np.asarray(column, np.uint64) & np.uint64(0xFFFF) for column in (turns, first, second)]
    word = words[0] | words[1] << np.uint64(16) | words[2] << np.uint64(32)
    places = np.arange(1, len(word) + 1, dtype=np.uint64)
    return int((word * (places * np.uint64(2) + np.uint64(1))).sum())


def compare(games: int, rounds: int) -> list[str]:
    """Measure the kernel against the hand-written loop."""
    kernel = play_kernel("classic", games)
    hand = play_by_hand(games)
    sums = checksum(kernel["turns"], *kernel["score"][:, :2].T), checksum(*hand.T)
    if sums[0] != sums[1]:
        raise SystemExit(f"The two loops played different games: {sums[0]:x} and {sums[1]:x}.")
    taken = cpu_seconds(
        {
            "written by hand, classic only": partial(play_by_hand, games),
            "kernel": partial(play_kernel, "classic", games),
        },
        rounds,
    )
    base = taken["written by hand, classic only"][0]
    lines = [
        f"Classic, two gap bots, one core; equal games (checksum {sums[0]:016x}).",
        "",
        "| loop | games per CPU second, best | median | share of hand-written |",
        "|---|---|---|---|",
    ]
    for name, (best, middle) in taken.items():
        lines.append(f"| {name} | {games / best:,.0f} | {games / middle:,.0f} | {base / best:.2f} |")
    return lines


def side_by_side(games: int, rounds: int) -> list[str]:
    """Measure the six dice games, decision by decision."""
    taken = cpu_seconds({name: partial(play_kernel, name, games) for name in DICE_GAMES}, rounds)
    slowest, fastest = max(best for best, _ in taken.values()), min(best for best, _ in taken.values())
    lines = ["| variant | games per CPU second | turns a game | decisions per CPU second |", "|---|---|---|---|"]
    for name, (best, _) in taken.items():
        turns = float(play_kernel(name, games)["turns"].mean())
        lines.append(f"| {name} | {games / best:,.0f} | {turns:.1f} | {3 * turns * games / best:,.0f} |")
    return [*lines, "", f"The fastest is {slowest / fastest:.2f} times as fast as the slowest."]


def play_games(variant: str, seats: int, games: int) -> int:
    """Play random games through `Game`: roll, deciders, legal and decide; return the number of decisions."""
    luck = Random(1)
    decisions = 0
    for number in range(games):
        game = Game(variant, seats, seed=1, number=number)
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
            for seat in game.deciders():
                game.decide(seat, luck.choice(game.legal(seat)))
                decisions += 1
    return decisions


def through_game(games: int, rounds: int) -> list[str]:
    """Measure decisions through the library, and copies, next to the kernel's decisions in the same run."""
    tables = {name: (name, 2, games) for name in ("classic", "bonus-b", "cards", "duel")}
    counts = {name: play_games(*table) for name, table in tables.items()}
    tasks: dict[str, Task] = {name: partial(play_games, *table) for name, table in tables.items()}
    middle = Game("classic", 2, seed=1)
    for _ in range(6):
        middle.roll()
        for seat in (0, 1, middle.active):
            middle.decide(seat, middle.legal(seat)[0])
    tasks["kernel"] = partial(play_kernel, "classic", 1000)
    tasks["copy"] = partial(_repeat, middle.copy, 1000)
    tasks["deepcopy"] = partial(_repeat, partial(deepcopy, middle), 1000)
    taken = {name: best for name, (best, _) in cpu_seconds(tasks, rounds).items()}
    kernel = 3 * float(play_kernel("classic", 1000)["turns"].sum()) / taken["kernel"]
    lines = [
        "| variant, two seats | decisions per CPU second through `Game` | share of the kernel's in classic |",
        "|---|---|---|",
    ]
    for name, count in counts.items():
        speed = count / taken[name]
        lines.append(f"| {name} | {speed:,.0f} | {speed / kernel:.4f} |")
    copies = (
        f"`copy()` takes {1000 * taken['copy']:.0f} µs after six turns, `deepcopy` {1000 * taken['deepcopy']:.0f} µs."
    )
    return [*lines, "", copies]


def _repeat(task: Task, times: int) -> None:
    for _ in range(times):
        task()


def interpreted_share(games: int = 20) -> float:
    """Return the milliseconds of a decision in this process, with its share of rolling and resolving."""
    play_kernel("classic", 1)
    start = time.process_time()
    turns = int(play_kernel("classic", games)["turns"].sum())
    return 1000 * (time.process_time() - start) / (3 * turns)


def interpreted() -> list[str]:
    """Measure a decision without the compiler, in a separate process."""
    result = subprocess.run(
        [sys.executable, "-m", "bench.core", "--interpreted"],
        env={**os.environ, "QWIXX_JIT": "0"},
        capture_output=True,
        text=True,
        check=True,
    )
    return [f"Interpreted (QWIXX_JIT=0), a decision takes {result.stdout.strip()} ms of CPU time."]


def report(games: int = 40_000, rounds: int = 7) -> list[str]:
    """Measure everything; return lines of Markdown."""
    lines = compare(games, rounds)
    lines += ["", "Decision by decision, two gap bots, one core:", "", *side_by_side(games, rounds)]
    lines += ["", "Random decisions through the library:", "", *through_game(games // 400, rounds)]
    return [*lines, "", *interpreted()]


def main() -> None:
    """Print the report."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=40_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--interpreted", action="store_true")
    asked = parser.parse_args()
    if asked.interpreted:
        assert not COMPILES
        print(f"{interpreted_share():.2f}")
    else:
        print("\n".join(report(asked.games, asked.rounds)))


if __name__ == "__main__":
    main()
