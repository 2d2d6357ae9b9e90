"""
Hands show their backs and nothing else (K11): tables that differ only in hidden colors are alike for everybody else.

The tables are written by hand. `Game.imagine` has its own tests; here it is one of the things that must not tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import pytest

import qwixx
from qwixx import Game
from qwixx.game.view import redacted
from qwixx.render.svg import table_svg
from qwixx.render.text import table_text
from qwixx.rl import chance_nodes
from qwixx.rl.spaces import describe
from qwixx.server.table.outgoing import seat_part

TABLE = "cards-joker active=0 turn=5 phase={} display={} pile={},* discards=g2,b2,y12,j12 | y=3 hand={} | r=2 hand={}"
DRAWN = "r8,y11,g7,b3,j5"
"""The hand of seat 0, which has drawn."""
ALIKE = {
    "colors": ("y4,y7,g9", "b5,g10,r6,b11", "r4"),
    "other colors": ("b4,r7,y9", "y5,r10,y6,g11", "g4"),
    "the colors in the other order": ("r4,y7,b9", "g5,b10,b6,r11", "b4"),
    "jokers": ("j4,j7,j9", "r5,j10,j6,j11", "y4"),
    "one joker": ("r4,j7,b9", "y5,y10,g6,j11", "j4"),
}
"""The hand of seat 1, the display and the top of the pile: the same numbers, in other colors."""
OTHER = ("y4,b8,g9", "b5,g10,r6,b11", "r4")
"""A hand of seat 1 with another number."""


def table(phase: str, cards: tuple[str, str, str]) -> Game:
    """Set up a table."""
    hand, display, top = cards
    own = DRAWN if phase != "draw" else "r8,y11,g7"
    line = TABLE.format(phase, display, top, own, hand) + " | hand=r3,g3,y8"
    return Game.from_position(line, seed=1)


def observation(game: Game, seat: int) -> bytes:
    """Return the observation of a learner."""
    seen = np.zeros((1, describe(game.variant, game.seats).size), np.int8)
    chance_nodes.observe_into(*game.raw(), seat, seen)
    return seen.tobytes()


SURFACES: dict[str, Callable[[Game, int], object]] = {
    "view": lambda game, seat: game.view(seat),
    "words of the state": lambda game, seat: redacted(*game.raw(), seat).tobytes(),
    "legal actions": lambda game, seat: game.legal(seat),
    "refusals": lambda game, seat: [
        str(game.why_not(seat, action)) for action in ("take:1", "play:r8=r8", "y4", "pass")
    ],
    "message of the server": lambda game, seat: seat_part(game, seat, None),
    "observation": observation,
    "samples": lambda game, seat: [game.imagine(seat, seed).position() for seed in range(6)],
    "terminal": lambda game, seat: table_text(game.variant, game.view(seat)),
    "picture": lambda game, seat: table_svg(game.variant, game.view(seat)),
    "hint": lambda game, seat: qwixx.hint(game, seat).choices if seat in game.deciders() else None,
}
"""Everything that a seat can ask about a table."""


def worlds(phase: str) -> Iterator[Game]:
    """Yield the tables that look alike."""
    for cards in ALIKE.values():
        yield table(phase, cards)


@pytest.mark.parametrize("phase", ["draw", "number", "play"])
@pytest.mark.parametrize("surface", SURFACES)
def test_hidden_colors_change_nothing_for_others(surface: str, phase: str) -> None:
    """K2, K9, K11: seats 0 and 2 cannot tell the tables apart, by nothing that they are shown; jokers neither."""
    ask = SURFACES[surface]
    for seat in (0, 2):
        first, *others = [ask(game, seat) for game in worlds(phase)]
        assert all(other == first for other in others), seat
    assert len({game.position() for game in worlds(phase)}) == len(ALIKE)


@pytest.mark.parametrize("surface", ["view", "words of the state", "observation", "terminal", "picture", "samples"])
def test_another_number_is_seen(surface: str) -> None:
    """K11: the proof above is not empty; a hand with another number looks different."""
    ask = SURFACES[surface]
    one, other = table("number", ALIKE["colors"]), table("number", OTHER)
    for seat in (0, 2):
        assert ask(one, seat) != ask(other, seat)


@pytest.mark.parametrize("phase", ["draw", "number", "play"])
def test_spectators_see_the_same(phase: str) -> None:
    """K11: a spectator gets the numbers of all hands and no color, in the same bytes."""
    games = list(worlds(phase))
    assert len({msgspec.json.encode(game.view()) for game in games}) == 1
    assert len({tuple(game.imagine(None, 3).view().sheets) for game in games}) == 1
    own = (7, 8, 11) if phase == "draw" else (3, 5, 7, 8, 11)
    assert [sheet.backs for sheet in games[0].view().sheets] == [own, (4, 7, 9), (3, 3, 8)]
    assert [sheet.hand for sheet in games[0].view().sheets] == [None] * 3


def test_the_owner_sees_the_colors() -> None:
    """K11: the fronts are for the player who holds the cards, and for all when the game is over."""
    games = [table("number", cards) for cards in ALIKE.values()]
    assert len({game.view(1).sheets[1].hand for game in games}) == len(ALIKE)
    assert {game.view(1).sheets[1].backs for game in games} == {(4, 7, 9)}
    assert all(game.view(1).sheets[0].hand is None for game in games)


def test_a_play_tells_no_more_than_the_cards_played() -> None:
    """K5, K11: after a play the hand has one number less, whichever of two cards with it was played."""
    lines = [
        f"cards active=1 phase=play display=b5,g10,r6,b11 pile=r9,* | hand=r8,y11,g2 | hand={hand}"
        for hand in ("r4,y4,y7,g9,b3", "r4,j4,y7,g9,b3", "b4,r4,g7,y9,g3")
    ]
    games = [Game.from_position(line.replace("cards", "cards-joker")) for line in lines]
    for game in games:
        game.decide(1, "play:r4")
    assert {game.view(0).sheets[1].backs for game in games} == {(3, 4, 7, 9)}
    assert len({game.view(0) for game in games}) == 1
