"""
The benchmark: fixed tasks, fixed games, and the results of the built-in bots and of a reference learner.

    make baselines                                          # all of it: bench/baselines.json and docs/benchmark.md
    python -m bench.baselines --only solitaire/classic-v0   # some tasks; the results of the others stay

docs/benchmark.md explains the tasks. All players play the same games, the first ones of seed 1000003. A bot's interval
is that of the mean over games. The learner is trained once for each seed and then plays as many games without learning;
its interval is that of the mean over seeds (Student's t). Intervals are half the width of 95 % confidence intervals.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import numpy.typing as npt
from bench.run import heading
from examples import learn_against, learn_solitaire

import qwixx
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import Records
from qwixx.nets.weight_files import find_weights
from qwixx.players import default_heuristic
from qwixx.players.built_in.master import has_net, net_of
from qwixx.players.net_games import NetFollower, NetGames
from qwixx.rl.batch import Env
from qwixx.rl.spaces import version_of
from qwixx.solver.known_values import known_values
from qwixx.variants import load, names

FILE = Path(__file__).with_name("baselines.json")
EVALUATION = 1_000_003
"""The seed of the evaluation games of all players; training never uses it."""
LEARNED_TASKS = ("solitaire/classic-v0", "two/classic-v0")
"""The tasks that the reference learner knows."""
STUDENT = {2: 12.706, 3: 4.303, 4: 3.182, 5: 2.776, 6: 2.571, 7: 2.447, 8: 2.365, 9: 2.306, 10: 2.262}
"""Student's t for 95 % by the number of seeds; from a table, so that no other package is needed."""
TABLES = 1024
"""Games that are learned from at a time."""
Floats = npt.NDArray[np.floating]
Row = dict[str, Any]
"""The results of one player: its name, figures as [mean, interval], and for the learner its steps and seeds."""


@dataclass(frozen=True, slots=True)
class Task:
    """A game to be good at: alone, or against the default heuristic on the other seat."""

    variant: str
    seats: int

    @property
    def id(self) -> str:
        """The name in papers; its version is that of the environments and of these rules of evaluation."""
        return f"{'solitaire' if self.seats == 1 else 'two'}/{self.variant}-v{version_of(load(self.variant))}"

    @property
    def opponent(self) -> str:
        """The bot on the other seat."""
        return default_heuristic(load(self.variant))


def tasks() -> list[Task]:
    """Return all tasks: the dice games alone, and all games for two."""
    return [Task(name, seats) for seats in (1, 2) for name in names() if seats in load(name).seats]


def optimum(variant: str) -> float:
    """Return the exact expected score of best play; in Longo over the pads, which are drawn at random (L5)."""
    return fmean(known_values()[variant].values())


# ---- figures


def over_games(values: Floats) -> tuple[float, float]:
    """Return the mean over games, and half the width of its interval."""
    return float(values.mean()), 1.96 * float(values.std(ddof=1)) / len(values) ** 0.5


def over_seeds(means: list[float]) -> tuple[float, float]:
    """Return the mean over seeds, and half the width of its interval."""
    return fmean(means), STUDENT[len(means)] * float(np.std(means, ddof=1)) / len(means) ** 0.5


def share_of_wins(won: float, tied: float, games: int) -> tuple[float, float]:
    """Return the share of wins, a tie counting half, from the shares of games won and tied."""
    mean = won + tied / 2
    variance = won + tied / 4 - mean * mean
    return mean, 1.96 * (variance / games) ** 0.5


# ---- players


def bots_of(task: Task) -> list[str]:
    """Return the bots that play a task; `master` alone needs a net for one seat."""
    bots = ["random", task.opponent]
    if has_net(load(task.variant), task.seats):
        bots.append("master")
    return [*bots, "optimal"] if task.seats == 1 else bots


def alone(task: Task, bot: str, games: int) -> Row:
    """Measure a bot in solitaire: its mean score. That of best play is known exactly."""
    if bot == "optimal":
        return {"player": bot, "score": [optimum(task.variant), 0.0]}
    if bot == "master":
        return {"player": bot, "score": over_games(scores_of_net(task.variant, games))}
    line = qwixx.simulate(task.variant, 1, (bot,), games, seed=EVALUATION).by_player()[0]
    return {"player": bot, "score": [line.mean, line.interval]}


def scores_of_net(variant: str, games: int) -> Floats:
    """Let the net for one seat play; the bot `master` would look up a solved table if there is one."""
    loaded = load(variant)
    results: Records = np.zeros(games, RESULT)
    NetGames(loaded, net_of(loaded, 1), [NetFollower()]).play(np.uint64(EVALUATION), 0, results)
    return np.asarray(results["score"][:, 0], np.float64)


