"""Exact scores of policies, distributions, targets and regret, against a naive evaluation and against play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import qwixx
from qwixx.cli import main
from qwixx.errors import QwixxError
from qwixx.game.question import Question
from qwixx.game.view import View
from qwixx.kernel import api
from qwixx.kernel.state.records import COLORS, OVER, ROLL, STATE, Records
from qwixx.players import find
from qwixx.solver import Solution, new_game, play_optimal, solve, solve_target
from qwixx.solver.policies import evaluate as evaluation
from qwixx.text.notation import Action
from support.games.naive_solver import copied, decided, legal, rolled
from support.games.small_sheets import sheet_file, tiny_sheet

pytestmark = pytest.mark.slow(60)

Mixture = dict[int, float]
Decide = Callable[[Records, list[int]], Mixture]
"""A policy for the naive evaluation: the probability of each legal action at a state."""


class NaivePlay:
    """The distribution of final scores of a policy: every roll and decision through the kernel."""

    def __init__(self, layouts: Records, decide: Decide) -> None:
        """Keep the sheet and the policy."""
        self.layouts = layouts
        self.decide = decide
        self._turn = cache(self._turn_scores)

    def scores(self, states: Records) -> Mixture:
        """Return the probability of each final score from a state in any phase."""
        if states[0].phase == OVER:
            return {int(api.score(self.layouts, states, 0, 0)): 1.0}
        if states[0].phase != ROLL:
            chosen = self.decide(states, legal(self.layouts, states))
            return mixed([(p, self.scores(decided(self.layouts, states, a))) for a, p in chosen.items()])
        states = copied(states)
        states["turn"], states["dice"] = 1, 0
        return self._turn(states.tobytes())

    def _turn_scores(self, data: bytes) -> Mixture:
        states = np.frombuffer(bytearray(data), STATE)
        faces = range(1, int(self.layouts[0].sides) + 1)
        dice = [faces, faces, *(range(1) if states[0].gone >> color & 1 else faces for color in range(COLORS))]
        rolls = list(product(*dice))
        return mixed([(1 / len(rolls), self.scores(rolled(self.layouts, states, roll))) for roll in rolls])


def mixed(parts: list[tuple[float, Mixture]]) -> Mixture:
    """Add up weighted distributions."""
    found: Mixture = {}
    for weight, scores in parts:
        for score, chance in scores.items():
            found[score] = found.get(score, 0.0) + weight * chance
    return found


def mean(scores: Mixture) -> float:
    """Return the expected score."""
    return sum(score * chance for score, chance in scores.items())


def as_optimal(solution: Solution) -> Decide:
    """Take the best action of a solution, the first of equals."""
    return lambda states, _: {solution.best(states)[0][0]: 1.0}


def as_bot(solution: Solution, name: str) -> Decide:
    """Ask a bot."""
    player = find(name).sit(solution.sheet, 1)
    return lambda states, _: {player.answer(Question(solution.sheet, solution.layouts, states, 0)).id: 1.0}


def at_random(_: Records, actions: list[int]) -> Mixture:
    """Take any action."""
    return {action: 1 / len(actions) for action in actions}


class Best:
    """The highest chance of a target by plain expectimax."""

    def __init__(self, layouts: Records, target: int) -> None:
        """Keep the sheet and the target."""
        self.layouts = layouts
        self.target = target
        self._turn = cache(self._turn_chance)

    def chance(self, states: Records) -> float:
        """Return the chance from a state in any phase."""
        if states[0].phase == OVER:
            return float(api.score(self.layouts, states, 0, 0) >= self.target)
        if states[0].phase != ROLL:
            return max(self.chance(decided(self.layouts, states, a)) for a in legal(self.layouts, states))
        states = copied(states)
        states["turn"], states["dice"] = 1, 0
        return self._turn(states.tobytes())

    def _turn_chance(self, data: bytes) -> float:
        states = np.frombuffer(bytearray(data), STATE)
        faces = range(1, int(self.layouts[0].sides) + 1)
        dice = [faces, faces, *(range(1) if states[0].gone >> color & 1 else faces for color in range(COLORS))]
        rolls = list(product(*dice))
        return sum(self.chance(rolled(self.layouts, states, roll)) for roll in rolls) / len(rolls)


@pytest.fixture(scope="module")
def classic(solved_classic: Path) -> Solution:
    """Return the solution of the classic sheet."""
    return solve("classic", table=solved_classic)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tables of targets apart; compiled code stays where it is."""
    monkeypatch.setattr("qwixx.solver.build.table_files.cache_directory", lambda: tmp_path)


