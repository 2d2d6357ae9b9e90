"""
How strong the learned player is: its share of the wins against the yardsticks, in every game it has learned.

    python -m bench.strength [--games N] [--only GAME ...] [--json] [--calibration]

The net takes every seat in turn and all other seats are the yardstick's; ties count half, or in equal parts; ± is a
95 % interval. `greedy-2` and `greedy-3` are the public yardsticks: they cross whatever skips at most two or three
cells, the least first, and nothing else. With `--calibration` the net plays so many games against itself instead, and
its chances of winning are compared with what came of them.
"""

from __future__ import annotations

import argparse
import json
import time

from qwixx.learn.calibration import Bin, calibration
from qwixx.learn.weights import find_weights, read_weights
from qwixx.players import find
from qwixx.players.house.master import MASTER
from qwixx.players.weights import PAPER, Weigher
from qwixx.train.yardsticks import Share, measure
from qwixx.variants import load, names
from qwixx.variants.compile import compile_layout

TARGETS: dict[tuple[str, int], dict[str, float]] = {
    ("classic", 2): {"gap:1": 72, "gap:2": 73, "greedy-2": 78, "greedy-3": 82},
    ("classic", 3): {"gap:1": 60, "gap:2": 56},
    ("classic", 5): {"gap:1": 50, "gap:2": 41},
    ("gemixxt-a", 2): {"gap:1": 70, "gap:2": 70},
    ("gemixxt-b", 2): {"gap:1": 76, "gap:2": 64},
    ("bonus-a", 2): {"gap:1": 70, "gap:2": 70},
    ("bonus-b", 2): {"gap:1": 70, "gap:2": 70},
    ("longo", 2): {"gap:1": 70, "gap:2": 70},
    ("duel", 2): {"greedy": 83},
    ("cards", 2): {"greedy": 73},
    ("cards-joker", 2): {"greedy": 73},
}
"""Percent to reach."""


def skipping(most: int) -> Weigher:
    """Make the public yardstick that skips at most so many cells."""
    weights = {"most_skipped": most, "most_skipped_or_miss": most}
    return Weigher(f"greedy-{most}", "whatever skips few cells", {PAPER: weights})


def yardsticks(variant: str, seats: int) -> list[Weigher]:
    """List who the net is measured against."""
    known = [find(name) for name in ("gap:1", "gap:2", "greedy")] + [skipping(2), skipping(3)]
    return [player for player in known if isinstance(player, Weigher) and player.plays(load(variant), seats)]


def main() -> None:
    """Measure, and print a line for each match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40_000, help="games of each match")
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each match")
    parser.add_argument("--calibration", action="store_true", help="compare chances with what came of them")
    wanted = parser.parse_args()
    if not wanted.json and not wanted.calibration:
        print(f"{'game':<12} seats  {'against':<9} {'win share':>16} {'to reach':>9} {'points':>14} {'games/s':>8}")
    for name in wanted.only or names():
        variant = load(name)
        for seats in variant.seats:
            path = find_weights(variant, seats) if MASTER.plays(variant, seats) else None
            if path is None:
                if seats >= 2 and not wanted.json:
                    print(f"{name:<12} {seats:<6} not learned yet")
                continue
            net = read_weights(path, variant, seats)[1]
            if wanted.calibration:
                show_calibration(name, seats, calibration(compile_layout(variant), net, seats, wanted.games, seed=1))
                continue
            for yardstick in yardsticks(name, seats):
                start = time.process_time()
                share = measure(variant, seats, net, yardstick, wanted.games)
                show(name, seats, yardstick.name, share, wanted.games, time.process_time() - start, wanted.json)


def show(name: str, seats: int, yardstick: str, share: Share, games: int, seconds: float, as_json: bool) -> None:
    """Print a match."""
    target = TARGETS.get((name, seats), {}).get(yardstick)
    if as_json:
        facts = {"game": name, "seats": seats, "against": yardstick, "games": games, "target": target}
        shown = {"win_share": share.wins, "interval": share.interval, "mean": share.mean, "theirs": share.others_mean}
        print(json.dumps(facts | shown))
        return
    print(
        f"{name:<12} {seats:<6} {yardstick:<9} {100 * share.wins:8.2f} ± {100 * share.interval:.2f} %"
        f" {f'{target:.0f} %' if target else '':>9} {share.mean:6.1f} to {share.others_mean:4.1f}"
        f" {games / max(seconds, 1e-9):8.0f}",
        flush=True,
    )


def show_calibration(name: str, seats: int, bins: list[Bin]) -> None:
    """Print what was said and what was won, bin by bin."""
    print(f"{name}, {seats} seats: {sum(each.positions for each in bins):,} positions")
    for each in bins:
        if each.positions:
            error = 100 * (each.said - each.won)
            print(f"  {each.positions:>9,}  said {each.said:6.2%}  won {each.won:6.2%}  {error:+.2f}", flush=True)


if __name__ == "__main__":
    main()
