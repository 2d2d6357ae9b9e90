"""Refusals: their reasons, and that an action is parsed only once."""

from __future__ import annotations

import pickle

import pytest

from qwixx import Game, IllegalAction, NotYourTurn, Variant
from qwixx.errors import QwixxError
from qwixx.game import game as game_module
from qwixx.players import find
from qwixx.text import action_parser


def test_an_error_carries_its_refusal() -> None:
    """The error of `decide` and `set_roll` has the reason of `why_not`, and can be pickled."""
    game = Game("classic", 2, first=0)
    with pytest.raises(NotYourTurn) as early:
        game.decide(0, "r7")
    assert (early.value.refusal.code, early.value.rule) == ("chance-first", "C2")
    assert early.value.refusal == game.why_not(0, "r7")
    with pytest.raises(IllegalAction) as impossible:
        game.set_roll("77/1111")
    assert impossible.value.refusal.details == {"sides": 6}
    game.set_roll("34/2615")
    with pytest.raises(IllegalAction) as illegal:
        game.decide(0, "r8")
    assert illegal.value.refusal == game.why_not(0, "r8")
    assert illegal.value.refusal.details == {"row": "r", "cell": "r8", "sum": 7}
    assert str(illegal.value) == f"{illegal.value.sentence} (C3)"
    for error in (early.value, illegal.value):
        twin = pickle.loads(pickle.dumps(error))
        assert (type(twin), str(twin), twin.refusal) == (type(error), str(error), error.refusal)


def test_a_crossed_cell_has_its_own_reason() -> None:
    """Red 5 and 7 are crossed: 5 cannot be crossed again, and 6 lies left of the 7 (C1)."""
    game = Game.from_position("classic active=0 phase=roll | r=5,7 | -")
    game.set_roll("23/1111")
    again = game.why_not(0, "r5")
    assert again is not None
    assert (again.code, again.rule, again.sentence) == ("left-of-cross", "C1", "r5 is crossed already.")
    assert again.details == {"row": "r", "cell": "r5", "crossed": 1}
    game = Game.from_position("classic active=0 phase=roll | r=5,7 | -")
    game.set_roll("33/1111")
    left = game.why_not(0, "r6")
    assert left is not None
    assert left.sentence == "r6 does not lie right of every cross in row r."
    assert left.details == {"row": "r", "cell": "r6", "crossed": 0}


def test_cards_in_a_dice_game_name_a_rule_of_the_dice_games() -> None:
    """A play of cards is a choice of another game (C3, not K5)."""
    game = Game("classic", 2, seed=1, first=0)
    game.roll()
    with pytest.raises(IllegalAction, match=r"Cross a cell or pass; this game has no cards. \(C3\)"):
        game.decide(0, "play:r4=r4")


def test_a_bot_that_is_not_asked_refuses() -> None:
    """Before a roll a question has no choices, so there is no answer; a pass would be one."""
    game = Game("classic", 2, seed=1, first=0)
    assert not game.question(0).legal
    with pytest.raises(QwixxError, match="Seat 1 has nothing to decide here"):
        find("gap").sit(game.variant, 2).answer(game.question(1))


def test_an_action_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision parses its text once, whether it is legal or not."""
    texts: list[str] = []

    def read(variant: Variant, hand: list[int], text: str) -> int:
        texts.append(text)
        return action_parser.read_action(variant, hand, text)

    monkeypatch.setattr(game_module, "read_action", read)
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    with pytest.raises(IllegalAction):
        game.decide(0, " r8")  # in an unusual form: the usual texts are looked up
    game.decide(0, " r7")
    assert texts == [" r8", " r7"]
