"""The reference for every adapter: a random player, a loop over the kernel, and games against opponents."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

import numpy as np
import pytest

import qwixx
from qwixx import Game
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, OVER, STATE, Records
from qwixx.players import find
from qwixx.rl.spaces import Space, describe

EVERY = [(name, seats) for name in qwixx.games() for seats in qwixx.variant(name).seats]
"""All nine games at every number of seats."""
PAIRS = [(name, 2) for name in qwixx.games()]
"""All nine games with two seats."""


class Agent:
    """Chooses among legal actions with its own random stream, so that it plays the same in every adapter."""

    def __init__(self, seed: int, game: int = 0) -> None:
        """Seed the stream."""
        self._random = Random(f"{seed} {game}")

    def rank(self, count: int) -> int:
        """Pick an index in a list of legal actions."""
        return self._random.randrange(count)

    def pick(self, legal: Sequence[int]) -> int:
        """Pick a legal action."""
        return int(legal[self.rank(len(legal))])


def legal_of(mask: np.ndarray[tuple[int, ...], np.dtype[np.int8]]) -> list[int]:
    """List the actions of a mask."""
    return [int(action) for action in np.flatnonzero(mask)]


def lowest(waiting: int) -> int:
    """Return the lowest seat that owes a decision."""
    return (waiting & -waiting).bit_length() - 1


def kernel_scores(space: Space, seed: int, game: int = 0) -> tuple[int, ...]:
    """Play a game with kernel functions only and return its scores."""
    states: Records = np.zeros(1, STATE)
    log, legal = new_log(), np.zeros(ACTIONS, np.int32)
    agent = Agent(seed, game)
    layouts, state = space.layouts, states[0]
    api.begin(layouts, states, 0, np.uint64(seed), np.uint64(game), space.seats, -1)
    while state.phase != OVER:
        if state.waiting == 0:
            api.roll(layouts, states, 0, log)
            continue
        seat = lowest(int(state.waiting))
        count = api.legal(layouts, states, 0, seat, legal)
        api.decide(layouts, states, 0, seat, agent.pick(legal[:count].tolist()), log)
    return tuple(api.score(layouts, states, 0, seat) for seat in range(space.seats))


def kernel_seed(generator: np.random.Generator) -> int:
    """Draw the kernel's seed as the adapters do."""
    return int(generator.integers(1 << 64, dtype=np.uint64))


def some_states(variant: str, seats: int, seed: int, *, sheet: str | None = None) -> tuple[Space, Records]:
    """Return states from some random games, including half-decided windows."""
    space = describe(variant, seats, sheet)
    kept: list[bytes] = []
    states: Records = np.zeros(1, STATE)
    log, legal = new_log(), np.zeros(ACTIONS, np.int32)
    state, layouts, random = states[0], space.layouts, Random(seed)
    for game in range(3):
        api.begin(layouts, states, 0, np.uint64(seed), np.uint64(game), seats, -1)
        while state.phase != OVER:
            kept.append(states.tobytes())
            if state.waiting == 0:
                api.roll(layouts, states, 0, log)
                continue
            seat = random.choice([seat for seat in range(seats) if state.waiting >> seat & 1])
            count = api.legal(layouts, states, 0, seat, legal)
            api.decide(layouts, states, 0, seat, int(legal[random.randrange(count)]), log)
        kept.append(states.tobytes())
    chosen = random.sample(kept, min(40, len(kept)))
    return space, np.frombuffer(b"".join(chosen), STATE).copy()


# ---- opponents

GAMES = [
    ("classic", 2, "gap"),
    ("bonus-b", 3, "easy"),
    ("longo", 2, "strong"),
    ("cards", 2, "greedy"),
    ("duel", 2, "normal"),
]


def first_against(variant: str, seats: int, name: str, seed: int, number: int) -> tuple[int, ...]:
    """Play a game in which seat 0 takes the first legal action and a player has all other seats; return the scores."""
    game = Game(variant, seats, seed=seed, number=number)
    player = find(name).sit(game.variant, seats)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, game.legal(0)[0] if seat == 0 else player.answer(game.question(seat)))
    return game.scores()


# ---- PettingZoo

# PettingZoo expects masks in a dict next to the observation, but its checker has a closed list of environments that may
# do so and warns about all others.
MASKS_IN_A_DICT = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning"),
]


def with_masks(test: Callable[..., None]) -> Callable[..., None]:
    """Ignore the two warnings about masks in a dict."""
    for mark in MASKS_IN_A_DICT:
        test = mark(test)
    return test
