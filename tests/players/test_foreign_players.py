"""Players of other packages: they learn nothing about future dice, cannot change the rules, and are asked in bulk."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from qwixx import Action, Game, View
from qwixx.game.question import Question, private_seed
from qwixx.kernel.results import RESULT
from qwixx.kernel.state.records import PASS, Ints, Records
from qwixx.players import Player, PlayerFailed, PlayerThread, instantiate_supervised
from qwixx.players.batched_games import BatchedGames
from qwixx.players.custom import PackagePlayer
from qwixx.players.player import Words
from qwixx.variants import load
from qwixx.variants.model import Variant

WORD = (1 << 64) - 1


class Package:
    """A registered package: it creates players of the given class, and remembers them."""

    def __init__(self, player: type[Player], *, remembers: bool = True) -> None:
        """Create players of this class."""
        self.player = player
        self.remembers = remembers
        self.seated: list[Any] = []

    def plays(self, variant: Variant, seats: int) -> bool:
        """Play everything."""
        return True

    def sit(self, variant: Variant, seats: int, *, seed: int = 0, pads: object = None) -> Player:
        """Create a player."""
        self.seated.append(self.player(variant, seats, seed))
        self.seated[-1].seed = seed
        player: Player = self.seated[-1]
        return player


class First(Player):
    """Takes the first legal action."""

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Take it."""
        return legal[0]


class Curious(First):
    """Keeps the questions it is asked."""

    def answer(self, question: Question) -> Action:
        """Keep the question."""
        self.question = question
        return super().answer(question)


