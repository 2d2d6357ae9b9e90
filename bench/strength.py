"""
The strength of the neural networks: the win share against the baselines, in every trained game.

    python -m bench.strength [--games N] [--only GAME ...] [--seats N ...] [--json] [--calibration]

The network takes every seat in turn and the baseline has all other seats; a win of k players counts 1/k for each; ± is
a 95 % interval. `greedy-2` and `greedy-3` are simple baselines: they cross the cell that skips the fewest cells, if
that is at most two or three, and nothing else. With `--calibration` the network plays this number of games against
itself instead, and its win probabilities are compared with the results. In solitaire its mean points are compared with
those of best play.
"""

from __future__ import annotations

import argparse
import json
import time
from statistics import fmean

from qwixx.nets.training.baselines import WinShare, mean_points, play_against
from qwixx.nets.training.calibration import Bin, calibration
from qwixx.nets.weight_files import find_weights, read_weights
from qwixx.players import find
from qwixx.players.heuristics import PAPER, HeuristicPlayer
from qwixx.solver.known_values import known_values
from qwixx.variants import load, names
from qwixx.variants.layout import compile_layout

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
"""Target win shares, in percent."""


def skipping(most: int) -> HeuristicPlayer:
    """Return the simple baseline that skips at most `most` cells."""
    weights = {"most_skipped": most, "most_skipped_or_miss": most}
    return HeuristicPlayer(f"greedy-{most}", "the smallest gap", {PAPER: weights})


def baselines(variant: str, seats: int) -> list[HeuristicPlayer]:
    """Return the baselines that can play a game."""
    known = [find(name) for name in ("gap:1", "gap:2", "greedy")] + [skipping(2), skipping(3)]
    return [player for player in known if isinstance(player, HeuristicPlayer) and player.plays(load(variant), seats)]


def main() -> None:
    """Measure, and print a line for each match."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40_000, help="games of each match")
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--seats", nargs="*", type=int, default=[], metavar="N", help="these numbers of seats only")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each match")
    parser.add_argument("--calibration", action="store_true", help="compare win probabilities with results")
    wanted = parser.parse_args()
    if not wanted.json and not wanted.calibration:
        print(f"{'game':<12} seats  {'against':<9} {'win share':>16} {'to reach':>9} {'points':>14} {'games/s':>8}")
    for name in wanted.only or names():
        variant = load(name)
        for seats in variant.seats:
            if wanted.seats and seats not in wanted.seats:
                continue
            path = find_weights(variant, seats)
            if path is None:
                if not wanted.json:
                    print(f"{name:<12} {seats:<6} not learned yet")
                continue
            net = read_weights(path, variant, seats)[1]
            if seats == 1:
                points, half = mean_points(variant, net, wanted.games)
                best = fmean(known_values()[name].values())
                print(
                    f"{name:<12} alone  {points:.2f} ± {half:.2f} of {best:.2f} points: {points / best:.2%}", flush=True
                )
                continue
            if wanted.calibration:
                show_calibration(name, seats, calibration(compile_layout(variant), net, seats, wanted.games, seed=1))
                continue
            for baseline in baselines(name, seats):
                start = time.process_time()
                share = play_against(variant, seats, net, baseline, wanted.games)
                show(name, seats, baseline.name, share, wanted.games, time.process_time() - start, wanted.json)


def show(name: str, seats: int, baseline: str, share: WinShare, games: int, seconds: float, as_json: bool) -> None:
    """Print a match."""
    target = TARGETS.get((name, seats), {}).get(baseline)
    if as_json:
        facts = {"game": name, "seats": seats, "against": baseline, "games": games, "target": target}
        shown = {"win_share": share.wins, "interval": share.interval, "mean": share.mean, "theirs": share.others_mean}
        print(json.dumps(facts | shown))
        return
    print(
        f"{name:<12} {seats:<6} {baseline:<9} {100 * share.wins:8.2f} ± {100 * share.interval:.2f} %"
        f" {f'{target:.0f} %' if target else '':>9} {share.mean:6.1f} to {share.others_mean:4.1f}"
        f" {games / max(seconds, 1e-9):8.0f}",
        flush=True,
    )


def show_calibration(name: str, seats: int, bins: list[Bin]) -> None:
    """Print predicted and actual win shares, bin by bin."""
    print(f"{name}, {seats} seats: {sum(each.positions for each in bins):,} positions")
    for each in bins:
        if each.positions:
            error = 100 * (each.predicted - each.won)
            print(f"  {each.positions:>9,}  said {each.predicted:6.2%}  won {each.won:6.2%}  {error:+.2f}", flush=True)


if __name__ == "__main__":
    main()
