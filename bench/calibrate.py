"""
Set the chances of the shipped nets right: those whose ten bins err by more than a limit, by games against themselves.

    python -m bench.set_right [--games N] [--only GAME ...] [--seats N ...] [--limit POINTS]

Every training ends with this (`learn.calibration`); here it is done once more, by more games, as after a change to how
the nets decide. Bins are measured by games with other dice than those of the fit; a net that came
out no better stays as it was. Weights are written in place.
"""

from __future__ import annotations

import argparse

from bench.levels import sheets

from qwixx.learn.calibration import Bin, calibration, set_right
from qwixx.learn.net import copy_net
from qwixx.learn.weights import find_weights, read_weights, write_weights
from qwixx.variants import names
from qwixx.variants.compile import compile_layout

_DICE_FOR_FIT, _DICE_FOR_BINS = 77, 1


def worst(bins: list[Bin]) -> float:
    """Give the largest error of all bins, in points of a hundred."""
    return max(100 * abs(each.said - each.won) for each in bins if each.positions)


def main() -> None:
    """Measure, set right, measure again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40_000, help="games for a fit, and as many for the bins")
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--seats", nargs="*", type=int, default=[], metavar="N", help="these numbers of seats only")
    parser.add_argument("--limit", type=float, default=0.6, help="points of a hundred that a bin may err by")
    wanted = parser.parse_args()
    for variant in sheets(wanted.only or names()):
        name = " on ".join(filter(None, (variant.id, variant.sheet)))
        layouts = compile_layout(variant)
        for seats in variant.seats:
            path = find_weights(variant, seats, only_shipped=True)
            if path is None or (wanted.seats and seats not in wanted.seats):
                continue
            heading, net = read_weights(path, variant, seats)
            before = worst(calibration(layouts, net, seats, wanted.games, seed=_DICE_FOR_BINS))
            if before <= wanted.limit:
                print(f"{name}, {seats} seats: {before:.2f}, as it was", flush=True)
                continue
            changed = copy_net(net)
            set_right(layouts, changed, seats, wanted.games, seed=_DICE_FOR_FIT)
            after = worst(calibration(layouts, changed, seats, wanted.games, seed=_DICE_FOR_BINS))
            if after < before:
                write_weights(path, heading, changed)
            kept = "" if after < before else ", left as it was"
            print(f"{name}, {seats} seats: {before:.2f}, then {after:.2f}{kept}", flush=True)


if __name__ == "__main__":
    main()
