"""
A batch of games: N games advanced by one compiled call, in arrays that are allocated once.

>>> from qwixx.rl.batch import Env
>>> env = Env("classic", n=4, seats=2, seed=7)
>>> env.reset().shape
(4, 137)
>>> for _ in range(200):
...     actions = env.masks.argmax(axis=1)                      # the first legal action everywhere
...     observations, rewards, terminations = env.step(actions)

The arrays belong to the environment and the next step overwrites them: copy what you keep. A game that ends pays its
rewards in that step, and the next one has begun when the call returns. Slot `i` of `n` plays the games `i`, `i + n`,
`i + 2n`, ... of the seed. The random numbers of a game depend only on the seed and its number:
every game can be replayed.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from qwixx.errors import QwixxError
from qwixx.jit.decorators import compile_now
from qwixx.kernel.state.records import MENU, STATE, Ints, Records
from qwixx.rl import stepping
from qwixx.rl.encode import Bytes
from qwixx.rl.opponents import Opponents, step_some
from qwixx.rl.refusals import refused
from qwixx.rl.reset_position import starts_of
from qwixx.rl.spaces import check_rewards, describe
from qwixx.rl.stepping import Batch, Bools, Floats, Words
from qwixx.variants.model import Variant

MAX_GAMES = 10_000_000
"""About ten gigabytes of states."""
Actions = npt.NDArray[np.integer]
Step = tuple[Bytes, Floats, Bools]


class Env:
    """
    N games of one variant, advanced together; in each of them one seat decides per step.

    `rewards` is "margin" (default), "win", "score" or "gain"; `observations` and `masks` can be left out where
    they are not used. `illegal` selects the effect of an illegal action: "raise" (default) refuses the whole step
    before anything has changed, "pass" counts it as a pass, in the dice games only, and marks it in `illegal`.
    """

    observations: Bytes
    """(n, size): what the asked seat of each game sees. Its entries: `space.fields`."""
    masks: Bytes
    """(n, actions): 1 for the legal actions of the asked seat."""
    asked: Ints
    """(n,): the seat that decides next."""
    rewards: Floats
    """(n, seats): the rewards of the last step."""
    terminations: Bools
    """(n,): the game of this slot ended in the last step, and the next one has begun."""
    scores: Ints
    """(n, seats): final scores, where `terminations` is set; with rewards by gain always the current score."""
    illegal: Bools
    """(n,): the last action was illegal and taken as a pass."""
    games: Words
    """(n,): the number of the game that each slot plays."""
    states: Records
    """(n,): the games themselves, as the kernel stores them. Read only."""

    def __init__(
        self,
        variant: str | Path | Variant = "classic",
        n: int = 4096,
        seats: int = 2,
        seed: int = 0,
        *,
        sheet: str | Path | None = None,
        rewards: str = "margin",
        observations: bool = True,
        masks: bool = True,
        illegal: Literal["raise", "pass"] = "raise",
        final: bool = False,
        opponents: Mapping[int, str] | None = None,
    ) -> None:
        """
        Allocate n games and begin them. With `final`, `final` holds the last observation of seat 0 of finished games.

        `opponents` names players for some seats, such as {1: "gap"}: they decide automatically, and only the other
        seats are asked.
        """
        compile_now()
        self.space = describe(variant, seats, sheet)
        self._kind = check_rewards(rewards, seats)
        if isinstance(n, bool) or not isinstance(n, SupportsIndex) or operator.index(n) < 1:
            raise QwixxError(f"A batch has at least one game, not {n}.")
        if operator.index(n) > MAX_GAMES:
            raise QwixxError(f"A batch has at most {MAX_GAMES:,} games, not {operator.index(n):,}.")
        if illegal not in ("raise", "pass"):
            raise QwixxError(f"An illegal action can 'raise' or be taken as a 'pass', not {illegal!r}.")
        if illegal == "pass" and self.space.variant.is_cards:
            raise QwixxError("In the card games there is not always a pass; an illegal action can only 'raise'.")
        if illegal == "pass" and not masks:
            raise QwixxError("Taking illegal actions as a pass needs the masks.")
        self.n = operator.index(n)
        self.seats = seats
        self._on_illegal = stepping.AS_PASS if illegal == "pass" else stepping.RAISE
        size, actions = self.space.size, self.space.actions
        self.states = np.zeros(self.n, STATE)
        self.observations = np.zeros((self.n, size if observations else 0), np.int8)
        self.masks = np.zeros((self.n, actions if masks else 0), np.int8)
        self.final: Bytes = np.zeros((self.n, size if final else 0), np.int8)
        self.asked = np.zeros(self.n, np.int32)
        self.rewards = np.zeros((self.n, seats), np.float32)
        self.terminations = np.zeros(self.n, np.bool_)
        self.scores = np.zeros((self.n, seats), np.int32)
        self.illegal = np.zeros(self.n, np.bool_)
        self.games = np.zeros(self.n, np.uint64)
        self._batch = Batch(
            self.space.layouts,
            self.states,
            self.games,
            self.asked,
            self.rewards,
            self.terminations,
            self.scores,
            self.illegal,
            np.zeros(1, MENU),
            self.observations,
            self.masks,
            self.final,
        )
        self._opponents = None if opponents is None else Opponents(self.space, opponents)
        self.reset(seed)

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Bytes:
        """
        Begin all games again, from another seed or from the same; return the observations.

        With `options={"position": ...}` they begin there, all at one position line or each at its own; the games that
        follow in their slots are new ones. Raises `QwixxError` for an invalid position; then nothing has changed.
        """
        starts = starts_of(self.space, options, self.n)
        if seed is not None:
            if not 0 <= operator.index(seed) < 1 << 64:
                raise QwixxError("A seed is a whole number from 0 to 2**64 - 1.")
            self._seed = np.uint64(seed)
        for array in (self.rewards, self.terminations, self.scores, self.illegal):
            array.fill(0)
        self._begin(starts)
        if self._opponents is not None:
            self._opponents.forget()
            self._let_opponents_begin()
        return self.observations

    def _begin(self, starts: Records | None) -> None:
        """Begin new games, or games from given states."""
        if starts is not None:
            self.states[:] = starts
            if self._kind == stepping.GAIN:
                stepping.count_all(self._batch)  # gains count from here
        stepping.begin_all(self._batch, self._seed, self.seats if starts is None else 0)

    def step(self, actions: Actions) -> Step:
        """
        Decide in every game; return observations, rewards and terminations, the arrays of this environment.

        Raises `QwixxError`, a `ValueError`, for an illegal action, before anything has changed.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise QwixxError(f"Actions are {self.n} whole numbers, one per game, not {_shape(chosen)}.")
        size = self.space.actions
        outside = np.flatnonzero((chosen < 0) | (chosen >= size))
        if outside.size:
            raise QwixxError(f"Game {outside[0]}: {chosen[outside[0]]} is no action; there are 0 to {size - 1}.")
        narrow: Ints = chosen.astype(np.int32, copy=False)
        if self._on_illegal == stepping.RAISE:
            self._check(narrow)
        return self._step(narrow, stepping.BY_ACTION)

    def step_ranked(self, ranks: Actions) -> Step:
        """
        Take in every game the legal action with this index in their ascending list.

        Indices beyond the end wrap around, so any integers from 0 on are valid: uniformly drawn large ones make a
        random player that needs neither masks nor observations.
        """
        chosen = np.asarray(ranks)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu" or (self.n and int(chosen.min()) < 0):
            raise QwixxError(f"Places are {self.n} whole numbers from 0 on, one per game, not {_shape(chosen)}.")
        return self._step(chosen.astype(np.int32, copy=False), stepping.BY_RANK)

    def _check(self, actions: Ints) -> None:
        at = stepping.find_illegal(self._batch, actions)
        if at >= 0:
            raise refused(self.space, self.states[at : at + 1], int(self.asked[at]), int(actions[at]), f"Game {at}: ")

    def _step(self, actions: Ints, form: int) -> Step:
        stepping.step_all(self._batch, actions, form, self._on_illegal, self._kind, self._seed)
        if self._opponents is not None:
            self._let_opponents(self._kind)
        return self.observations, self.rewards, self.terminations

    def _let_opponents_begin(self) -> None:
        """
        Let the opponents decide before the first decision; their gains are paid with that.

        From a position they can end a game before another seat is asked: it is paid and replaced immediately.
        """
        if self._kind != stepping.GAIN:
            self._let_opponents(self._kind)
            return
        stood = self.scores.copy()
        self._let_opponents(stepping.SCORE)
        self.rewards -= np.where(self.terminations[:, None], stood, 0)

    def _let_opponents(self, kind: int) -> None:
        """Let the opponents decide until another seat is asked in every game."""
        assert self._opponents is not None
        while len(slots := self._opponents.slots(self.asked)):
            actions = self._opponents.answer(self.states, slots, self.asked, self._seed, self.games)
            step_some(self._batch, slots, actions, kind, self._seed)


def _shape(array: npt.NDArray[np.generic]) -> str:
    return f"{array.dtype} of shape {array.shape}"
