"""Players from elsewhere: they learn nothing of the dice to come, cannot make their own law, and are asked in bulk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from qwixx import Action, Game, View
from qwixx.players import Player, PlayerFailed, QuestionThread, take_seat
from qwixx.players.yours import Foreign
from qwixx.question import Question, seed_of
from qwixx.variants.model import Variant

WORD = (1 << 64) - 1


class Package:
    """What a package registers: it sits down with a player of the given class, and remembers whom it has seated."""

    def __init__(self, player: type[Player], *, remembers: bool = True) -> None:
        """Seat players of this class."""
        self.player = player
        self.remembers = remembers
        self.seated: list[Any] = []

    def plays(self, variant: Variant, seats: int) -> bool:
        """Play everything."""
        return True

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: object = None) -> Player:
        """Sit down."""
        self.seated.append(self.player(variant, seats, seed))
        self.seated[-1].seed = seed
        player: Player = self.seated[-1]
        return player


class First(Player):
    """Takes the first thing."""

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Take it."""
        return legal[0]


class Curious(First):
    """Keeps the questions it is asked."""

    def answer(self, question: Question) -> Action:
        """Look at everything."""
        self.question = question
        return super().answer(question)


def undo_shift(word: int, by: int) -> int:
    """Find x with x ^ x >> by == word."""
    found = word
    for _ in range(64 // by):
        found = word ^ found >> by
    return found


def unmix(word: int) -> int:
    """Undo what scrambles words: each of its steps has a way back."""
    word = undo_shift(word, 31) * pow(0x94D049BB133111EB, -1, 1 << 64) & WORD
    word = undo_shift(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & WORD
    return undo_shift(word, 30)


def test_no_way_leads_from_what_a_guest_is_told_to_the_dice() -> None:
    """The luck of a game leads back to its stream of chance; a guest is told neither it nor anything like it."""
    game = Game("classic", 2, seed=5, first=0)
    stream = int(game.raw()[1]["rng"][0])
    luck = game.question(1).luck
    assert unmix(luck) ^ 0x5EED0FB075 == stream  # so it must not be told

    game.roll()
    package = Package(Curious)
    guest = take_seat(Foreign("curious", package), game.variant, 2, seed=seed_of(luck, 1), thread=QuestionThread(5))
    guest.answer(game.question(1))
    (curious,) = package.seated
    told = {curious.seed, curious.question.luck, int(curious.question.states["rng"][0])}
    seat_words = [(seat + 1) * 0x9E3779B97F4A7C15 & WORD for seat in range(-1, 5)]
    for word in told:
        for seat_word in seat_words:
            assert word ^ seat_word != luck
            assert unmix(word ^ seat_word) ^ 0x5EED0FB075 != stream
    assert curious.question.luck == curious.seed  # its own word, from which it may draw


def test_seeds_differ_and_stay() -> None:
    """The same game and seat give the same seed, any other another; written down, so that old games stay the same."""
    assert seed_of(7, 0) == 13049295669143882712
    assert len({seed_of(luck, seat) for luck in (0, 1, WORD) for seat in range(5)}) == 15


class Appends(Player):
    """Makes its own law: it adds what it wants to the list of legal actions."""

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Take a cell that the dice do not give."""
        wish = Action(0, "r2")
        legal.append(wish)  # type: ignore[attr-defined]  # that it is a list is not promised
        return wish


class Rewrites(Player):
    """Makes its own law: it writes other dice into the state that it is shown, and another list of what is legal."""

    def answer(self, question: Question) -> Action:
        """Take a cell that the dice do not give."""
        wish = Action(0, "r2")
        question.states["dice"][:] = 1
        question.__dict__["legal"] = (wish,)
        return wish


@pytest.mark.parametrize("cheat", [Appends, Rewrites])
def test_a_guest_is_held_to_what_is_legal(cheat: type[Player]) -> None:
    """The answer is checked against a list that it never had in its hands, and the game stays as it is."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    guest = take_seat(Foreign("cheat", Package(cheat)), game.variant, 2, thread=QuestionThread(5))
    question = game.question(0)
    before = question.states.copy()
    with pytest.raises(PlayerFailed, match=r"answered nonsense: the action r2 is none of the legal actions \(r7, y7"):
        guest.answer(question)
    assert question.states.tobytes() == before.tobytes()