def undo_shift(word: int, by: int) -> int:
    """Find x with x ^ x >> by == word."""
    found = word
    for _ in range(64 // by):
        found = word ^ found >> by
    return found


def unmix(word: int) -> int:
    """Invert the function that scrambles words: each of its steps is invertible."""
    word = undo_shift(word, 31) * pow(0x94D049BB133111EB, -1, 1 << 64) & WORD
    word = undo_shift(word, 27) * pow(0xBF58476D1CE4E5B9, -1, 1 << 64) & WORD
    return undo_shift(word, 30)


def test_a_guest_cannot_compute_future_dice() -> None:
    """The random word of a game leads back to its random stream; a guest never gets that word or its derivatives."""
    game = Game("classic", 2, seed=5, first=0)
    stream = int(game.raw()[1]["rng"][0])
    luck = game.question(1).luck
    assert unmix(luck) ^ 0x5EED0FB075 == stream  # so the guest must not get it

    game.roll()
    package = Package(Curious)
    guest = instantiate_supervised(
        PackagePlayer("curious", package), game.variant, 2, seed=private_seed(luck, 1), thread=PlayerThread(5)
    )
    guest.answer(game.question(1))
    (curious,) = package.seated
    known = {curious.seed, curious.question.luck, int(curious.question.states["rng"][0])}
    seat_words = [(seat + 1) * 0x9E3779B97F4A7C15 & WORD for seat in range(-1, 5)]
    for word in known:
        for seat_word in seat_words:
            assert word ^ seat_word != luck
            assert unmix(word ^ seat_word) ^ 0x5EED0FB075 != stream
    assert curious.question.luck == curious.seed  # the guest's own word, from which it may draw


def test_seeds_differ_and_stay() -> None:
    """The same game and seat give the same seed, others give others; fixed values, so that old games stay the same."""
    assert private_seed(7, 0) == 13049295669143882712
    assert len({private_seed(luck, seat) for luck in (0, 1, WORD) for seat in range(5)}) == 15


class Appends(Player):
    """Cheats: it adds its action to the list of legal actions."""

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Take a cell that the dice do not give."""
        wish = Action(0, "r2")
        # the interface does not promise a list
        legal.append(wish)  # type: ignore[attr-defined]
        return wish


class Rewrites(Player):
    """Cheats: it writes other dice into the state that it gets, and another list of legal actions."""

    def answer(self, question: Question) -> Action:
        """Take a cell that the dice do not give."""
        wish = Action(0, "r2")
        question.states["dice"][:] = 1
        question.__dict__["legal"] = (wish,)
        return wish


@pytest.mark.parametrize("cheat", [Appends, Rewrites])
def test_a_guest_can_only_take_legal_actions(cheat: type[Player]) -> None:
    """The answer is checked against a list that the guest never had, and the game does not change."""
    game = Game("classic", 2, first=0)
    game.set_roll("34/2615")
    guest = instantiate_supervised(PackagePlayer("cheat", Package(cheat)), game.variant, 2, thread=PlayerThread(5))
    question = game.question(0)
    before = question.states.copy()
    with pytest.raises(PlayerFailed, match=r"answered nonsense: the action r2 is none of the legal actions \(r7, y7"):
        guest.answer(question)
    assert question.states.tobytes() == before.tobytes()


# ---- many questions at the same time


class Bulk(First):
    """Passes in bulk, and counts how often it is asked."""

    calls = 0
    single = 0

    def answer(self, question: Question) -> Action:
        """Count."""
        self.single += 1
        return question.action(PASS)

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Pass everywhere."""
        self.calls += 1
        assert len(set(lucks.tolist())) == len(lucks)
        return np.full(len(states), PASS)


def test_a_package_that_remembers_nothing_is_asked_in_bulk() -> None:
    """One player decides for all games together, and the games end as passing ends them: four misses each (C11)."""
    package = Package(Bulk, remembers=False)
    results = np.zeros(30, RESULT)
    BatchedGames(load("classic"), [PackagePlayer("bulk", package)] * 2).play(np.uint64(1), 0, results)
    assert (results["misses"].max(axis=1) == 4).all()
    assert [each.single for each in package.seated] == [0, 0]
    assert all(0 < each.calls < 30 for each in package.seated)


class Late(Bulk):
    """Never returns."""

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Loop for ever on the second turn."""
        while (states["turn"] == 2).any():
            time.sleep(0.01)
        return super().answer_many(layouts, states, seats, lucks)


class RaisesInOne(Bulk):
    """Fails where both white dice show a six."""

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Look up a sum that does not exist."""
        return np.array([dict.fromkeys(range(2, 12), PASS)[int(state["dice"][:2].sum())] for state in states])


class NonsenseInOne(Bulk):
    """Crosses red 12 where both white dice show a six, without the five crosses that it needs (C7)."""

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Cross the last red cell, and pass elsewhere."""
        return np.where(states["dice"][:, :2].sum(axis=1) == 12, 10, PASS)


class WrongSize(Bulk):
    """Answers one question of many."""

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Ints:
        """Pass, once."""
        return np.array([PASS])


class TooLarge(Bulk):
    """Answers with numbers that are not actions."""

    def answer_many(self, layouts: Records, states: Records, seats: Ints, lucks: Words) -> Any:
        """Return the largest word."""
        return np.full(len(states), WORD, np.uint64)


def first_twelve() -> tuple[int, int]:
    """Find the first game of seed 1 whose first roll is two sixes; seat 0 is asked about it."""
    for number in range(200):
        game = Game("classic", 2, seed=1, first=0, number=number)
        game.roll()
        if game.raw()[1]["dice"][0, :2].tolist() == [6, 6]:
            return number, 0
    raise AssertionError("a one in thirty-six chance in two hundred games")


@pytest.mark.parametrize(
    ("player", "sentence"),
    [
        (RaisesInOne, r"raised KeyError: 12 \(test_foreign_players.py, line \d+\)\."),
        (NonsenseInOne, r"answered nonsense: 10 is none of the legal actions \(.*pass\)\."),
    ],
)
def test_a_failure_in_bulk_names_its_game(player: type[Player], sentence: str) -> None:
    """Of two hundred games in one question, the error names the first one with two sixes."""
    with pytest.raises(PlayerFailed, match=sentence) as failure:
        BatchedGames(load("classic"), [PackagePlayer("bulk", Package(player, remembers=False))] * 2, rotate=False).play(
            np.uint64(1), 0, np.zeros(200, RESULT)
        )
    assert (failure.value.game, failure.value.seat) == first_twelve()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("player", "seconds", "sentence"),
    [
        (WrongSize, 60, r"answered nonsense: int64 of shape \(1,\) instead of 3 numbers of actions\."),
        (TooLarge, 60, "answered nonsense: 18446744073709551615 is none of the legal actions"),
        (Late, 0.2, r"took longer than 0.6 seconds for 3 decisions\."),
    ],
)
def test_failures_in_bulk_are_reported(player: type[Player], seconds: float, sentence: str) -> None:
    """Every answer is checked, and three decisions have three times the time of one."""
    games = BatchedGames(
        load("classic"), [PackagePlayer("bulk", Package(player, remembers=False))] * 2, seconds=seconds
    )
    with pytest.raises(PlayerFailed, match=sentence):
        games.play(np.uint64(1), 0, np.zeros(3, RESULT))
