"""
One seat for Gymnasium, under registered ids: solitaire in the six dice games, and all nine against named players.

    import gymnasium
    import qwixx.rl.gymnasium                                       # registers the ids

    env = gymnasium.make("qwixx/Classic-v0")
    envs = gymnasium.make_vec("qwixx/Classic-v0", num_envs=1024)    # one compiled call per step
    env = gymnasium.make("qwixx/ClassicAgainst-v0", seats=3, opponents="normal")
    env.reset(options={"position": "classic active=0 phase=roll | r=2,3 | y=5 misses=1 | -"})    # begin anywhere

An observation is a vector of small whole numbers; `info["action_mask"]` marks the legal actions. An illegal action
counts as a pass and is reported in `info["illegal"]`, so that agents that ignore the mask can finish a game too. The
reward of solitaire is the final score, or with `rewards="gain"` the gain of each step; both sum to the score. Against
others it is the margin, unless other `rewards` are named.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from qwixx.errors import QwixxError
from qwixx.kernel.state.records import PASS
from qwixx.rl import batch
from qwixx.rl.encode import Bytes
from qwixx.rl.opponents import DRAWN, Named, Opponents, parties
from qwixx.rl.reset_position import start_of, starts_of
from qwixx.rl.single_game import RENDER_MODES, SingleGame, check_render_mode
from qwixx.rl.spaces import Space, check_rewards, describe, version_of
from qwixx.rl.stepping import NOBODY
from qwixx.text.arguments import require_int
from qwixx.variants import load, names
from qwixx.variants.model import Variant

REWARDS: Final = ("score", "gain")


def ids() -> dict[str, str]:
    """Return the registered ids and the variant each of them plays."""
    return {_id(name): name for name in names() if 1 in load(name).seats}


def against_ids() -> dict[str, str]:
    """Return the registered ids of games against named players, and the variant each of them plays."""
    return {_id(name, "Against"): name for name in names()}


def _id(name: str, kind: str = "") -> str:
    return f"qwixx/{name.title().replace('-', '')}{kind}-v{version_of(load(name))}"


def _spaces(space: Space) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
    """Return the spaces of one game: observations and actions."""
    seen = spaces.Box(np.zeros(space.size, np.int8), space.high(), dtype=np.int8)
    return seen, spaces.Discrete(space.actions)


class _OneSeatEnv(gymnasium.Env[Bytes, np.int64]):
    """One seat of one game. Steps are its decisions; chance and the opponents act automatically."""

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012 - Gymnasium's form

    def __init__(self, playing: SingleGame, seat: int, render_mode: str | None) -> None:
        """Decide for a seat of a game."""
        self.render_mode = check_render_mode(render_mode)
        self._playing = playing
        self._seat = seat
        self._gains = playing.pays_on_the_way
        self._size = playing.space.actions
        self.observation_space, self.action_space = _spaces(playing.space)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bytes, dict[str, Any]]:
        """
        Begin a game; chance comes from the environment's own generator.

        With `options={"position": line}` it begins there. Raises `QwixxError` for a line of another game or number of
        seats, of a finished game, or of one that the others end before this seat is asked.
        """
        start = start_of(self._playing.space, options)
        super().reset(seed=seed)
        self._sit_down(has_new_seed=seed is not None)
        self._playing.begin(self.np_random, start)
        seen, mask = self._playing.observe(self._seat)
        return seen, {"action_mask": mask, "illegal": False, **self._about_game()}

    def _sit_down(self, *, has_new_seed: bool) -> None:
        """Choose the seat for the next game; here it is always the same."""

    def _about_game(self) -> dict[str, Any]:
        """Return the `info` entries of the game that has begun."""
        return {}

    def step(self, action: np.int64 | npt.NDArray[np.integer] | int) -> tuple[Bytes, float, bool, bool, dict[str, Any]]:
        """
        Decide; an illegal action counts as a pass, or as the first legal action if passing is not legal.

        Raises `QwixxError` for a number that is not an action.
        """
        playing = self._playing
        if playing.asked == NOBODY:
            raise gymnasium.error.ResetNeeded("The game is over or has not begun: call reset() first.")
        number = require_int(action, f"An action from 0 to {self._size - 1}")
        if not 0 <= number < self._size:
            raise playing.refusal(number)
        illegal = not playing.step(number)
        if illegal and not playing.step(PASS):
            playing.step(int(playing.observe(self._seat)[1].argmax()))  # a card game: cards have to be drawn and played
        over = playing.asked == NOBODY
        reward = playing.pay()[self._seat] if over or self._gains else 0.0
        seen, mask = playing.observe(self._seat)
        return seen, reward, over, False, {"action_mask": mask, "illegal": illegal}

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return the mask as booleans, under the name that maskable learners use."""
        return self._playing.observe(self._seat)[1].astype(np.bool_)

    def render(self) -> Any:
        """Draw the table in the mode this environment was made with."""
        if self.render_mode is None:
            gymnasium.logger.warn("Name a render_mode when making the environment, such as 'ansi'.")
            return None
        return self._playing.render(self.render_mode)


