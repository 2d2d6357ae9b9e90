"""The solver against the kernel, against a naive second solver, against play, and against a known number."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from qwixx.errors import QwixxError
from qwixx.kernel.state.records import (
    ACTIONS,
    COLOR,
    COLORS,
    OVER,
    PASS,
    POSITIONS,
    ROLL,
    SHEET,
    WHITE,
    Record,
    Records,
)
from qwixx.kernel.window import cell_of
from qwixx.solver import (
    Plan,
    Solution,
    best_actions,
    choose_optimal,
    new_game,
    opening_values,
    plan,
    play_optimal,
    play_steps,
    solve,
)
from qwixx.solver.encoding.symmetry import symmetries
from qwixx.solver.known_values import known_value
from qwixx.solver.lookahead import leaves, marked_cells
from qwixx.solver.lookahead.turn import PASSED, TURN
from qwixx.variants import load
from qwixx.variants.layout import compile_layout
from support.games.compiled_helpers import compiled_version
from support.games.naive_solver import Naive, decided, legal, rolled
from support.games.small_sheets import TINY, tiny_sheet

pytestmark = pytest.mark.slow(3)

begin_turn, look_ahead = compiled_version(leaves.begin_turn), compiled_version(leaves.look_ahead)
place_sheet, points = compiled_version(leaves.place_sheet), compiled_version(marked_cells.points)

End = tuple[int, int, int, int]
"""A way to play a roll: the cells of the white and of the color sum, -1 for none, place in the table, and score."""


def random_states(layouts: Records, lucky: tuple[int, int] | None, games: int, seed: int) -> list[Records]:
    """Collect positions before a roll from random solitaire games through the kernel."""
    rng = np.random.default_rng(seed)
    naive = Naive(layouts, lucky)
    found = []
    for _ in range(games):
        states = naive.begin()
        while states[0].phase != OVER:
            if states[0].phase == ROLL:
                found.append(states)
                states = rolled(layouts, states, random_dice(layouts, rng))
            choices = legal(layouts, states)
            # only rare passes, so that rows fill up and close before the misses end the game
            crossing = [a for a in choices if a != PASS]
            near = sorted(crossing, key=lambda a: skipped(states[0].sheets[0], a))[:2]
            states = decided(layouts, states, int(rng.choice(near if near and rng.random() < 0.9 else choices)))
    return found


def skipped(sheet: Record, action: int) -> int:
    """Count the cells that an action skips."""
    row, position = divmod(int(cell_of(action)), POSITIONS)
    return position - int(sheet.next[row])


def random_dice(layouts: Records, rng: np.random.Generator) -> tuple[int, ...]:
    """Roll six dice."""
    return tuple(int(face) for face in rng.integers(1, int(layouts[0].sides) + 1, 2 + COLORS))


@pytest.fixture(scope="session")
def classic(solved_classic: Path) -> Solution:
    """Return the solution of the classic sheet."""
    return solve("classic", table=solved_classic)


def test_classic_value_is_the_known_one(classic: Solution) -> None:
    """Two public solvers agree on 115.4831 for the classic sheet; the color sum after the end would give 115.9108."""
    assert classic.value == pytest.approx(115.4831, abs=5e-5)
    assert classic.value == pytest.approx(known_value("classic"), abs=1e-6)


@pytest.mark.parametrize("name", sorted(TINY))
def test_small_sheets_as_the_naive_solver(tmp_path: Path, name: str) -> None:
    """On small sheets the folded solver gives what every roll and decision through the kernel gives.

    The whole game, each pair of white dice at the start, any position before its roll and after it: all of them in one
    test, because the naive solver has to solve the sheet once for all.
    """
    solution = solve(tiny_sheet(tmp_path, name), table=tmp_path / "table")
    naive = Naive(solution.layouts, solution.lucky)
    assert solution.value == pytest.approx(naive.value(naive.begin()), abs=1e-9)
    compare_openings(solution, naive)
    rng = np.random.default_rng(3)
    for states in random_states(solution.layouts, solution.lucky, 10, 4):
        assert solution.expected(states) == pytest.approx(naive.value(states), abs=1e-9)
        thrown = rolled(solution.layouts, states, random_dice(solution.layouts, rng))
        for action, expected, _ in solution.best(thrown):
            after = naive.value(decided(solution.layouts, thrown, action))
            assert expected == pytest.approx(after, abs=1e-9)


def compare_openings(solution: Solution, naive: Naive) -> None:
    """Compare the value of each pair of white dice at the start, also where the sheet is mirrored."""
    for roll in opening_values(solution):
        throws = [
            naive.value(rolled(solution.layouts, naive.begin(), (roll.low, roll.high, *colors)))
            for colors in product((1, 2), repeat=COLORS)
        ]
        assert roll.expected == pytest.approx(sum(throws) / len(throws), abs=1e-9)


def points_now(layouts: Records, sheet: Record, misses: int) -> int:
    """Score a sheet as if it had this number of misses."""
    copies: Records = np.zeros(1, SHEET)
    copies[0] = sheet
    return int(points(layouts[0], copies[0], misses))


def kernel_ends(work: Plan, states: Records) -> set[End]:
    """Play one roll in every way through the kernel; return cells, place and score of all ends, without the miss."""
    rows = np.zeros(4, np.int32)
    misses = int(states[0].sheets[0].misses)
    ends = set()
    for white in legal(work.layouts, states):
        middle = decided(work.layouts, states, white)
        over = middle[0].phase == OVER
        for color in [PASS] if over else legal(work.layouts, middle):
            sheet = (middle if over else decided(work.layouts, middle, color))[0].sheets[0]
            at = int(place_sheet(work.layouts[0], work.folds[0], work.firsts, sheet, rows))
            ends.add((cell_of(white), cell_of(color), at, points_now(work.layouts, sheet, misses)))
    return ends


def solver_ends(work: Plan, turn: Record, states: Records) -> set[End]:
    """Read the same from the solver's lists of options and leaves."""
    fold = work.folds[0]
    dice = [int(face) for face in states[0].dice]
    total = dice[0] + dice[1]
    sheet = states[0].sheets[0]
    misses = int(sheet.misses)
    score = points_now(work.layouts, sheet, misses)
    cells = [int(fold.order[turn.slot[t]]) * POSITIONS + int(turn.position[t]) for t in range(turn.targets)]
    option_cell = [-1, *(cells[turn.option_target[option]] for option in range(1, turn.options))]
    ways = {int(option) for option in turn.way[total, : turn.ways[total]]}
    here = int(place_sheet(work.layouts[0], fold, work.firsts, sheet, np.zeros(4, np.int32)))
    ends = {(-1, -1, here, score)}
    for o in ways - {PASSED}:
        refund = misses * int(turn.option_refund[o]) if fold.remembers else 0
        ends.add((option_cell[o], -1, int(turn.option_at[o]), score + int(turn.option_gain[o]) + refund))
    for leaf in range(turn.leaves):
        option, target = divmod(int(turn.leaf_use[leaf]), 60)
        sums = {dice[white] + dice[2 + turn.color[target]] for white in range(2)}
        if option in ways and turn.total[target] in sums:
            refund = misses * int(turn.leaf_refund[leaf]) if fold.remembers else 0
            worth = score + int(turn.leaf_gain[leaf]) + refund
            ends.add((option_cell[option], cells[target], int(turn.leaf_at[leaf]), worth))
    return ends


