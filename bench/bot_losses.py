"""
What a decision of each level of bots loses on average: the scale on which the page places a person's play.

    python -m bench.bot_losses [--only GAME ...] [--seats N ...] [--games N]    # writes page/src/history/botLosses.json
    python -m bench.bot_losses --check [--only GAME] [--seats N] [--games N]    # is the interval of the page right?

All seats of a game have one level. The review of the page judges a person by the network of the same game and number of
seats, so the same network judges the bots; decisions with one legal choice do not count. `error` is the standard error
of the mean, from the spread between games. Games and numbers of seats that a run does not measure keep their figures.

`--check` plays other games, draws 8, 15 and 30 of them as a person's, and places them as page/src/history/ownLevel.ts
does: how often the interval contains the level of the bots, how wide it is, and how often the nearest level is right.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from math import floor, sqrt
from pathlib import Path
from random import Random
from typing import Any

from qwixx.coach import analyse
from qwixx.coach.judges.net_judge import NetJudge
from qwixx.players.built_in.levels import LEVELS, level_key
from qwixx.players.built_in.master import MASTER, has_net
from qwixx.sim import replay_game
from qwixx.variants import load, names

FILE = Path(__file__).parents[1] / "page/src/history/botLosses.json"
SEED = 0x1055
GAMES = 40
NAMES = (*(level.name for level in LEVELS), MASTER.name)
STUDENT = {8: 2.36, 15: 2.14, 30: 2.05}
"""The quantile at 97.5 % for so many games."""
DRAWS = 2_000


Sums = list[tuple[int, float]]
"""Decisions with a choice, and what they lost together."""


def sums_of(name: str, seats: int, level: str, games: int, seed: int) -> Iterator[Sums]:
    """Yield the sums of all seats of each game."""
    judge = NetJudge(load(name), seats)
    for number in range(games):
        found = analyse(replay_game(name, seats, (level,), seed, number), by=judge)
        free = [each for each in found.decisions if len(each.choices) > 1]
        own = [[each.loss for each in free if each.seat == seat] for seat in range(seats)]
        yield [(len(losses), sum(losses)) for losses in own]


def measure(name: str, seats: int, level: str, games: int) -> dict[str, float]:
    """Return the mean loss of a decision in games of one level, and its standard error."""
    # The seats of a game share its dice, so a game is one sample.
    each_game = sums_of(name, seats, level, games, SEED)
    sums = [(sum(count for count, _ in one), sum(loss for _, loss in one)) for one in each_game]
    decisions = sum(count for count, _ in sums)
    mean = sum(loss for _, loss in sums) / decisions
    spread = sum((loss - mean * count) ** 2 for count, loss in sums) * games / (games - 1)
    return {"mean": round(mean, 6), "error": round(sqrt(spread) / decisions, 6)}


def place_in(sums: Sequence[float], lost: float) -> float:
    """Return the place of a loss among those of the levels."""
    if all(each > lost for each in sums):
        return len(sums) - 1.0
    first = next((at for at, each in enumerate(sums) if each <= lost), 0)
    at = min(max(first - 1, 0), len(sums) - 2)
    return max(-1.0, at + (sums[at] - lost) / (sums[at] - sums[at + 1]))


def check(name: str, seats: int, games: int) -> None:
    """Print how often the interval of a few games contains the level of the bots that played them."""
    known = json.loads(FILE.read_text("utf-8"))["losses"][level_key(load(name))][str(seats)]
    means = [known[level]["mean"] for level in NAMES]
    draw = Random(1)
    for level, name_of_level in enumerate(NAMES[:-1]):
        played = [one for game in sums_of(name, seats, name_of_level, games, SEED + 1) for one in game]
        for size, quantile in STUDENT.items():
            inside, right, width = 0, 0, 0.0
            for _ in range(DRAWS):
                some = draw.sample(played, size)
                sums = [sum(count * each for count, _ in some) for each in means]
                lost = sum(loss for _, loss in some)
                place = place_in(sums, lost)
                at = min(max(floor(place), 0), len(means) - 2)
                mean = means[at] + (place - at) * (means[at + 1] - means[at])
                spread = sum((loss - count * mean) ** 2 for count, loss in some) * size / (size - 1)
                half = quantile * sqrt(spread)
                low, high = place_in(sums, lost + half), place_in(sums, lost - half)
                inside += low <= level <= high
                right += round(max(place, 0.0)) == level
                width += high - low
            print(
                f"{name_of_level}, {size} games: {100 * inside / DRAWS:.1f} % inside, {width / DRAWS:.2f} levels wide, "
                f"nearest right {100 * right / DRAWS:.0f} %"
            )


def main() -> None:
    """Measure what is asked for, and write the file after each number of seats."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--only", nargs="+", default=list(names()))
    parser.add_argument("--seats", type=int, nargs="+", default=[2, 3, 4, 5])
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--check", action="store_true")
    asked = parser.parse_args()
    for seats in asked.seats:
        for name in asked.only:
            variant = load(name)
            if seats not in variant.seats or not has_net(variant, seats):
                continue
            if asked.check:
                check(name, seats, asked.games)
                continue
            found = {level: measure(name, seats, level, asked.games) for level in NAMES}
            write(level_key(variant), seats, found)
            print(level_key(variant), seats, {level: one["mean"] for level, one in found.items()}, flush=True)


def write(key: str, seats: int, found: dict[str, dict[str, float]]) -> None:
    """Add the figures of a game with a number of seats to the file."""
    known: dict[str, Any] = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {"losses": {}}
    known["losses"].setdefault(key, {})[str(seats)] = found
    known["command"] = "python -m bench.bot_losses"
    known["date"] = datetime.now(UTC).date().isoformat()
    known["losses"] = {game: dict(sorted(many.items())) for game, many in sorted(known["losses"].items())}
    FILE.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
