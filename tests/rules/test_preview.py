"""Previews of a decision: computed by the kernel on a copy, expected by hand from the rules."""

from __future__ import annotations

import pytest

from qwixx import Game, IllegalAction, NotYourTurn
from qwixx.game.outcome import Preview


def preview_of(game: Game, seat: int, text: str) -> Preview:
    """Return the preview of a legal action."""
    before = game.position()
    found = game.preview(seat, next(action for action in game.legal(seat) if action.text == text))
    assert game.position() == before
    return found


@pytest.mark.parametrize(
    ("position", "action", "expected"),
    [
        # C6: the active seat has crossed nothing, a miss costs five points; the fourth ends the game (C11).
        ("phase=color roll=11/2666 | - | -", "pass", Preview((), ends=False, misses=True, points=-5)),
        ("phase=color roll=11/2666 | misses=3 | -", "pass", Preview((), ends=True, misses=True, points=-5)),
        # C5: red 1 and white 1 make 2, the first cross of a row is worth one point (C12).
        ("phase=color roll=11/1666 | - | -", "r2", Preview((), ends=False, misses=False, points=1)),
        # C7: with five crosses the last cell closes the row, and its lock counts: from 15 points to 28.
        ("phase=white roll=66/1111 | r=2,3,4,5,6 | -", "r12", Preview(("r",), ends=False, misses=False, points=13)),
        # C11: the second row that is closed ends the game.
        (
            "phase=white roll=66/1-11 | r=2,3,4,5,6 | y=2,3,4,5,6,12,L",
            "r12",
            Preview(("r",), ends=True, misses=False, points=13),
        ),
    ],
)
def test_consequences(position: str, action: str, expected: Preview) -> None:
    """The cost of a pass, and what a cross closes or ends."""
    assert preview_of(Game.from_position(f"classic active=0 {position}"), 0, action) == expected


def test_previews_do_not_reveal_choices_of_others() -> None:
    """Seat 1 has secretly chosen to close a second row (C3): the preview of a pass does not reveal it."""
    line = "classic active=0 phase=white roll=66/1-11 | - | y=2,3,4,5,6,12,L r=2,3,4,5,6"
    games = [Game.from_position(line) for _ in range(2)]
    games[0].decide(1, "r12")
    games[1].decide(1, "pass")
    assert preview_of(games[0], 0, "pass") == preview_of(games[1], 0, "pass")
    assert not preview_of(games[0], 0, "pass").ends


def test_illegal_decisions_have_no_preview() -> None:
    """An illegal action is refused with its reason, as by `decide` (C1, C4)."""
    game = Game.from_position("classic active=0 phase=white roll=34/2615 | r=8 | -")
    for wrong in ("r7", Game.from_position("classic active=0 phase=white roll=34/2615 | - | -").legal(0)[0]):
        with pytest.raises(IllegalAction) as refused:
            game.preview(0, wrong)
        assert refused.value.rule == "C1"
    game = Game.from_position("classic active=0 phase=color roll=34/2615 | - | -")
    with pytest.raises(NotYourTurn):
        game.preview(1, "pass")


def test_a_spectator_sees_every_difference() -> None:
    """A view that is updated step by step equals a new view."""
    game = Game("classic", 3, seed=4, first=0)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        else:
            seat = game.deciders()[0]
            game.decide(seat, game.legal(seat)[0])
        assert game.view() == game.copy().view()