@pytest.mark.parametrize("name", ["plain", "mixed", "shuffled", "lucky"])
def test_policies_on_small_sheets_as_the_naive_evaluation(tmp_path: Path, name: str) -> None:
    """Bots, a random player, a function and best play score what every roll and decision through the kernel gives."""
    solution = solve(tiny_sheet(tmp_path, name), table=tmp_path / "table")
    start = new_game(solution)
    naive = mean(NaivePlay(solution.layouts, as_bot(solution, "gap:0")).scores(start))
    assert solution.evaluate("gap:0") == pytest.approx(naive, abs=1e-9)
    naive = mean(NaivePlay(solution.layouts, at_random).scores(start))
    assert solution.evaluate("random") == pytest.approx(naive, abs=1e-9)
    assert solution.evaluate("optimal") == solution.value
    assert solution.evaluate(solution.values) == pytest.approx(solution.value, abs=1e-9)


@pytest.mark.parametrize("name", ["plain", "shuffled"])
def test_distribution_and_targets_on_small_sheets(tmp_path: Path, name: str) -> None:
    """Best play has the mean and the sum of the solution; the best chance of each target is the naive one."""
    solution = solve(tiny_sheet(tmp_path, name), table=tmp_path / "table")
    found = solution.distribution
    assert float(found.chances.sum()) == pytest.approx(1.0, abs=1e-12)
    assert found.mean == pytest.approx(solution.value, abs=1e-9)
    start = new_game(solution)
    for target in (1, 6):
        best, naive = solve_target(solution.sheet, target), Best(solution.layouts, target)
        assert best.value == pytest.approx(naive.chance(start), abs=1e-9)
        assert best.value >= found.at_least(target) - 1e-12
        for roll in ((1, 2, 2, 2, 1, 1), (2, 2, 1, 2, 1, 2)):
            thrown = rolled(solution.layouts, start, roll)
            for action, chance, _ in best.best(thrown):
                after = naive.chance(decided(solution.layouts, thrown, action))
                assert chance == pytest.approx(after, abs=1e-9)


def test_distribution_of_a_table_is_the_naive_one(tmp_path: Path) -> None:
    """Values with noise leave no ties, so the whole distribution is that of the actions with the highest value."""
    solution = solve(tiny_sheet(tmp_path, "plain"), table=tmp_path / "table")
    noise = np.random.default_rng(5).normal(0.0, 2.0, solution.values.shape)
    noisy = replace(solution, values=solution.values + noise * (solution.values != 0))
    naive = NaivePlay(solution.layouts, as_optimal(noisy)).scores(new_game(solution))
    for score, chance in naive.items():
        assert noisy.distribution.chance(score) == pytest.approx(chance, abs=1e-9)
    assert noisy.distribution.mean < solution.value - 0.01


def test_simulated_games_have_the_distribution(tmp_path: Path) -> None:
    """The mean is the solved value, and 100,000 simulated games agree with every chance within four errors."""
    solution = solve(sheet_file(tmp_path, "plain"), table=tmp_path / "table")
    found = solution.distribution
    assert found.mean == pytest.approx(solution.value, abs=1e-9)
    assert float(found.chances.sum()) == pytest.approx(1.0, abs=1e-9)
    scores = play_optimal(solution, 100_000, seed=11)
    assert found.deviation == pytest.approx(float(np.std(scores)), rel=0.02)
    for target in np.quantile(scores, (0.1, 0.25, 0.5, 0.75, 0.9, 0.99)):
        chance = found.at_least(int(target))
        error = (chance * (1 - chance) / len(scores)) ** 0.5
        assert abs(float(np.mean(scores >= target)) - chance) < 4 * error
    assert found.quantile(0.5) == pytest.approx(float(np.median(scores)), abs=1)


