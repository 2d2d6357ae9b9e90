"""The statistics of a simulation, from games with given scores; expected numbers are calculated by hand."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import BY_MISSES, BY_ROWS, Records
from qwixx.sim.statistics import FirstSeat, first_seat_of, line_of, scores_of, turns_of
from qwixx.sim.tally import Tally

ALL = slice(None)


def results_of(*games: tuple[int, ...]) -> Records:
    """Make games from their scores, seat 0 first."""
    results: Records = np.zeros(len(games), RESULT)
    results["ending"] = BY_ROWS
    for index, scores in enumerate(games):
        results["score"][index, : len(scores)] = scores
    return results


def tally_of(*games: tuple[int, ...], tables: int = 1) -> Tally:
    """Count games by their scores."""
    seats = len(games[0])
    tally = Tally.empty(seats)
    tally.add_games(results_of(*games), seats, 0, tables)
    return tally


def first_seat(tally: Tally) -> FirstSeat:
    """Return the first-seat advantage for several seats."""
    found = first_seat_of(tally)
    assert found is not None
    return found


def test_the_first_seat_is_measured_within_games() -> None:
    """
    The first seat leads by 6, 0, -6 and 4 and gets 1, 1/2, 0 and 1 of the wins.

    Leads: mean 1, squares around it 25 + 1 + 49 + 9 = 84, variance 84 / 3 = 28, of the mean 7; Student's number for
    three degrees of freedom is 3.182. Shares: mean 5/8. With z = 1.96 Wilson's interval for four games is
    (5/8 + 3.8416/8 ± 1.96 * sqrt(15/256 + 3.8416/64)) / (1 + 3.8416/4) = (1.1052 ± 0.6750) / 1.9604.
    """
    first = first_seat(tally_of((10, 4), (6, 6), (3, 9), (8, 4)))

    assert first.points == pytest.approx(1)
    assert first.points_interval == pytest.approx(3.182 * 7**0.5, rel=0.002)
    assert first.win_share == pytest.approx(5 / 8)
    assert first.win_share_range == pytest.approx((0.4302 / 1.9604, 1.7802 / 1.9604), rel=0.001)
    assert first.fair_share == 1 / 2


def test_correlated_scores_give_a_precise_advantage() -> None:
    """
    Games of very different lengths, in which the first seat is two or three points ahead.

    Leads 2, 2, 2 and 3: mean 9/4, squares around it 3/16 + 9/16 = 3/4, variance 1/4, of the mean 1/16.
    """
    first = first_seat(tally_of((12, 10), (102, 100), (52, 50), (33, 30)))

    assert first.points == 9 / 4
    assert first.points_interval == pytest.approx(3.182 / 4, rel=0.002)


def test_few_games_claim_no_certainty() -> None:
    """
    Two games that are alike say nothing about the spread, and two wins in two games are no share of 100 %.

    Wilson's interval of n wins in n games begins at n / (n + 1.96^2).
    """
    alike = tally_of((12, 10), (102, 100))
    first = first_seat(alike)
    assert (first.points, first.points_interval) == (2, inf)
    assert first.win_share == 1
    assert first.win_share_range == pytest.approx((2 / 5.8415, 1), rel=1e-4)
    assert line_of(tally_of((10,), (10,)), "alone", (0, 0)).interval == inf
    assert line_of(tally_of((10,)), "alone", (0, 0)).interval == inf

    # 10 and 20: variance 50, of the mean 25; Student's number for one degree of freedom is 12.706.
    assert line_of(tally_of((10,), (20,)), "alone", (0, 0)).interval == pytest.approx(5 * 12.706, rel=1e-4)
    # Two players take turns on the first seat, once each.
    assert first_seat(tally_of((60, 10), (10, 58), tables=2)).points_interval == inf


def test_the_others_count_by_their_mean_and_ties_are_shared() -> None:
    """With three seats the lead is that over the mean of two others, and a win of three counts a third."""
    first = first_seat(tally_of((9, 6, 4), (5, 5, 5), (1, 1, 7), (8, 8, 2)))

    # Leads 4, 0, -3 and 3: mean 1, squares around it 9 + 1 + 16 + 4 = 30, variance 10, of the mean 5/2.
    assert first.points == pytest.approx(1)
    assert first.points_interval == pytest.approx(3.182 * 2.5**0.5, rel=0.002)
    # Shares 1, 1/3, 0 and 1/2.
    assert first.win_share == pytest.approx((1 + 1 / 3 + 1 / 2) / 4)
    assert first.fair_share == pytest.approx(1 / 3)


def test_a_strong_player_on_changing_seats_adds_no_error() -> None:
    """
    Two players take turns on the first seat; one of them is about fifty points stronger.

    Its leads are 50 and 52, the other's -48 and -46: each has variance 2 around its own mean, and so has the mean of
    both together 2/4, with two degrees of freedom. Around the common mean of 2 the variance would be some 3200. Each
    seating has two games and a share of 1 or 0, with an interval of 0.6576 on one side; the mean of both has
    sqrt(0.6576^2 + 0) / 2 on each side.
    """
    tally = tally_of((60, 10), (10, 58), (62, 10), (10, 56), tables=2)
    first = first_seat(tally)

    assert first.points == pytest.approx(2)
    assert first.points_interval == pytest.approx(4.3027 * 0.5**0.5, rel=1e-4)
    assert first.win_share == 0.5
    assert first.win_share_range == pytest.approx((0.1712, 0.8288), rel=1e-3)
    # The strong player sat on seat 0, 1, 0, 1.
    assert scores_of(tally, (ALL, 0)) == {56: 1, 58: 1, 60: 1, 62: 1}
    assert scores_of(tally, (0, ALL)) == {10: 2, 60: 1, 62: 1}


def test_solitaire_has_no_first_seat() -> None:
    """Solitaire has no first-seat advantage."""
    assert first_seat_of(tally_of((10,), (20,))) is None


def test_wins_alone_and_together() -> None:
    """Five games of three seats: seat 1 wins one alone, one by two and one by three."""
    line = line_of(tally_of((1, 2, 1), (3, 3, 0), (4, 4, 4), (9, 0, 9), (9, 8, 7)), "seat 1", (1, ALL))

    assert (line.games, line.wins, line.ties) == (5, 1 / 5, 2 / 5)
    assert line.win_share == pytest.approx((1 + 1 / 2 + 1 / 3) / 5)
    assert line.mean == pytest.approx(17 / 5)


def test_quantiles_of_the_scores_from_1_to_20() -> None:
    """One game in twenty makes 1 point at most, five make 5 at most, and so on."""
    line = line_of(tally_of(*((score,) for score in range(20, 0, -1))), "alone", (0, 0))

    assert line.quantiles == {5: 1, 25: 5, 50: 10, 75: 15, 95: 19}


def test_lengths_of_games() -> None:
    """Games of 10, 10, 13 and 19 turns: 13 on average, squares around it 9 + 9 + 0 + 36 = 54, variance 18."""
    results = results_of((1,), (2,), (3,), (4,))
    results["turns"] = (10, 10, 13, 19)
    results["ending"] = (BY_ROWS, BY_MISSES, BY_MISSES, BY_MISSES)
    tally = Tally.empty(1)
    tally.add_games(results, 1, 0, 1)
    turns = turns_of(tally)

    assert turns.mean == 13
    assert turns.deviation == pytest.approx(18**0.5)
    assert (turns.shortest, turns.longest) == (10, 19)
    assert turns.histogram == {10: 2, 13: 1, 19: 1}
    assert tally.counts.endings.tolist() == [0, 1, 3, 0]


def test_counting_in_pieces_changes_nothing() -> None:
    """Blocks may be counted separately and in any order: every number is the same, because all are integers."""
    games = [(60, 10, 3), (10, 58, 58), (62, 10, 9), (10, 56, 1), (7, 7, 7)]
    whole = tally_of(*games, tables=3)
    last, first = Tally.empty(3), Tally.empty(3)
    first.add_games(results_of(*games[:2]), 3, 0, 3)
    last.add_games(results_of(*games[2:]), 3, 2, 3)
    last.add(first)

    assert last.games == whole.games
    assert first_seat_of(last) == first_seat_of(whole)
    for seat in range(3):
        assert line_of(last, "", (seat, ALL)) == line_of(whole, "", (seat, ALL))