def against(task: Task, bot: str, games: int) -> Row:
    """Measure a bot against the opponent of a task, each first equally often."""
    own, other = qwixx.simulate(task.variant, 2, (bot, task.opponent), games, seed=EVALUATION).by_player()
    wins = share_of_wins(own.wins, own.ties, own.games)
    scores = {"score": [own.mean, own.interval], "opponent": [other.mean, other.interval]}
    return {"player": bot, **scores, "wins": wins}


def learner(task: Task, steps: int, seeds: int, games: int) -> Row:
    """Train the reference learner once for each seed, and measure it."""
    facts = {"steps": steps * TABLES, "seeds": seeds}
    if task.seats == 1:
        return {"player": "learner", "score": over_seeds([trained(steps, games, s + 1) for s in range(seeds)]), **facts}
    pairs = [trained_against(task.opponent, steps, games, seed + 1) for seed in range(seeds)]
    own, other, wins = (over_seeds(list(each)) for each in zip(*pairs, strict=True))
    return {"player": "learner", "score": own, "opponent": other, "wins": wins, **facts}


def trained(steps: int, games: int, seed: int) -> float:
    """Train on solitaire with a seed; return the mean score afterwards."""
    table, _, _ = learn_solitaire.learn(steps, seed, n=TABLES)
    env = Env("classic", n=TABLES, seats=1, seed=EVALUATION, rewards="score", observations=False, masks=False)
    return float(learn_solitaire.first_games(env, table, games).mean())


def trained_against(opponent: str, steps: int, games: int, seed: int) -> tuple[float, float, float]:
    """Train on two seats with a seed; return both mean scores and the share of wins afterwards."""
    tables = learn_against.learn(opponent, steps, seed, TABLES)
    scores = learn_against.first_games(opponent, tables, games, EVALUATION, TABLES)
    own, other = scores[:, 0], scores[:, 1]
    return float(own.mean()), float(other.mean()), float(((own > other) + 0.5 * (own == other)).mean())


# ---- the results


def measure(task: Task, settings: argparse.Namespace) -> Row:
    """Measure all players of a task."""
    games = settings.games if task.seats == 1 else settings.games_two
    rows = [(alone if task.seats == 1 else against)(task, bot, games) for bot in bots_of(task)]
    if task.id in LEARNED_TASKS and settings.seeds:
        rows.append(learner(task, settings.steps, settings.seeds, games))
    facts = {"variant": task.variant, "seats": task.seats, "evaluation_seed": EVALUATION, "games": games}
    if task.seats == 1:
        facts["optimum"] = optimum(task.variant)
    else:
        facts["opponent"] = task.opponent
    nets = {"net": path.name} if (path := find_weights(load(task.variant), task.seats)) else {}
    return {**facts, **nets, "results": rows}


def facts_of_run() -> Row:
    """Return when and where the tasks are measured."""
    found = dict(line[2:].split(": ", 1) for line in heading([]) if line.startswith("- "))
    named = {"date": found["Date"][:10], "commit": found["Commit"], "machine": found["Machine"]}
    return {**named, "qwixx": qwixx.__version__, "numpy": np.__version__}


def measured(chosen: list[Task], settings: argparse.Namespace) -> Iterator[tuple[str, Row]]:
    """Measure some tasks one by one."""
    run = facts_of_run()
    for task in chosen:
        print(f"{task.id} ...", file=sys.stderr, flush=True)
        yield task.id, {**measure(task, settings), "measured": run}


def main() -> None:
    """Measure, and write the file after each task."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    known = {task.id: task for task in tasks()}
    parser.add_argument(
        "--only", nargs="+", choices=known, metavar="TASK", default=list(known), help="these tasks only"
    )
    parser.add_argument("--games", type=int, default=100_000, help="games of a bot in solitaire")
    parser.add_argument("--games-two", type=int, default=20_000, help="games of a bot for two")
    parser.add_argument(
        "--seeds", type=int, default=3, choices=(0, *STUDENT), help="trainings of the learner, 0 for none"
    )
    parser.add_argument("--steps", type=int, default=20_000, help=f"decisions of the learner in each of {TABLES} games")
    parser.add_argument("--out", type=Path, default=FILE)
    settings = parser.parse_args()
    results: dict[str, Row] = json.loads(settings.out.read_text("utf-8")) if settings.out.exists() else {}
    for name, found in measured([known[name] for name in settings.only], settings):
        results[name] = found
        ordered = {each: results[each] for each in known if each in results}
        settings.out.write_text(json.dumps(ordered, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