@pytest.mark.parametrize(
    ("name", "lucky"),
    [
        ("classic", None),
        ("gemixxt-a", None),
        ("gemixxt-b", None),
        ("bonus-a", None),
        ("bonus-b", None),
        ("longo", (6, 11)),
        ("longo", (8, 13)),
    ],
)
def test_successors_as_the_kernel(name: str, lucky: tuple[int, int] | None) -> None:
    """From random positions and rolls, solver and kernel reach the same sheets with the same points (C3 to C11, L4)."""
    work = plan(load(name), lucky)
    fold = work.folds[0]
    turns: Records = np.zeros(1, TURN)
    rng = np.random.default_rng(5)
    closed = 0
    for states in random_states(work.layouts, lucky, 60 if name.startswith("bonus") else 25, 6):
        closed += int(states[0].closed != 0)
        begin_turn(fold, states[0].sheets[0], turns[0])
        assert look_ahead(work.layouts[0], fold, work.firsts, turns[0])
        thrown = rolled(work.layouts, states, random_dice(work.layouts, rng))
        if lucky != (8, 13):
            assert solver_ends(work, turns[0], thrown) == kernel_ends(work, thrown)
        else:  # mirrored: the solver works on the mirror image, so faces are counted from the other end
            image = thrown.copy()
            image[0].dice[:] = [face and 9 - face for face in thrown[0].dice]
            mirrored = {(at, worth) for _, _, at, worth in mirror_ends(work, turns[0], image)}
            assert mirrored == {(at, worth) for _, _, at, worth in kernel_ends(work, thrown)}
    assert closed > 0


def mirror_ends(work: Plan, turn: Record, states: Records) -> set[End]:
    """Read the solver's lists for a mirrored sheet, where red and yellow change places with green and blue."""
    dice = states[0].dice.copy()
    states[0].dice[2:] = dice[[4, 5, 2, 3]]
    return solver_ends(work, turn, states)


def test_symmetries_of_the_sheets() -> None:
    """Classic has 8 (two swaps and the mirror), sheet A one exchange of halves with colors, sheet B none."""
    counts = {name: len(symmetries(compile_layout(load(name))[0])) for name in ("classic", "gemixxt-a", "gemixxt-b")}

    assert counts == {"classic": 8, "gemixxt-a": 2, "gemixxt-b": 1}


