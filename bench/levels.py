"""
Tune the levels: find the noise of easy, normal and strong that makes the steps between levels even.

    python -m bench.levels [--games N] [--only GAME ...] [--seats N ...] [--check] [--workers W]

The goal: each level wins 65 % of the games against the one below with two seats, from master down. With n seats one
player sits among n - 1 of the level below, and should win a / (a + (n - 1) b) of the games with a : b = 65 : 35, as in
the ratings of the ladder. The noise of a level is found by a few matches with the same dice: the logit of the win share
is close to linear in the logarithm of the noise, so the next try is where a line through all tries meets the goal. The
first try is the result for the previous number of seats.

Results are written to src/qwixx/players/built_in/levels.toml; entries that a run does not measure stay as they are.
With `--check` nothing is written, and the current levels are measured with other dice.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import exp, log, sqrt

import numpy as np

from qwixx.base.atomic_files import write_atomically
from qwixx.kernel.results import RESULT
from qwixx.nets.network import Net
from qwixx.players.built_in.levels import ANY, FILE, LEVELS, Noises, level_key, read_noises
from qwixx.players.built_in.master import has_net, net_of
from qwixx.players.net_games import NetFollower, NetGames
from qwixx.players.rotation import seat_of
from qwixx.variants import load, names
from qwixx.variants.model import Variant

GOAL = 0.65
SEED, CHECK_SEED = 0x1E7E1, 0xC4EC
TRIES = 4
NEAR = 0.01
"""A share this close to the goal is good enough: a match is not more precise."""
USUAL_SLOPE = 1.5
"""The slope of the logit of the share over the logarithm of the noise, until two tries give a better one."""
LEAST, MOST = 0.02, 20.0
HEADING = """\
# The noise of easy, normal and strong, in this order: standard deviations of logits, by game and number of seats.
# Written by `python -m bench.levels`; `any` is for custom sheets.
"""


def goal_of(seats: int) -> float:
    """Return the win share that a player should have among others of the level below."""
    return GOAL / (GOAL + (seats - 1) * (1 - GOAL))


def share_of(
    variant: Variant, seats: int, net: Net, noises: tuple[float, float], games: int, seed: int, workers: int
) -> float:
    """Return the win share of a player with the first noise among players with the second, on every seat in turn."""
    size = -(-games // workers)
    size += -size % seats  # a multiple of the seats in every part
    with ThreadPoolExecutor(workers) as pool:
        parts = [pool.submit(_wins, variant, seats, net, noises, seed, at * size, size) for at in range(workers)]
        return sum(part.result() for part in parts) / (workers * size)


def _wins(
    variant: Variant, seats: int, net: Net, noises: tuple[float, float], seed: int, first: int, games: int
) -> float:
    results = np.zeros(games, RESULT)
    one, others = (NetFollower(noise) for noise in noises)
    NetGames(variant, net, [one, *[others] * (seats - 1)]).play(np.uint64(seed), first, results)
    scores = results["score"][:, :seats]
    won = scores == scores.max(axis=1, keepdims=True)
    places = np.array([seat_of(0, table, seats) for table in range(seats)])
    own = places[(first + np.arange(games)) % seats]
    return float((won[np.arange(games), own] / won.sum(axis=1)).sum())


def logit(share: float) -> float:
    """Return the logit of a share, which may be 0 or 1."""
    share = min(max(share, 0.001), 0.999)
    return log(share / (1 - share))


def next_try(tries: list[tuple[float, float]], goal: float) -> float:
    """Return the noise at which a line through all tries, as (noise, share), meets the goal."""
    x = np.log([noise for noise, _ in tries])
    y = np.array([logit(share) for _, share in tries])
    weights = 1 / (0.1 + np.abs(y - logit(goal)))  # tries near the goal count most
    middle_x, middle_y = np.average(x, weights=weights), np.average(y, weights=weights)
    spread = float(np.average((x - middle_x) ** 2, weights=weights))
    slope = USUAL_SLOPE
    if spread > 1e-4:
        slope = float(np.average((x - middle_x) * (y - middle_y), weights=weights)) / spread
    step = (logit(goal) - middle_y) / min(max(slope, 0.3), 4.0)
    return min(max(exp(middle_x + step), LEAST), MOST)


def place(
    variant: Variant, seats: int, net: Net, above: float, first: float, games: int, workers: int
) -> tuple[float, float, int]:
    """Return the noise of a level below one with the noise `above`, its last share and the number of tries."""
    goal = goal_of(seats)
    tries: list[tuple[float, float]] = []
    noise = first
    for _ in range(TRIES):
        share = share_of(variant, seats, net, (above, noise), games, SEED, workers)
        tries.append((noise, share))
        noise = next_try(tries, goal)
        if abs(share - goal) < NEAR:
            break
    return max(noise, above), tries[-1][1], len(tries)


def sheets(wanted: Sequence[str]) -> Iterator[Variant]:
    """Yield the games, card games on each of their sheets."""
    for name in wanted:
        deck = load(name).deck
        for sheet in deck.sheets if deck else (None,):
            yield load(name, sheet)


def write(noises: Noises) -> None:
    """Write the file of levels."""
    lines = [HEADING.rstrip()]
    for entry, by_seats in noises.items():
        lines.append(f'["{entry}"]' if "/" in entry else f"[{entry}]")
        for seats, found in sorted(by_seats.items()):
            lines.append(f"{seats} = [{', '.join(f'{noise:.3g}' for noise in found)}]")
    write_atomically(FILE, ["\n".join(lines).encode() + b"\n"])


def main() -> None:
    """Tune the levels of every game with a trained network, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=6000, help="games of each match")
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--seats", nargs="*", type=int, default=[2, 3, 4, 5], metavar="N", help="these seats only")
    parser.add_argument("--check", action="store_true", help="measure the levels as they are, and change nothing")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="threads")
    wanted = parser.parse_args()
    noises = dict(read_noises())
    print(f"{'game':<24} seats  goal   {'above':<7} {'level':<7} {'noise':>6}  {'share':>14}  tries  CPU s")
    for variant in sheets(wanted.only or names()):
        last = noises[ANY]["2"]
        for seats in (each for each in variant.seats if each in wanted.seats and has_net(variant, each)):
            last = one_table(variant, seats, noises, last, wanted)
            if not wanted.check:
                noises[level_key(variant)] = {**noises.get(level_key(variant), {}), str(seats): last}
                if variant.id == "classic":
                    noises[ANY] = {**noises[ANY], str(seats): last}
                write(noises)


