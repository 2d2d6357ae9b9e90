"""
Place the levels: find how far easy, normal and strong have to misjudge positions so that the steps are even.

    python -m bench.levels [--games N] [--only GAME ...] [--seats N ...] [--check] [--workers W]

Each level is to win 65 of 100 games against the one below with two seats, from master down. With n seats one sits among
n - 1 of the level below, and wins a / (a + (n - 1) b) of the games with a : b = 65 : 35, as strengths are counted in
the ladder. A level is found by a few matches with the same dice: the logit of the win share is close to a straight line
over the logarithm of the noise, so each next try is where the line through all tries so far meets the goal. The first
try is what was found for the number of seats before.

All found values are kept in src/qwixx/players/house/levels.toml; what is not measured in a run stays as it is. With
`--check` nothing is changed and the levels are measured as they are, with other dice.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import exp, log, sqrt

import numpy as np

from qwixx.files import write_whole
from qwixx.kernel.results import RESULT
from qwixx.learn.net import Net
from qwixx.players.house.levels import ANY, FILE, LEVELS, Noises, entry_of, read_noises
from qwixx.players.house.master import has_net, net_of
from qwixx.players.learned import Company
from qwixx.players.seating import seat_of
from qwixx.variants import load, names
from qwixx.variants.model import Variant

GOAL = 0.65
SEED, CHECK_SEED = 0x1E7E1, 0xC4EC
TRIES = 4
NEAR = 0.01
"""A share that is this close to the goal is as good as it: half a deviation of 4,000 games is as much."""
USUAL_SLOPE = 1.5
"""How much the logit of the share grows where the noise is e times as large, until two tries have told."""
LEAST, MOST = 0.02, 20.0
HEADING = """\
# How far easy, normal and strong misjudge positions, in this order: standard deviations of logits, by game and seats.
# Written by `python -m bench.levels`; `any` is for sheets of one's own.
"""


def goal_of(seats: int) -> float:
    """Say what share of the wins one is to have among others of the level below."""
    return GOAL / (GOAL + (seats - 1) * (1 - GOAL))


def share_of(
    variant: Variant, seats: int, net: Net, noises: tuple[float, float], games: int, seed: int, workers: int
) -> float:
    """Let one who misjudges by so much sit among others who do by so much, on every seat in turn; give its share."""
    size = -(-games // workers)
    size += -size % seats  # whole turns of the seats in every part
    with ThreadPoolExecutor(workers) as pool:
        parts = [pool.submit(_wins, variant, seats, net, noises, seed, at * size, size) for at in range(workers)]
        return sum(part.result() for part in parts) / (workers * size)


def _wins(
    variant: Variant, seats: int, net: Net, noises: tuple[float, float], seed: int, first: int, games: int
) -> float:
    results = np.zeros(games, RESULT)
    one, others = noises
    Company(variant, net, [one, *[others] * (seats - 1)]).play(np.uint64(seed), first, results)
    scores = results["score"][:, :seats]
    won = scores == scores.max(axis=1, keepdims=True)
    places = np.array([seat_of(0, table, seats) for table in range(seats)])
    own = places[(first + np.arange(games)) % seats]
    return float((won[np.arange(games), own] / won.sum(axis=1)).sum())


def logit(share: float) -> float:
    """Give the logit of a share, which may be 0 or 1."""
    share = min(max(share, 0.001), 0.999)
    return log(share / (1 - share))


def next_try(tries: list[tuple[float, float]], goal: float) -> float:
    """Tell which noise a line through all tries, as (noise, share), says leads to the goal."""
    x = np.log([noise for noise, _ in tries])
    y = np.array([logit(share) for _, share in tries])
    weights = 1 / (0.1 + np.abs(y - logit(goal)))  # what is near says most
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
    """Find the noise of a level below one with the noise `above`; give it, its last share and how many were tried."""
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
    """Go through the games, the card games on each of their sheets."""
    for name in wanted:
        deck = load(name).deck
        for sheet in deck.sheets if deck else (None,):
            yield load(name, sheet)


def write(noises: Noises) -> None:
    """Keep what was found; a sheet of one's own gets what classic has, or whichever game there is."""
    lines = [HEADING.rstrip()]
    for entry, by_seats in noises.items():
        lines.append(f'["{entry}"]' if "/" in entry else f"[{entry}]")
        for seats, found in sorted(by_seats.items()):
            lines.append(f"{seats} = [{', '.join(f'{noise:.3g}' for noise in found)}]")
    write_whole(FILE, ["\n".join(lines).encode() + b"\n"])


def main() -> None:
    """Place the levels of every game that was learned, and print a line for each."""
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
                noises[entry_of(variant)] = {**noises.get(entry_of(variant), {}), str(seats): last}
                if variant.id == "classic":
                    noises[ANY] = {**noises[ANY], str(seats): last}
                write(noises)


def one_table(
    variant: Variant, seats: int, noises: Noises, last: list[float], wanted: argparse.Namespace
) -> list[float]:
    """Place the levels of a game with a number of seats, or measure them; give their noises, the weakest first."""
    net = net_of(variant, seats)
    known = [level.noise(variant, seats) for level in LEVELS]
    has_own = str(seats) in noises.get(entry_of(variant), {})
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
            f"{entry_of(variant):<24} {seats:<5} {goal_of(seats):6.1%}  {who:<7} {level.name:<7} {noise:6.3f}"
            f"  {share:6.1%} ± {interval:4.1%}  {tries:>5}  {time.process_time() - start:5.1f}",
            flush=True,
        )
        found.insert(0, float(f"{noise:.3g}"))
        above, who = noise, level.name
    return found


if __name__ == "__main__":
    main()
