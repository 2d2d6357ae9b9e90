"""
The nets against exact endgames of two seats; writes bench/endgames.json.

    python -m bench.endgames [--games 2000] [--most 1500]

Positions before a roll from games of good players in which few positions can follow. For each, the net's win
probability of the active seat is compared with the exact share of the win. docs/study.md has the table.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from statistics import fmean

from bench.baselines import facts_of_run

from qwixx import Game
from qwixx.errors import QwixxError
from qwixx.nets.value import value_of
from qwixx.players.built_in.master import net_of
from qwixx.sim import replay_game
from qwixx.solver.endgame import solve_endgame
from qwixx.variants import load

FILE = Path(__file__).with_name("endgames.json")
SEED = 4711
BOTS = ("strong", "master")


def late_positions(variant: str, games: int, most: int) -> Iterator[Game]:
    """Yield the positions before a roll, at most one for each game, in which few positions can follow."""
    for number in range(games):
        record = replay_game(variant, 2, BOTS, SEED, number).record()
        for game in Game.replay(record, copies=False):
            if game.awaits_chance and 1 < successors(game) <= most:
                yield game.copy()
                break


def successors(game: Game) -> int:
    """Estimate how many positions can follow: by the cells ahead in the open rows, and the misses left."""
    layouts, states = game.raw()
    layout, state, found = layouts[0], states[0], 1
    for seat in range(game.seats):
        sheet = state.sheets[seat]
        found *= int(layout.end_misses) - int(sheet.misses)
        for row in range(len(sheet.next)):
            ahead = int(layout.length[row]) - int(sheet.next[row])
            if not int(state.closed) >> row & 1 and ahead > 0:
                can_close = int(sheet.count[row]) + ahead - 1 >= int(game.variant.closing_crosses)
                found *= ahead + can_close
    return found


def compare(variant: str, games: int, most: int) -> dict[str, float]:
    """Compare the net with the exact values; return the errors in win probability."""
    net, errors, spreads = net_of(load(variant), 2), list[float](), list[float]()
    for game in late_positions(variant, games, most):
        try:
            exact = solve_endgame(game, most=4 * most).win_shares[game.active]
        except QwixxError:  # the estimate was too low
            continue
        layouts, states = game.raw()
        errors.append(value_of(layouts, net, states, game.active).win_probabilities[game.active] - exact)
        spreads.append(abs(exact - 0.5))
        print(f"{variant}: {len(errors)} positions", end="\r", file=sys.stderr, flush=True)
    squares = fmean(error * error for error in errors)
    open_ = [error for error, spread in zip(errors, spreads, strict=True) if spread < 0.45]
    return {
        "positions": len(errors),
        "rms": sqrt(squares),
        "bias": fmean(errors),
        "largest": max(map(abs, errors)),
        "open_positions": len(open_),
        "open_rms": sqrt(fmean(error * error for error in open_)) if open_ else 0.0,
    }


def main() -> None:
    """Measure, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", nargs="+", default=["classic"])
    parser.add_argument("--games", type=int, default=2000, help="games that the positions come from")
    parser.add_argument("--most", type=int, default=1500, help="about how many positions may follow")
    asked = parser.parse_args()
    settings = {"games": asked.games, "most": asked.most, "bots": BOTS, "seed": SEED}
    facts = {"measured": facts_of_run(), **settings}
    found = {name: compare(name, asked.games, asked.most) for name in asked.variant}
    FILE.write_text(json.dumps({**facts, "results": found}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