def test_lucky_pairs_in_the_mirror_are_worth_the_same(tmp_path: Path) -> None:
    """Solved for 3/4, the sheet's mirror image of 2/3, the small lucky sheet gives 2/3's value and the naive one."""
    path = tiny_sheet(tmp_path, "lucky")
    one, other = (solve(path, lucky, table=tmp_path / "table") for lucky in ((2, 3), (3, 4)))
    naive = Naive(other.layouts, (3, 4))

    assert other.lucky == (3, 4)
    assert other.value == one.value
    compare_openings(other, naive)
    for states in random_states(other.layouts, (3, 4), 10, 8):
        assert other.expected(states) == pytest.approx(naive.value(states), abs=1e-9)


def worst_choice(solution: Solution, games: int) -> float:
    """Let the fast chooser decide random positions and rolls, in both phases; return its largest loss."""
    actions = np.zeros(ACTIONS, np.int32)
    layouts, rng = solution.layouts, np.random.default_rng(9)
    worst = 0.0
    for before in random_states(layouts, solution.lucky, games, 10):
        now = rolled(layouts, before, random_dice(layouts, rng))
        while now[0].phase in (WHITE, COLOR):
            loss = {action: loss for action, _, loss in best_actions(solution, layouts, now)}
            choices = legal(layouts, now)
            assert sorted(loss) == choices
            assert min(loss.values()) == 0.0
            actions[: len(choices)] = choices
            tables = (layouts[0], solution.folds[0], solution.firsts, solution.policy)
            choice = choose_optimal(*tables, now[0], 0, actions, len(choices))
            worst = max(worst, loss[int(choice)])
            now = decided(layouts, now, int(choice))
    return worst


def test_the_compiled_player_takes_the_best_action(classic: Solution, tmp_path: Path) -> None:
    """The fast chooser loses nothing against the exact list, also in the mirror and where crosses trigger others."""
    lucky = solve(tiny_sheet(tmp_path, "lucky"), (3, 4), table=tmp_path / "table")

    assert worst_choice(classic, 10) < 1e-5
    assert worst_choice(lucky, 40) < 1e-5
    for name in ("bar", "fewest", "double", "all", "lucky-bar", "lucky-fewest", "lucky-mixed"):
        assert worst_choice(solve(tiny_sheet(tmp_path, name), table=tmp_path / name), 40) < 1e-5


def test_optimal_play_averages_the_value(classic: Solution) -> None:
    """20,000 solitaire games through the kernel average to the solved value within four standard errors."""
    scores = play_steps(classic, 20_000, seed=1)
    error = float(np.std(scores)) / len(scores) ** 0.5

    assert abs(float(np.mean(scores)) - classic.value) < 4 * error


@pytest.mark.parametrize("name", ["bar", "double", "all"])
def test_optimal_play_averages_the_value_of_marked_sheets(tmp_path: Path, name: str) -> None:
    """So do 40,000 on small sheets with bars and pairs."""
    solution = solve(tiny_sheet(tmp_path, name), table=tmp_path / "table")
    scores = play_optimal(solution, 40_000, seed=1)
    error = float(np.std(scores)) / len(scores) ** 0.5

    assert abs(float(np.mean(scores)) - solution.value) < 4 * error


def test_fused_games_are_the_kernels_games(classic: Solution, tmp_path: Path) -> None:
    """The fast loop plays the same games as the kernel's steps, score by score, also with lucky numbers."""
    lucky = solve(tiny_sheet(tmp_path, "lucky"), (3, 4), table=tmp_path / "table")
    for solution in (classic, lucky):
        assert play_optimal(solution, 3000, seed=2, first=50).tolist() == play_steps(solution, 3000, 2, 50).tolist()


def test_opening_rolls_average_to_the_value(classic: Solution) -> None:
    """The 21 white pairs, weighted by probability, give the value of the game; 1-1 and 6-6 are mirror images."""
    rolls = opening_values(classic)

    assert len(rolls) == 21
    assert sum(roll.chance * roll.expected for roll in rolls) == pytest.approx(classic.value, abs=1e-9)
    by_pair = {(roll.low, roll.high): roll.expected for roll in rolls}
    assert by_pair[1, 1] == pytest.approx(by_pair[6, 6], abs=1e-9)


@pytest.mark.parametrize("name", ["cards", "duel"])
def test_unsupported_variants_are_refused(name: str) -> None:
    """A variant that the solver does not support is refused with its name and the reason."""
    with pytest.raises(QwixxError, match=name):
        plan(load(name))


def test_bad_questions_are_refused(classic: Solution) -> None:
    """A decision before the roll, several seats, lucky numbers where there are none, and invalid ones are refused."""
    states = new_game(classic)
    with pytest.raises(QwixxError, match="roll the dice"):
        classic.best(states)
    states[0].seats = 2
    with pytest.raises(QwixxError, match="solitaire"):
        classic.expected(states)
    with pytest.raises(QwixxError, match="no lucky numbers"):
        plan(load("classic"), (5, 10))
    with pytest.raises(QwixxError, match="10/5"):
        plan(load("longo"), (10, 5))