def one_table(
    variant: Variant, seats: int, noises: Noises, last: list[float], wanted: argparse.Namespace
) -> list[float]:
    """Tune or measure the levels of a game with a number of seats; return their noises, the weakest first."""
    net = net_of(variant, seats)
    known = [level.noise(variant, seats) for level in LEVELS]
    has_own = str(seats) in noises.get(level_key(variant), {})
    guesses = known if has_own else last
    found: list[float] = []
    above, who = 0.0, "master"
    for level, guess in list(zip(LEVELS, guesses, strict=True))[::-1]:
        start = time.process_time()
        if wanted.check:
            noise, tries = known[level.place], 1
            share = share_of(variant, seats, net, (above, noise), wanted.games, CHECK_SEED, wanted.workers)
        else:
            noise, share, tries = place(variant, seats, net, above, guess, wanted.games, wanted.workers)
        interval = 1.96 * sqrt(share * (1 - share) / wanted.games)
        print(
            f"{level_key(variant):<24} {seats:<5} {goal_of(seats):6.1%}  {who:<7} {level.name:<7} {noise:6.3f}"
            f"  {share:6.1%} ± {interval:4.1%}  {tries:>5}  {time.process_time() - start:5.1f}",
            flush=True,
        )
        found.insert(0, float(f"{noise:.3g}"))
        above, who = noise, level.name
    return found


if __name__ == "__main__":
    main()