class SolitaireEnv(_OneSeatEnv):
    """A solitaire game."""

    def __init__(
        self, variant: str | Path | Variant = "classic", *, rewards: str = "score", render_mode: str | None = None
    ) -> None:
        """Allocate a game. Raises `QwixxError`, a `ValueError`, for a variant without solitaire."""
        space = describe(variant, 1)
        super().__init__(SingleGame(space, check_rewards(rewards, 1, REWARDS)), 0, render_mode)


class AgainstEnv(_OneSeatEnv):
    """A game against named players."""

    def __init__(
        self,
        variant: str | Path | Variant = "classic",
        *,
        seats: int = 2,
        opponents: Named = None,
        seat: int | str | None = None,
        sheet: str | Path | None = None,
        rewards: str = "margin",
        render_mode: str | None = None,
    ) -> None:
        """
        Allocate a game; `reset` begins it.

        `opponents` names one player for all other seats; or several, ("gap", "easy"), clockwise from the own seat; or
        one for every seat but one, {1: "gap", 2: "easy"}. The default is the heuristic of the game. `seat` is the own
        seat, by default 0; "rotate" moves it by one from game to game, "random" draws it for each game. Raises
        `QwixxError`, a `ValueError`, if a player cannot play the game.
        """
        space = describe(variant, seats, sheet)
        self._parties = {own: Opponents(space, party) for own, party in parties(space, opponents, seat).items()}
        self._draws = seat == DRAWN
        self._turn = 0
        first = next(iter(self._parties))
        super().__init__(SingleGame(space, check_rewards(rewards, seats)), first, render_mode)

    def _sit_down(self, *, has_new_seed: bool) -> None:
        """Choose the seat of the next game, and seat the opponents around it."""
        if has_new_seed:
            self._turn = 0
        places = list(self._parties)
        at = int(self.np_random.integers(len(places))) if self._draws else self._turn % len(places)
        self._turn += 1
        self._seat = places[at]
        self._playing.opponents = self._parties[self._seat]

    def _about_game(self) -> dict[str, Any]:
        return {"seat": self._seat}


class SolitaireVectorEnv(VectorEnv[Bytes, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """
    Many games of one seat, advanced by one compiled call.

    When a game ends, the observation is already the first of the next game: the last one is in `info["final_obs"]`
    (same-step autoreset).
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # noqa: RUF012 - Gymnasium's form

    def __init__(
        self,
        variant: str | Path | Variant = "classic",
        *,
        num_envs: int = 1,
        rewards: str = "score",
        render_mode: str | None = None,
    ) -> None:
        """Allocate the games; `reset` begins them."""
        if render_mode is not None:
            raise QwixxError("Many games at once are not drawn; make one game with gymnasium.make to see it.")
        check_rewards(rewards, 1, REWARDS)
        self._batch = batch.Env(variant, num_envs, 1, rewards=rewards, illegal="pass", final=True)
        self.num_envs = num_envs
        self.single_observation_space, self.single_action_space = _spaces(self._batch.space)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bytes, dict[str, Any]]:
        """
        Begin all games; chance comes from the environment's own generator.

        With `options={"position": ...}` they begin there, all at one position line or each at its own; the games that
        follow in their slots are new ones.
        """
        starts_of(self._batch.space, options, self.num_envs)  # refused before the generator has advanced
        super().reset(seed=seed)
        self._batch.reset(int(self.np_random.integers(1 << 64, dtype=np.uint64)), options)
        return self._batch.observations.copy(), self._info()

    def step(
        self, actions: npt.NDArray[np.int64]
    ) -> tuple[Bytes, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Decide in every game; an illegal action counts as a pass."""
        games = self._batch
        games.step(actions)
        info = self._info()
        if games.terminations.any():
            ended = games.terminations.copy()
            last = np.full(self.num_envs, None, object)
            for at in np.flatnonzero(ended):
                last[at] = games.final[at].copy()
            info |= {"final_obs": last, "_final_obs": ended, "score": games.scores[:, 0].copy(), "_score": ended.copy()}
        return (
            games.observations.copy(),
            games.rewards[:, 0].copy(),
            games.terminations.copy(),
            np.zeros(self.num_envs, np.bool_),
            info,
        )

    def _info(self) -> dict[str, Any]:
        everywhere = np.ones(self.num_envs, np.bool_)
        return {
            "action_mask": self._batch.masks.copy(),
            "_action_mask": everywhere,
            "illegal": self._batch.illegal.copy(),
            "_illegal": everywhere.copy(),
        }


def register() -> None:
    """Register the ids with Gymnasium; importing this module does this."""
    for name, variant in ids().items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="qwixx.rl.gymnasium:SolitaireEnv",
                vector_entry_point="qwixx.rl.gymnasium:SolitaireVectorEnv",
                kwargs={"variant": variant},
            )
    for name, variant in against_ids().items():
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point="qwixx.rl.gymnasium:AgainstEnv", kwargs={"variant": variant})


register()