def test_a_function_is_evaluated_from_a_late_position(classic: Solution) -> None:
    """A policy that always passes takes its misses: from three of them the next roll ends the game at 5 points less."""

    def passing(_: View, actions: Sequence[Action]) -> Action:
        return next(action for action in actions if action.text == "pass")

    late = qwixx.Game.from_position("classic active=0 phase=roll | r=2,3,4,5,6,12,L y=9 g=3 b=3 misses=3")
    assert classic.evaluate(passing, late) == late.scores()[0] - 5
    assert classic.evaluate("optimal", late) > late.scores()[0] - 5


def test_regret_adds_up(classic: Solution, solved_classic: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game of the optimal player has no regret; the regret of gap is that of its decisions, each against the best."""
    monkeypatch.setattr("qwixx.solver.build.table_files.cache_directory", lambda: solved_classic.parents[1])
    for name, high in (("optimal", 1e-4), ("gap", 200.0)):
        game = qwixx.Game("classic", seats=1, seed=4)
        player = find(name).sit(game.variant, 1)
        lost = 0.0
        while not game.is_over:
            if game.awaits_chance:
                game.roll()
                continue
            action = player.answer(game.question(0))
            lost += {a: loss for a, _, loss in classic.best(game.raw()[1])}[action.id]
            game.decide(0, action)
        found = classic.regret(game)
        assert found.points == pytest.approx(lost, abs=1e-9)
        assert found.points < high
        assert f"{found.points:.4f} points lost" in str(found)
    assert lost > 1


def test_bad_questions_are_refused(tmp_path: Path, classic: Solution, monkeypatch: pytest.MonkeyPatch) -> None:
    """Marked cells, targets out of reach, other tables and policies that are none are refused with a sentence."""
    with pytest.raises(QwixxError, match="marked cells"):
        solve_target("bonus-a", 100)
    with pytest.raises(QwixxError, match="between -20 and 312"):
        solve_target("classic", 313)
    with pytest.raises(QwixxError, match="shape"):
        classic.evaluate(np.zeros((2, 4)))
    with pytest.raises(QwixxError, match="a function"):
        classic.evaluate(5)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(QwixxError, match="no player"):
        classic.evaluate("nobody")
    rolled_game = qwixx.Game("classic", seats=1, seed=1)
    rolled_game.roll()
    with pytest.raises(QwixxError, match="before its roll"):
        classic.evaluate("gap", rolled_game)
    monkeypatch.setattr(evaluation, "MOST_QUESTIONS", 10)
    with pytest.raises(QwixxError, match="more than 10 times"):
        classic.evaluate(lambda _, actions: actions[0])


def test_the_command_plays_for_a_target(tmp_path: Path) -> None:
    """`qwixx best --target` shows the chance of the position, and of each choice after a roll, from one table."""
    sheet = str(tiny_sheet(tmp_path, "plain"))
    best = solve_target(sheet, 5)
    shown = CliRunner().invoke(main, ["best", sheet, "-", "--target", "5"])
    assert shown.exit_code == 0, shown.output
    assert f"{100 * best.value:.4f} % chance of 5 points" in shown.output
    shown = CliRunner().invoke(main, ["best", sheet, "-", "12/1111", "--target", "5", "--json"])
    assert '"action": "pass"' in shown.output
    assert [path.name for path in (tmp_path / "solved").iterdir()] == [
        path.name for path in (tmp_path / "solved").glob("small-plain-at-least-5-*.qwixx")
    ]
