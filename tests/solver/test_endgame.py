"""Exact endgames of two seats: matrix games and positions by hand, and a naive evaluation of every roll."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import qwixx
from qwixx.errors import QwixxError
from qwixx.solver.endgame import game_value, solve_endgame


@pytest.mark.parametrize(
    ("payoffs", "value"),
    [
        ([[0.25]], 0.25),
        ([[1, 0], [0, 1]], 1 / 2),  # matching pennies
        ([[3, -1], [-1, 1]], 1 / 3),  # (3 * 1 - 1) / (3 + 1 + 1 + 1)
        ([[2, 5], [4, 1]], 3),  # (2 * 1 - 5 * 4) / (2 + 1 - 5 - 4)
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0),  # rock, paper, scissors
        ([[4, 1, 3], [2, 0, 5]], 1),  # a saddle point: the second column, the first row
        ([[1, 0, 0.5], [0, 1, 0.5]], 1 / 2),
    ],
)
def test_matrix_games_by_hand(payoffs: list[list[float]], value: float) -> None:
    """The value is what the row player can be sure of with the best mixture."""
    assert game_value(np.array(payoffs, float)) == pytest.approx(value, abs=1e-12)
    assert game_value(-np.array(payoffs, float).T) == pytest.approx(-value, abs=1e-12), "seen by the other player"


LAST = "classic active=0 phase=roll | r=2,3,4,5,11 y=11 g=3 b=3 misses=3 | r=11 y=2,3,4,5,6,12,L g=3 b=3 misses=3"
"""Yellow is closed. Seat 0 can only cross red 12 and its lock; everything else is too far, seat 1 can cross nothing."""


def test_one_cell_decides() -> None:
    """
    Red 12 needs two white sixes, or a white and the red six: 1/36 + 10/36 * 1/6 = 2/27.

    With it both rows are closed, seat 0 has 28 + 3 - 15 = 16 points, as many as seat 1: half a win. Without it the
    fourth miss ends the game, and seat 0 has lost.
    """
    found = solve_endgame(qwixx.Game.from_position(LAST))
    assert found.win_shares == pytest.approx((1 / 27, 26 / 27))
    assert found.positions == 1
    better = solve_endgame(qwixx.Game.from_position(LAST.replace("y=11", "y=10,11")))
    assert better.win_shares == pytest.approx((2 / 27, 25 / 27)), "two points more: the cross wins"
    assert str(better) == "7.4074 % and 92.5926 %, from 1 positions"


def naive(game: qwixx.Game) -> float:
    """Return the share of the win of seat 0: every roll of all dice, and every pair of choices, through `Game`."""
    if game.is_over:
        scores = game.scores()
        return 1.0 if scores[0] > scores[1] else 0.5 if scores[0] == scores[1] else 0.0
    gone = game.raw()[1]["gone"][0]
    dice = [range(1, 7)] * 2 + [range(1) if gone >> color & 1 else range(1, 7) for color in range(4)]
    total, count = 0.0, 0
    for low, high, *colors in product(*dice):
        faces = "".join(map(str, colors)).replace("0", "-")
        rolled = game.copy()
        rolled.set_roll(f"{low}{high}/{faces}")
        total += after_roll(rolled)
        count += 1
    return total / count


def after_roll(game: qwixx.Game) -> float:
    """Return the value for seat 0 of the white window and of the color sum after it."""
    table = [[after_window(game, own, other) for other in game.legal(1)] for own in game.legal(0)]
    return game_value(np.array(table))


def after_window(game: qwixx.Game, own: qwixx.Action, other: qwixx.Action) -> float:
    """Return the value for seat 0 after both choices."""
    after = game.copy()
    after.decide(0, own)
    after.decide(1, other)
    if after.is_over:
        return naive(after)
    values = []
    for action in after.legal(after.active):
        ended = after.copy()
        ended.decide(after.active, action)
        assert ended.is_over, "the position is chosen so that the game ends with this turn"
        values.append(naive(ended))
    return max(values) if after.active == 0 else min(values)


def test_a_naive_evaluation_agrees() -> None:
    """Seat 1 can close blue at the same time as seat 0 closes red, and the game ends with this turn."""
    sheets = "r=2,3,4,5,11 y=11 g=3 b=3 misses=3 | r=11 y=2,3,4,5,6,12,L g=3 b=12,11,10,9,3 misses=3"
    line = f"classic active=1 phase=roll | {sheets}"
    game = qwixx.Game.from_position(line)
    assert solve_endgame(game).win_shares[0] == pytest.approx(naive(game), abs=1e-12)


def test_more_positions_follow() -> None:
    """With a miss left the game can continue: the value of each position is that of its successors."""
    line = LAST.replace("b=3 misses=3 | r=11", "b=3 misses=2 | r=11")
    found = solve_endgame(qwixx.Game.from_position(line), progress=(seen := list[int]()).append)
    # Without red 12 it is seat 1's turn, which can only miss for the fourth time and so lose 5 points:
    # seat 0 has 1 + 1 + 1 + 15 - 15 = 3, seat 1 has 28 + 3 - 20 = 11.
    # With red 12 seat 0 has 28 + 3 - 10 = 21 against 16. In seat 1's turn two white sixes let seat 0 close red, and the
    # game is over without a miss of seat 1 (C11): 28 + 3 - 15 = 16 against 16, half a win.
    assert found.win_shares[0] == pytest.approx(2 / 27 + 25 / 27 * 1 / 36 * 1 / 2)
    assert found.positions == seen[-1] == 2


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("classic active=0 phase=roll | - | - | -", "two seats"),
        ("bonus-a active=0 phase=roll | - | -", "without marked cells"),
        ("duel active=0 phase=roll | - | -", "in the dice games"),
        ("classic active=0 phase=white roll=34/1111 | - | -", "before a roll"),
    ],
)
def test_other_games_are_refused(line: str, words: str) -> None:
    """Only positions of two seats before a roll, in the dice games without marked cells."""
    with pytest.raises(QwixxError, match=words):
        solve_endgame(qwixx.Game.from_position(line))


def test_early_positions_are_refused() -> None:
    """The limit ends the enumeration with a sentence."""
    line = LAST.replace("g=3 b=3 misses=3 | r=11", "g=5 b=3 misses=1 | r=11")
    with pytest.raises(QwixxError, match="More than 2 positions can follow; this endgame is too early"):
        solve_endgame(qwixx.Game.from_position(line), most=2)
