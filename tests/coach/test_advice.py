"""Advice: every legal action, best first, by a judge that knows only what the seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import qwixx
from qwixx import Game, QwixxError, games
from qwixx.coach.advice import Advice, advise
from qwixx.coach.judges.rollouts import RolloutResult
from qwixx.game.question import Question
from qwixx.players import default_heuristic, registry
from qwixx.players.player import Player, Registered
from qwixx.solver import advise as solved
from qwixx.variants.model import Variant
from support.games.small_sheets import tiny_sheet

CLOSING = "classic active=0 phase=color roll=66/6111 crossed=yes | r=2,3,4,5,6,7,8,9,10 | misses=3"
"""Red 12 is on the table: eleven crosses and the lock, for 66 points, against nothing."""


@pytest.mark.parametrize("name", games())
def test_every_game_has_advice(name: str) -> None:
    """All legal actions are judged, best first, and the same seed gives the same values."""
    game = Game(name, 2, seed=3)
    game.roll()
    seat = game.deciders()[-1]
    by = default_heuristic(game.variant)
    advice = advise(game, seat, by=by, games=3, seed=1)
    assert {choice.action for choice in advice} == set(game.legal(seat))
    assert [choice.loss for choice in advice] == sorted(choice.loss for choice in advice)
    assert advice.choices[0].loss == 0
    assert advice.best == advice.choices[0].action
    assert advice == advise(game, seat, by=by, games=3, seed=1)
    assert "rollouts" in advice.measure
    game.decide(seat, advice.best)


def test_closing_a_row_is_worth_its_points() -> None:
    """C7, C12: closing red brings 66 - 45 = 21 points more, and ends nothing."""
    game = Game.from_position(CLOSING)
    advice = advise(game, by="gap", games=10)
    assert advice.best.text == "r12"
    assert advice.by == "gap"
    assert advice.choices[-1].loss > 10
    first, second, *_ = str(advice).splitlines()
    assert first == "seat 0, judged by gap: points ahead of the best other seat, over 10 rollouts"
    assert "r12" in second


def test_a_pass_that_loses_the_game_has_its_cost() -> None:
    """C6, C11: passing in the last action takes the fourth miss, and the game is over at -20 to -14."""
    game = Game.from_position("classic active=0 phase=color roll=11/2666 | misses=3 | misses=3 r=2")
    advice = {choice.action.text: choice for choice in advise(game, by="gap", games=4)}
    assert advice["pass"].value == -20 - (1 - 15)
    assert advice["pass"].interval >= 0


def test_advice_uses_only_the_view_of_the_seat() -> None:
    """K2: two games that look the same to a seat get the same advice."""
    deck = "r2,r3,r4,r5,y2,y3,y4,y5,g6,g7,g8,g9,b2,b3,b4,b5,*"
    one, two = Game("cards", 2, first=0), Game("cards", 2, first=0)
    one.set_roll(deck)
    two.set_roll(deck.replace("g6,g7,g8,g9", "b6,b7,b8,b9").replace("y2,y3,y4,y5", "g2,g3,g4,g5"))
    assert one.view(0) == two.view(0)
    assert advise(one, 0, games=4, seed=2) == advise(two, 0, games=4, seed=2)


def test_it_ignores_choices_in_an_open_window() -> None:
    """C3: the choice that another seat has made already changes no advice."""
    found = []
    for choice in ("r7", "pass"):
        game = Game("classic", 2, first=0)
        game.set_roll("34/2615")
        game.decide(1, choice)
        found.append(advise(game, 0, by="gap", games=6))
    assert found[0] == found[1]


def test_the_lead_is_over_the_best_other_seat() -> None:
    """Of 10, 4 and 7 points the first seat leads by 3, and the others trail the first."""
    points = np.array([[10.0, 4.0, 7.0]])
    assert RolloutResult(points * 0, points).leads.tolist() == [[3, -6, -3]]


def test_a_choice_is_one_class_everywhere() -> None:
    """The solver, advice and reviews use one class, by its old names too."""
    assert qwixx.solver.Advice is qwixx.advice.Choice is qwixx.analysis.Choice


@pytest.mark.slow
def test_solitaire_is_exact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a sheet is solved, or can be solved quickly, the values are those of the solver."""
    monkeypatch.setattr("qwixx.coach.judges.select.is_quickly_solved", lambda _variant, _lucky: True)
    game = Game(tiny_sheet(tmp_path, "plain"), 1, seed=1)
    game.roll()
    advice = advise(game)
    assert advice.by == "optimal"
    assert [(c.action.text, c.value, c.loss, c.interval) for c in advice] == [
        (c.action.text, c.expected, c.loss, 0.0) for c in solved(game)
    ]
    monkeypatch.setattr("qwixx.coach.judges.select.is_quickly_solved", lambda _variant, _lucky: False)
    assert advise(game, games=2).measure == "final points, over 2 rollouts"
    assert advise(game, by="optimal") == advice


