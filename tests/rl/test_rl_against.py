"""Gymnasium and PettingZoo against named players: their own checkers, and the same games as in a `Game`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo import AECEnv
from pettingzoo.test import api_test, seed_test

import qwixx
import qwixx.rl.gymnasium as solo
from qwixx import QwixxError, players
from qwixx.game.question import Question
from qwixx.game.view import redacted
from qwixx.rl import pettingzoo as zoo
from support.games.custom_bots import BOTS
from support.games.rl_reference import GAMES, first_against, kernel_seed, legal_of, with_masks
from support.games.small_sheets import sheet_file

pytestmark = pytest.mark.slow


def test_all_nine_games_are_registered() -> None:
    """Each game has an id against named players, next to solitaire."""
    assert len(solo.against_ids()) == 9
    assert solo.against_ids()["qwixx/CardsJokerAgainst-v1"] == "cards-joker"
    assert not set(solo.ids()) & set(solo.against_ids())


@pytest.mark.parametrize("name", solo.against_ids())
def test_gymnasiums_checker_passes(name: str) -> None:
    """`check_env` passes without a warning, with any actions at all."""
    check_env(gymnasium.make(name).unwrapped)


@pytest.mark.parametrize(("variant", "seats", "name"), GAMES)
def test_gymnasium_plays_the_games_of_its_opponents(variant: str, seats: int, name: str) -> None:
    """An agent that takes the first legal action ends with the score of the same game played elsewhere."""
    env = solo.AgainstEnv(variant, seats=seats, opponents=name, rewards="score")
    _, info = env.reset(seed=8)
    over, total = False, 0.0
    while not over:
        _, reward, over, _, info = env.step(legal_of(info["action_mask"])[0])
        total += reward
    assert total == first_against(variant, seats, name, kernel_seed(np.random.default_rng(8)), 0)[0]


def test_the_agent_can_have_any_seat() -> None:
    """Rewards are those of the own seat: with two seats, the margins from both sides of the same game cancel out."""
    totals = []
    for seat, other in ((0, 1), (1, 0)):
        env = solo.AgainstEnv("classic", opponents={other: "gap"})
        gap = gap_on(env, seat)
        env.reset(seed=3)
        over, total = False, 0.0
        while not over:
            _, reward, over, *_ = env.step(gap())
            total += reward
        totals.append(total)
    assert totals[0] == -totals[1] != 0


def test_opponents_in_order_sit_clockwise() -> None:
    """From seat 2 of four, the first of three names has seat 3, the next seats 0 and 1."""
    ordered = solo.AgainstEnv("classic", seats=4, opponents=("gap", "easy", "random"), seat=2)
    seated = solo.AgainstEnv("classic", seats=4, opponents={3: "gap", 0: "easy", 1: "random"})
    firsts = []
    for env in (ordered, seated):
        seen, info = env.reset(seed=5)
        assert info["seat"] == 2
        firsts.append([seen.tolist(), *(env.step(60)[0].tolist() for _ in range(9))])
    assert firsts[0] == firsts[1]


def test_seats_rotate_or_are_drawn() -> None:
    """Each game uses the next seat, from the start again with a seed; or a random seat, by the seed."""
    rotating = solo.AgainstEnv("classic", seats=3, seat="rotate")
    assert [rotating.reset(seed=s)[1]["seat"] for s in (1, None, None, None, 2, None)] == [0, 1, 2, 0, 0, 1]
    drawn = solo.AgainstEnv("classic", seats=3, seat="random")
    seats = [[drawn.reset(seed=s)[1]["seat"] for s in (1, *[None] * 30)] for _ in range(2)]
    assert seats[0] == seats[1]
    assert set(seats[0]) == {0, 1, 2}
    for seat in ("rotate", "random"):
        check_env(gymnasium.make("qwixx/ClassicAgainst-v0", seats=3, seat=seat).unwrapped)


def test_rewards_are_those_of_the_seat_of_this_game() -> None:
    """An agent that passes in every game is paid for the seat of that game: four misses, on each seat in turn."""
    env = solo.AgainstEnv("classic", seats=3, opponents="gap", seat="rotate", rewards="score")
    _, info = env.reset(seed=3)
    for seat in range(3):
        assert info["seat"] == seat
        over = False
        while not over:
            _, reward, over, *_ = env.step(60)
        assert reward == -20.0, "a seat that only passes is active four times and takes four misses (C6, C11)"
        _, info = env.reset()


SEATED = [(name, seats) for name in qwixx.games() for seats in {2, max(qwixx.variant(name).seats)}]


@pytest.mark.parametrize("pair", SEATED, ids=str)
def test_every_built_in_player_is_an_opponent(pair: tuple[str, int]) -> None:
    """Every player that supports a game can be an opponent; `optimal`, which first solves a sheet, has its own test."""
    variant, seats = pair
    names = [name for name in players.built_in_names() if players.find(name).plays(qwixx.variant(variant), seats)]
    assert len(names) >= 5
    for name in set(names) - {"optimal"}:
        env = solo.AgainstEnv(variant, seats=seats, opponents=name)
        _, info = env.reset(seed=1)
        for _ in range(3):
            *_, info = env.step(legal_of(info["action_mask"])[-1])


@pytest.mark.usefixtures("fresh_cache")
def test_the_optimal_player_is_an_opponent(tmp_path: Path) -> None:
    """On a sheet that is solved quickly, optimal plays whole games."""
    env = solo.AgainstEnv(sheet_file(tmp_path, "plain"), opponents=("optimal",), seat="rotate")
    _, info = env.reset(seed=1)
    for _ in range(4):
        over = False
        while not over:
            _, _, over, _, info = env.step(legal_of(info["action_mask"])[-1])
        _, info = env.reset()


def test_a_custom_bot_is_an_opponent(tmp_path: Path) -> None:
    """It is named by its file and class; a player that passes in all its turns takes four misses."""
    path = tmp_path / "own.py"
    path.write_text(BOTS, "utf-8")
    env = solo.AgainstEnv("classic", opponents=f"{path}:Fine", rewards="margin")
    env.reset(seed=2)
    over = False
    while not over:
        _, reward, over, *_ = env.step(60)
    assert abs(reward) in (0, 5), "both only pass: four misses against three or four"


def gap_on(env: solo.AgainstEnv, seat: int) -> Callable[[], int]:
    """Decide for a seat as gap does, with access to the internals of the environment."""
    playing = env._playing
    player = players.find("gap").sit(playing.space.variant, 2)

    def choose() -> int:
        states = redacted(playing.space.layouts, playing.states, seat)
        question = Question(playing.space.variant, playing.space.layouts, states, seat)
        return int(playing.space.compact_actions[player.answer(question).id])

    return choose


def test_without_names_the_heuristic_plays() -> None:
    """An illegal action passes, or takes the first option where a card has to be drawn."""
    env = solo.AgainstEnv("cards")
    over = False
    env.reset(seed=2)
    for _ in range(1000):
        _, _, over, _, info = env.step(60 + 1)  # take nothing: never legal, a hand has fewer than five cards (K3)
        if over:
            break
        assert info["illegal"]
    assert over


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"seats": 3, "opponents": {1: "gap"}}, "every seat but one, not for 1 of 3"),
        ({"seats": 1}, "nobody to play against; make a solitaire"),
        ({"opponents": {0: "gap", 1: "gap"}}, "every seat but one, not for 2 of 2"),
        ({"opponents": "greedy"}, "'greedy' cannot play classic"),
        ({"opponents": {5: "gap", 0: "gap"}}, "there is no seat 5"),
        ({"seats": 3, "opponents": ("gap",)}, "one opponent for all other seats, or 2 in their order, not"),
        ({"opponents": 7}, "one opponent for all other seats, or 1 in their order, not 7"),
        ({"opponents": (7,)}, "is the name of a player, such as 'gap', not 7"),
        ({"opponents": {1: "gap"}, "seat": 1}, "leave you seat 0, not 1; name them in order"),
        ({"opponents": {1: "gap"}, "seat": "rotate"}, "leave you seat 0, not 'rotate'"),
        ({"seat": 2}, "from 0 to 1, 'rotate' or 'random', not 2"),
        ({"seat": "left"}, "from 0 to 1, 'rotate' or 'random', not 'left'"),
        ({"seat": True}, "from 0 to 1, 'rotate' or 'random', not True"),
    ],
)
def test_invalid_requests_are_refused(options: dict[str, Any], sentence: str) -> None:
    """The error explains why."""
    with pytest.raises(QwixxError, match=sentence):
        solo.AgainstEnv("classic", **options)


# ---- PettingZoo


@with_masks
@pytest.mark.parametrize(("variant", "seats", "name"), GAMES)
def test_pettingzoos_checkers_pass(variant: str, seats: int, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`api_test` and `seed_test` play against an opponent on the last seat, wrapped and raw."""
    for make in (zoo.env, zoo.raw_env):
        api_test(make(variant, seats, opponents={seats - 1: name}), num_cycles=60)
    assert capsys.readouterr().out.count("Passed API test") == 2
    seed_test(lambda: zoo.env(variant, seats, opponents={seats - 1: name}), num_cycles=25)


