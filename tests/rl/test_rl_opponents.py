"""Named opponents: in a batch and in a single game they play as everywhere else."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from qwixx import QwixxError
from qwixx.players import find
from qwixx.rl.batch import Env
from qwixx.rl.single_game import SingleGame
from qwixx.rl.spaces import describe
from qwixx.rl.stepping import NOBODY, SCORE
from qwixx.variants import load
from support.games.rl_reference import GAMES, first_against


@pytest.mark.parametrize(("variant", "seats", "name"), GAMES)
def test_a_batch_plays_its_opponents(variant: str, seats: int, name: str) -> None:
    """Only seat 0 is asked, the games are those of the same player elsewhere, and gains sum to the scores."""
    env = Env(variant, n=3, seats=seats, seed=6, rewards="gain", opponents=dict.fromkeys(range(1, seats), name))
    gained = {game: np.zeros(seats) for game in range(9)}
    found: dict[int, tuple[int, ...]] = {}
    while len(found) < 6:
        assert (env.asked == 0).all()
        assert (env.masks.sum(axis=1) > 0).all()
        numbers = env.games.copy()
        env.step_ranked(np.zeros(3, np.int32))
        for slot, number in enumerate(numbers.tolist()):
            if number < 6 and number not in found:
                gained[number] += env.rewards[slot]
                if env.terminations[slot]:
                    found[number] = tuple(env.scores[slot].tolist())
                    assert tuple(gained[number]) == found[number]
    assert found == {number: first_against(variant, seats, name, 6, number) for number in range(6)}


def test_rewards_at_the_end_are_paid_when_an_opponent_ends_the_game() -> None:
    """By score, seat 0 is paid its points in the step after which the game is over, no matter which seat ended it."""
    env = Env("classic", n=2, seats=2, seed=1, rewards="score", opponents={1: "gap"})
    ended = 0
    while ended < 8:
        env.step_ranked(np.zeros(2, np.int32))
        for slot in np.flatnonzero(env.terminations):
            assert env.rewards[slot].tolist() == env.scores[slot].tolist()
            ended += 1
        assert not env.rewards[~env.terminations].any()


@pytest.mark.parametrize(("variant", "seats", "name"), GAMES)
def test_a_single_game_plays_its_opponents(variant: str, seats: int, name: str) -> None:
    """`SingleGame` stops at seat 0 only, and ends with the scores of the same game played elsewhere."""
    playing = SingleGame(describe(variant, seats), SCORE, dict.fromkeys(range(1, seats), name))
    playing.begin(np.random.default_rng(3))
    while playing.asked != NOBODY:
        assert playing.asked == 0
        _, mask = playing.observe(0)
        assert playing.step(int(mask.argmax()))
    playing.pay()
    seed = int(np.random.default_rng(3).integers(1 << 64, dtype=np.uint64))
    assert playing.scores() == first_against(variant, seats, name, seed, 0)


@pytest.mark.parametrize(
    ("variant", "opponents", "sentence"),
    [
        ("classic", {2: "gap"}, "there is no seat 2"),
        ("classic", {0: "gap", 1: "gap"}, "Leave a seat"),
        ("cards", {1: "gap"}, "'gap' cannot play cards"),
        ("classic", {1: "gpa"}, "did you mean 'gap'"),
    ],
)
def test_invalid_requests_are_refused(variant: str, opponents: dict[int, str], sentence: str) -> None:
    """The error explains why."""
    with pytest.raises(QwixxError, match=sentence):
        Env(variant, n=1, opponents=opponents)


COUNTING = '''
class Counting:
    """Takes the first thing, and notes how often it was asked in its game."""
    asked = []
    def __init__(self):
        self.count = 0
    def choose(self, view, legal):
        self.count += 1
        self.asked.append(self.count)
        return legal[0]
'''


@pytest.mark.parametrize("kind", ["batch", "single"])
def test_an_opponent_is_created_again_for_every_game(tmp_path: Path, kind: str) -> None:
    """Also when all games restart, and from the same seed: it must not remember games that never happened."""
    path = tmp_path / "counting.py"
    path.write_text(COUNTING)
    name = f"{path}:Counting"
    if kind == "batch":
        env = Env("classic", n=1, seats=2, seed=3, opponents={1: name})

        def again() -> None:
            env.reset(3)
            env.step_ranked(np.zeros(1, np.int32))
    else:
        playing = SingleGame(describe("classic", 2), SCORE, {1: name})

        def again() -> None:
            playing.begin(np.random.default_rng(3))
            playing.step(int(playing.observe(0)[1].argmax()))

    asked: list[int] = type(find(name, files=True).sit(load("classic"), 2)._bot).asked  # type: ignore[attr-defined]
    notes = []
    for _ in range(2):
        asked.clear()
        again()
        notes.append(asked.copy())
    assert notes[0] == notes[1]
    assert notes[0][0] == 1