class Thinker(Registered):
    """Gives later actions higher values."""

    name = "thinker"
    habit = "the last action"
    is_built_in = True

    def plays(self, variant: Variant, seats: int) -> bool:
        """Play every game."""
        return True

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: object = None) -> Player:
        """Create the player."""
        return ThinkingPlayer(variant, seats)


class ThinkingPlayer(Player):
    """Gives values."""

    measure = "places in the list"

    def values(self, question: Question) -> Sequence[float]:
        """Return the number of each action."""
        return range(len(question.legal))


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the thinker as a built-in player."""
    house = {**registry._built_in(), "thinker": Thinker()}
    monkeypatch.setattr(registry, "_built_in", lambda: house)
    monkeypatch.setattr("qwixx.players.built_in.master.find_weights", lambda _variant, _seats: None)


@pytest.mark.usefixtures("thinker")
def test_a_player_with_values_speaks_first() -> None:
    """A built-in player with a `values` method is asked first."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    advice = advise(game, 0)
    assert advice.by == "thinker"
    assert advice.measure == "places in the list"
    assert [(choice.action.text, choice.value, choice.loss) for choice in advice] == [
        ("pass", 4, 0),
        ("b7", 3, 1),
        ("g7", 2, 2),
        ("y7", 1, 3),
        ("r7", 0, 4),
    ]
    assert advise(game, 0, by="gap", games=2).by == "gap"


def test_a_player_that_only_decides_is_no_judge(tmp_path: Path) -> None:
    """A player without values gives an error sentence, also a custom one in a file."""
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def choose(self, view, legal):\n        return legal[0]\n", "utf-8")
    with pytest.raises(QwixxError, match="decides, but does not evaluate actions"):
        advise(Game.from_position(CLOSING), by=f"{file}:Mine")


def test_questions_that_make_no_sense() -> None:
    """A seat that has nothing to decide and invalid arguments give an error sentence."""
    game = Game("classic", 2, first=0)
    with pytest.raises(QwixxError, match="There is no decision here: chance comes first"):
        advise(game)
    with pytest.raises(QwixxError, match="Seat 1 has nothing to decide here"):
        advise(game, 1)
    game.set_roll("34/2615")
    with pytest.raises(QwixxError, match="Name a seat: 0, 1 have to decide"):
        advise(game)
    with pytest.raises(QwixxError, match="A seat is a whole number, not the text '0'"):
        advise(game, "0")  # type: ignore[arg-type]
    with pytest.raises(QwixxError, match="number of games must be from 1 to"):
        advise(game, 0, games=0)
    with pytest.raises(QwixxError, match="There is no player 'nobody'"):
        advise(game, 0, by="nobody")
    with pytest.raises(QwixxError, match="cannot play classic"):
        advise(game, 0, by="greedy")
    with pytest.raises(QwixxError, match="Exact values are known for solitaire only; this game has 2 seats"):
        advise(game, 0, by="optimal")


def test_advice_is_a_value() -> None:
    """Advice can be stored and compared."""
    assert isinstance(advise(Game.from_position(CLOSING), games=1), Advice)
