"""
Scores of bots and of a reference learner, in solitaire and against gap, for papers; writes bench/learning.md.

    python -m bench.learning [--seeds 5] [--steps 60000] [--steps-against 60000] [--games 200000]

Solitaire: the mean score of classic. Two: classic against gap, each first equally often; the mean scores of both, and
the share of wins, where a tie counts half. A bot of the registry plays this number of games; its interval is that of
the mean over games. The learner is trained once for each seed and then plays as many games without learning; its
interval is that of the mean over seeds (Student's t), so it shows how far another run could be off. Intervals are half
the width of 95 % confidence intervals. A training step is one decision in one game.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from bench.run import heading
from examples import learn_against, learn_solitaire

import qwixx
from qwixx.players import built_in_names, find
from qwixx.rl.batch import Env

PAGE = Path(__file__).with_name("learning.md")
PLAYERS = ("random", "gap", "optimal", "master")
"""Bots of the registry; one that is not available gets an empty line."""
OPPONENT = "gap"
EVALUATION = 1_000_003
"""The seed of the evaluation games of all players; training never uses it."""
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""Student's t for 95 % by the number of seeds; from a table, so that no other package is needed."""
TABLES = 1024
"""Games that are learned from at a time."""
Floats = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean and half the width of its 95 % confidence interval."""

    mean: float
    interval: float

    def text(self, digits: int = 2) -> str:
        """Return both as text."""
        return f"{self.mean:.{digits}f} ± {self.interval:.{digits}f}"


def over_games(values: Floats) -> Figure:
    """Return the mean over games."""
    return Figure(float(values.mean()), 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5)


def over_seeds(means: list[float]) -> Figure:
    """Return the mean over seeds."""
    spread = float(np.std(means, ddof=1)) / len(means) ** 0.5
    return Figure(float(np.mean(means)), STUDENT[len(means)] * spread)


def share_of_wins(won: float, tied: float, games: int) -> Figure:
    """Return the share of wins, a tie counting half, from the shares of games won and tied."""
    mean = won + tied / 2
    variance = won + tied / 4 - mean * mean
    return Figure(mean, 1.96 * (variance / games) ** 0.5)


# ---- players of the registry


def is_registered(name: str) -> bool:
    """Return whether a player of this name is in the registry."""
    return name in built_in_names()


def solitaire(name: str, games: int) -> Figure:
    """Return the mean score of a player in solitaire."""
    line = qwixx.simulate("classic", 1, (name,), games, seed=EVALUATION).by_player()[0]
    return Figure(line.mean, line.interval)


def against(name: str, games: int) -> tuple[Figure, Figure, Figure]:
    """Return a player's score against gap, the score of gap, and the player's share of wins."""
    results = qwixx.simulate("classic", 2, (name, OPPONENT), games, seed=EVALUATION)
    own, other = results.by_player()
    scores = (Figure(own.mean, own.interval), Figure(other.mean, other.interval))
    return *scores, share_of_wins(own.wins, own.ties, own.games)


# ---- the learner


def trained_solitaire(steps: int, games: int, seed: int) -> float:
    """Train on solitaire with a seed; return the mean score afterwards."""
    table, _, _ = learn_solitaire.learn(steps, seed, n=TABLES)
    env = Env("classic", n=TABLES, seats=1, seed=EVALUATION, rewards="score", observations=False, masks=False)
    return float(learn_solitaire.first_games(env, table, games).mean())


def trained_against(steps: int, games: int, seed: int) -> tuple[float, float, float]:
    """Train on two seats with a seed; return both mean scores and the share of wins afterwards."""
    tables = learn_against.learn(OPPONENT, steps, seed, TABLES)
    scores = learn_against.first_games(OPPONENT, tables, games, EVALUATION, TABLES)
    own, other = scores[:, 0], scores[:, 1]
    return float(own.mean()), float(other.mean()), float(((own > other) + 0.5 * (own == other)).mean())


# ---- the table


def lines(games: int, seeds: int, steps: int, steps_against: int, report: Callable[[str], None]) -> Iterator[str]:
    """Yield the table line by line, and report the current step."""
    yield f"| player | solitaire | two: score | two: score of {OPPONENT} | two: share of wins | learned from | seeds |"
    yield "|---|---|---|---|---|---|---|"
    for name in PLAYERS:
        report(name)
        if not is_registered(name):
            yield f"| {name} | - | - | - | - | not in this version | |"
            continue
        player, sheet = find(name), qwixx.variant("classic")
        first = solitaire(name, games).text() if player.plays(sheet, 1) else "-"
        two = against(name, games) if player.plays(sheet, 2) else None
        rest = [two[0].text(), two[1].text(), two[2].text(4)] if two else ["-"] * 3
        yield f"| {name} | {first} | {' | '.join(rest)} | | |"
    report("learning solitaire")
    ones = over_seeds([trained_solitaire(steps, games, seed) for seed in range(1, seeds + 1)])
    report("learning against gap")
    pairs = [trained_against(steps_against, games, seed) for seed in range(1, seeds + 1)]
    own, other, wins = (over_seeds(list(each)) for each in zip(*pairs, strict=True))
    training_steps = f"{steps * TABLES:,} and {steps_against * TABLES:,} steps"
    figures = " | ".join([ones.text(), own.text(), other.text(), wins.text(4)])
    yield f"| learner | {figures} | {training_steps} | 1 to {seeds} |"


def page(arguments: argparse.Namespace, table: list[str]) -> str:
    """Return the whole page."""
    command = (
        f"python -m bench.learning --seeds {arguments.seeds} --steps {arguments.steps} "
        f"--steps-against {arguments.steps_against} --games {arguments.games}"
    )
    text = ["# Learning: baselines", "", f"Written by `{command}`; do not edit.", ""]
    text += [line for line in heading([]) if line.startswith("- ") and not line.startswith("- Command")]
    text += [f"- Versions: qwixx {qwixx.__version__}, numpy {np.__version__}", ""]
    text += [*table, "", f"Classic, {arguments.games:,} games for each figure, games of seed {EVALUATION}."]
    text.append(__doc__.split("\n\n", 2)[2].strip() if __doc__ else "")
    text.append(
        "The learner uses temporal differences on afterstates with a table: `examples/learn_solitaire.py` and"
        " `examples/learn_against.py`. Perfect solitaire play is worth exactly 115.48 (`qwixx solve classic`)."
    )
    return "\n".join(text) + "\n"


def main() -> None:
    """Measure, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--seeds", type=int, default=5, choices=STUDENT, help="trainings of the learner, each from a seed"
    )
    parser.add_argument("--steps", type=int, default=60_000, help=f"decisions in each of {TABLES} solitaires at a time")
    parser.add_argument("--steps-against", type=int, default=60_000, help="the same for two")
    parser.add_argument("--games", type=int, default=200_000, help="games for each figure")
    parser.add_argument("--out", type=Path, default=PAGE)
    chosen = parser.parse_args()

    def report(what: str) -> None:
        print(f"{what} ...", file=sys.stderr, flush=True)

    table = list(lines(chosen.games, chosen.seeds, chosen.steps, chosen.steps_against, report))
    chosen.out.write_text(page(chosen, table), "utf-8")
    print("\n".join(table))


if __name__ == "__main__":
    main()