@pytest.mark.parametrize(("variant", "seats", "name"), GAMES)
@pytest.mark.parametrize("make", [zoo.env, zoo.raw_env])
def test_pettingzoo_plays_the_games_of_its_opponents(
    variant: str, seats: int, name: str, make: Callable[..., AECEnv[str, Any, int]]
) -> None:
    """Only seat 0 is an agent; it is paid by gains that add up to its score in the same game played elsewhere."""
    env = make(variant, seats, rewards="gain", opponents=dict.fromkeys(range(1, seats), name))
    assert env.possible_agents == ["player_0"]
    env.reset(seed=8)
    total = 0.0
    for _ in env.agent_iter():
        seen, reward, termination, _, info = env.last()
        total += reward
        env.step(None if termination else legal_of(seen["action_mask"])[0])
    assert total == info["score"] == first_against(variant, seats, name, kernel_seed(np.random.default_rng(8)), 0)[0]


def test_agents_are_named_by_their_seats() -> None:
    """With an opponent on seat 1 of three, players 0 and 2 are asked and paid, each for its own seat."""
    env = zoo.raw_env("classic", 3, rewards="margin", opponents={1: "gap"})
    env.reset(seed=4)
    assert env.possible_agents == ["player_0", "player_2"]
    asked = set()
    while not all(env.terminations.values()):
        asked.add(env.agent_selection)
        env.step(legal_of(env.observe(env.agent_selection)["action_mask"])[0])
    assert asked == {"player_0", "player_2"}
    first, gap, third = env._playing.scores()
    assert env.infos == {"player_0": {"score": first}, "player_2": {"score": third}}
    assert env.rewards == {"player_0": first - (gap + third) / 2, "player_2": third - (first + gap) / 2}
