"""
All nine games for PettingZoo, as agent-environment-cycle environments.

    from qwixx.rl import pettingzoo

    env = pettingzoo.env("classic", seats=3)
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

Named players can have some of the seats, and decide automatically: `pettingzoo.env("classic", opponents={1: "gap"})`.
In the white window the seats are asked one after the other, and none of them sees the choice of another. With `env` an
illegal action ends the game with the lowest reward for its agent, as in PettingZoo's own games; with `raw_env`, which
has no wrappers, it raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from qwixx.errors import QwixxError
from qwixx.rl.encode import Bytes
from qwixx.rl.reset_position import start_of
from qwixx.rl.single_game import RENDER_MODES, SingleGame, check_render_mode
from qwixx.rl.spaces import Space, check_rewards, describe
from qwixx.rl.stepping import NOBODY
from qwixx.variants.model import Variant

Observation = dict[str, Bytes]


class RawEnv(AECEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo does not ship its types
    """One game; agents are `player_0`, `player_1`, ... by seat, without the seats of opponents."""

    metadata: dict[str, Any] = {  # noqa: RUF012 - PettingZoo's form
        "name": "qwixx",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        space: Space,
        rewards: str,
        render_mode: str | None,
        illegal_reward: float | None = None,
        opponents: Mapping[int, str] | None = None,
    ) -> None:
        """Allocate a game; `reset` begins it. Without an `illegal_reward` an illegal action raises."""
        super().__init__()
        self.metadata = self.metadata | {"name": f"qwixx_v{space.version}"}
        self.space = space
        self.render_mode = check_render_mode(render_mode)
        self._playing = SingleGame(space, check_rewards(rewards, space.seats), opponents)
        self._gains = rewards == "gain"
        self._illegal_reward = illegal_reward
        self._generator: np.random.Generator | None = None
        self._names = [f"player_{seat}" for seat in range(space.seats)]
        self._seats = {name: seat for seat, name in enumerate(self._names) if seat not in (opponents or ())}
        self.possible_agents = list(self._seats)
        self.observation_spaces = {agent: _observation_space(space) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(space.actions) for agent in self.possible_agents}
        self.state_space = spaces.Box(np.zeros(space.state_size, np.int8), space.state_high(), dtype=np.int8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent, the same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent, the same object every time."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """
        Begin a game; without a seed its random numbers continue from the previous game.

        With `options={"position": line}` it begins there. Raises `QwixxError` for a line of another game or number of
        seats, or of a finished game.
        """
        start = start_of(self.space, options)
        if seed is not None or self._generator is None:
            self._generator, _ = seeding.np_random(seed)
        self._playing.begin(self._generator, start)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._names[self._playing.asked]

    def observe(self, agent: str) -> Observation:
        """Return the observation and the action mask of an agent; the mask is empty unless the agent is asked."""
        if agent not in self._seats:
            raise QwixxError(f"There is no agent {agent!r}; there are {', '.join(self._seats)}.")
        seen, mask = self._playing.observe(self._seats[agent])
        return {"observation": seen, "action_mask": mask}

    def deciding(self) -> list[str]:
        """List the agents that owe a decision in the open window, in the order in which they are asked."""
        return (
            [] if self._playing.asked == NOBODY else [n for n, seat in self._seats.items() if self._playing.owes(seat)]
        )

    def observe_window(self, agent: str, is_deciding: bool) -> Observation:
        """Return the observation of an agent in a window, with its legal actions if it owes a decision."""
        seen, mask = self._playing.observe_deciding(self._seats[agent], is_deciding)
        return {"observation": seen, "action_mask": mask}

    def check(self, agent: str, action: int) -> None:
        """Raise `QwixxError` if an agent that owes a decision may not take this action."""
        if not 0 <= action < self.space.actions or not self.observe_window(agent, True)["action_mask"][action]:
            raise self._playing.refusal(action, self._seats[agent])

    @property
    def pays(self) -> bool:
        """Whether the last step paid rewards: at the end, or at every step with rewards by gain."""
        return self._gains or self._playing.asked == NOBODY

    def state(self) -> Bytes:
        """
        Return the full state, including all hands and open choices, without future chance.

        For critics that learn from the full state. Its entries: `space.state_fields`.
        """
        return self._playing.observe_everything()

    def step(self, action: int | None) -> None:
        """Decide for the agent that is asked. Raises `QwixxError`, a `ValueError`, for an illegal action."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        playing = self._playing
        if action is None or not playing.step(int(action)):
            self._refuse(agent, action)
            return
        self._cumulative_rewards[agent] = 0.0
        if playing.asked == NOBODY or self._gains:
            paid = playing.pay()
            self.rewards = {name: paid[seat] for name, seat in self._seats.items()}
            self._accumulate_rewards()
        if playing.asked == NOBODY:
            self.terminations = dict.fromkeys(self.agents, True)
            scores = playing.scores()
            self.infos = {name: {"score": scores[seat]} for name, seat in self._seats.items()}
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self._names[playing.asked]
        if self.render_mode == "human":
            self.render()

    def _refuse(self, agent: str, action: int | None) -> None:
        """Raise for an illegal action, or end the game for all with a penalty for the agent."""
        if self._illegal_reward is None:
            if action is None:
                most = self.space.actions - 1
                raise QwixxError(f"None is only for agents that are done; actions are numbered from 0 to {most}.")
            raise self._playing.refusal(int(action))
        if action is None or not 0 <= action < self.space.actions:
            raise AssertionError("action is not in action space")  # the text of PettingZoo's own wrapper
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self.rewards[agent] = self._illegal_reward
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {name: {"illegal": name == agent} for name in self.agents}
        self._playing.stop()
        self.agent_selection = self.agents[0]

    def render(self) -> npt.NDArray[np.uint8] | str | None:
        """Draw the table as a spectator sees it, in the mode this environment was made with."""
        if self.render_mode is None:
            gymnasium.logger.warn("Name a render_mode when making the environment, such as 'ansi'.")
            return None
        return self._playing.render(self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""


def _observation_space(space: Space) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(np.zeros(space.size, np.int8), space.high(), dtype=np.int8),
            "action_mask": spaces.Box(0, 1, (space.actions,), np.int8),
        }
    )


