"""
Calibrate the shipped networks again, by self-play, if one of their ten probability bins is off by more than a limit.

    python -m bench.calibrate [--games N] [--only GAME ...] [--seats N ...] [--limit POINTS]

Every training ends with a calibration (`nets/training/calibration.py`). This repeats it with more games, for example
after a change to how the networks decide. The bins are measured with other dice than the fit. A network that does not
improve stays as it was. Weights are overwritten in place.
"""

from __future__ import annotations

import argparse

from bench.levels import sheets

from qwixx.nets.network import copy_net
from qwixx.nets.training.calibration import Bin, calibration, fit_calibration
from qwixx.nets.weight_files import find_weights, read_weights, write_weights
from qwixx.variants import names
from qwixx.variants.layout import compile_layout

_DICE_FOR_FIT, _DICE_FOR_BINS = 77, 1


def worst(bins: list[Bin]) -> float:
    """Return the largest error of all bins, in percentage points."""
    return max(100 * abs(each.predicted - each.won) for each in bins if each.positions)


def main() -> None:
    """Measure, calibrate, measure again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=40_000, help="games for a fit, and as many for the bins")
    parser.add_argument("--only", nargs="*", default=[], metavar="GAME", help="these games only")
    parser.add_argument("--seats", nargs="*", type=int, default=[], metavar="N", help="these numbers of seats only")
    parser.add_argument("--limit", type=float, default=0.6, help="largest allowed error of a bin, in percentage points")
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
            fit_calibration(layouts, changed, seats, wanted.games, seed=_DICE_FOR_FIT)
            after = worst(calibration(layouts, changed, seats, wanted.games, seed=_DICE_FOR_BINS))
            if after < before:
                write_weights(path, heading, changed)
            kept = "" if after < before else ", left as it was"
            print(f"{name}, {seats} seats: {before:.2f}, then {after:.2f}{kept}", flush=True)


if __name__ == "__main__":
    main()
