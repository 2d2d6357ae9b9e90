"""
The games for PettingZoo in parallel form: all seats of a window decide at the same time.

    from qwixx.rl.parallel import parallel_env

    env = parallel_env("classic", seats=3)
    observations, infos = env.reset(seed=42)
    while env.agents:
        actions = {agent: env.action_space(agent).sample(seen["action_mask"]) for agent, seen in observations.items()}
        observations, rewards, terminations, truncations, infos = env.step(actions)

A step is one window: the white sum for all seats, then the color sums for the active one. A seat that has nothing to
decide has an empty mask, and its action is ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from pettingzoo import ParallelEnv

from qwixx.errors import QwixxError
from qwixx.rl.pettingzoo import Observation, RawEnv, env, raw_env
from qwixx.rl.spaces import describe
from qwixx.variants.model import Variant

Paid = dict[str, float]
Maker = Callable[..., Any]
P = ParamSpec("P")
T = TypeVar("T")


class WindowEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]  # PettingZoo does not ship its types
    """One game, a window at a time; agents are those of `raw_env`."""

    def __init__(self, game: RawEnv) -> None:
        """Play this game."""
        self._game = game
        self.metadata = game.metadata | {"is_parallelizable": True}
        self.render_mode = game.render_mode
        self.possible_agents = game.possible_agents
        self.observation_spaces, self.action_spaces = game.observation_spaces, game.action_spaces
        self.observation_space, self.action_space = game.observation_space, game.action_space
        self.state_space, self.state, self.render, self.close = game.state_space, game.state, game.render, game.close
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a game, as `raw_env` does."""
        self._game.reset(seed, options)
        self.agents = self.possible_agents[:]
        return self._observe(), {agent: {} for agent in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[dict[str, Observation], Paid, dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Decide for all seats of the window. An illegal action raises `QwixxError`, and nothing changes."""
        if not self.agents:
            raise QwixxError("The game is over or has not begun: call reset() first.")
        due = self._game.deciding()
        if missing := [agent for agent in due if agent not in actions]:
            raise QwixxError(f"{missing[0]} has to decide, and has no action.")
        for agent in due:
            self._game.check(agent, int(actions[agent]))
        paid = dict.fromkeys(self.agents, 0.0)
        for _ in due:
            self._game.step(int(actions[self._game.agent_selection]))
            if self._game.pays:
                for agent in self.agents:
                    paid[agent] += self._game.rewards[agent]
        ended = dict(self._game.terminations)
        answer = self._observe(), paid, ended, dict.fromkeys(self.agents, False), dict(self._game.infos)
        if all(ended.values()):
            self.agents = []
        return answer

    def _observe(self) -> dict[str, Observation]:
        due = self._game.deciding()
        return {agent: self._game.observe_window(agent, agent in due) for agent in self.possible_agents}


def _with_arguments_of(make: Callable[P, Any]) -> Callable[[Callable[..., T]], Callable[P, T]]:
    """Give a function the signature of another one, which it passes its arguments to."""

    def typed(function: Callable[..., T]) -> Callable[P, T]:
        vars(function)["__signature__"] = signature(make)
        return function

    return typed


@_with_arguments_of(raw_env)
def parallel_env(*arguments: Any, **options: Any) -> WindowEnv:
    """Make an environment in which all seats of a window decide at the same time; the arguments are `raw_env`'s."""
    return WindowEnv(raw_env(*arguments, **options))


def versioned(version: int) -> tuple[Maker, Maker, Maker]:
    """Return `env`, `raw_env` and `parallel_env` for the games whose observations have this version."""
    return _only(version, env), _only(version, raw_env), _only(version, parallel_env)


def _only(version: int, make: Maker) -> Maker:
    first = "classic" if version == 0 else "cards"

    @wraps(make)
    def checked(variant: str | Path | Variant = first, seats: int = 2, **options: Any) -> Any:
        space = describe(variant, seats, options.get("sheet"))
        if space.version != version:
            raise QwixxError(f"{space.variant.id} is in qwixx_v{space.version}, not in qwixx_v{version}.")
        return make(variant, seats, **options)

    return checked