def raw_env(
    variant: str | Path | Variant = "classic",
    seats: int = 2,
    *,
    sheet: str | Path | None = None,
    rewards: str = "margin",
    render_mode: str | None = None,
    opponents: Mapping[int, str] | None = None,
) -> RawEnv:
    """
    Make an environment without wrappers: an illegal action raises.

    `rewards` is "margin" (own score less the mean of the others), "win", "score" or "gain". `opponents` names players
    for some seats, such as {1: "gap"}: the agents are the other seats. Raises `QwixxError`, a `ValueError`, for a
    variant, a number of seats, rewards or players that do not exist.
    """
    return RawEnv(describe(variant, seats, sheet), rewards, render_mode, opponents=opponents)


def env(
    variant: str | Path | Variant = "classic",
    seats: int = 2,
    *,
    sheet: str | Path | None = None,
    rewards: str = "margin",
    render_mode: str | None = None,
    illegal_reward: float | None = None,
    opponents: Mapping[int, str] | None = None,
) -> AECEnv[str, Observation, int]:
    """
    Make an environment that handles illegal actions, with PettingZoo's wrapper that checks the order of calls.

    An illegal action ends the game for all; its agent gets `illegal_reward`, by default the lowest possible reward, so
    that it never pays, and the others get nothing. A number that is not an action is an `AssertionError`, and acting
    before `reset` an error, as everywhere in PettingZoo. `opponents` as with `raw_env`.
    """
    space = describe(variant, seats, sheet)
    lowest = space.reward_range(rewards)[0] if illegal_reward is None else illegal_reward
    ending = RawEnv(space, rewards, render_mode, lowest, opponents)
    return wrappers.OrderEnforcingWrapper(ending)
