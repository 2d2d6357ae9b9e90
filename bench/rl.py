"""
Decisions per second of random play: every adapter, next to the games of its own package, in one run.

    python -m bench.rl [--seconds 2]            # writes bench/rl.md, the source of the numbers in docs/environments.md

Everything runs on one core and is measured in CPU seconds, so other work on the machine matters little. The same loops
run our games and theirs. Missing packages are left out: `pygame` for PettingZoo's classic games, `pgx` and `jax` for
pgx. Decisions are choices of players; OpenSpiel's steps include chance.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import time
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import gymnasium
import numpy as np
import pyspiel
from bench.run import heading

import qwixx.rl.gymnasium
import qwixx.rl.openspiel
import qwixx.rl.pettingzoo
from qwixx.rl.batch import Env

Count = tuple[int, int]
"""Decisions, and steps with chance included."""


def measure(work: Callable[[], Iterator[Count]], seconds: float) -> tuple[float, float]:
    """Run a generator of counts for some CPU seconds, after a warm-up; return decisions and steps per second."""
    counts = work()
    next(counts)
    decisions = steps = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        one, two = next(counts)
        decisions, steps = decisions + one, steps + two
    spent = time.process_time() - began
    return decisions / spent, steps / spent


# ---- many games together


def batch(variant: str, seats: int, n: int, *, shown: bool) -> Iterator[Count]:
    """Advance a batch at random, with observations and masks or without."""
    env = Env(variant, n=n, seats=seats, seed=1, observations=shown, masks=shown)
    generator = np.random.default_rng(1)
    while True:
        env.step_ranked(generator.integers(0, 1 << 30, n, dtype=np.int32))
        yield n, n


def pgx(name: str, n: int) -> Iterator[Count]:
    """Advance a batch of a game of pgx at random, with its own automatic reset."""
    jax, library = importlib.import_module("jax"), importlib.import_module("pgx")
    wrappers = importlib.import_module("pgx.experimental.wrappers")
    env = library.make(name)
    step = wrappers.auto_reset(env.step, env.init)

    def advance(state: Any, key: Any) -> tuple[Any, Any]:
        key, chosen, chance = jax.random.split(key, 3)
        logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        actions = jax.random.categorical(chosen, logits, axis=1)
        return jax.vmap(step)(state, actions, jax.random.split(chance, n)), key

    fast = jax.jit(lambda state, key: jax.lax.fori_loop(0, 50, lambda _, pair: advance(*pair), (state, key)))
    key = jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, n))
    while True:
        state, key = jax.block_until_ready(fast(state, key))
        yield 50 * n, 50 * n


# ---- Gymnasium


def gym(name: str, **options: Any) -> Iterator[Count]:
    """Step one environment of `gymnasium.make`: by its masks, if it has any, or by actions drawn before."""
    env = gymnasium.make(name, **options)
    random = Random(1)
    _, info = env.reset(seed=1)
    env.action_space.seed(1)
    blind = [env.action_space.sample() for _ in range(997)]
    done = 0
    while True:
        for _ in range(200):
            action = blind[done % 997]
            if "action_mask" in info:
                legal = info["action_mask"].nonzero()[0]
                action = legal[int(random.random() * len(legal))]
            _, _, terminated, truncated, info = env.step(action)
            done += 1
            if terminated or truncated:
                _, info = env.reset()
        yield 200, 200


def gym_vector(name: str, n: int) -> Iterator[Count]:
    """Step many environments of `gymnasium.make_vec`, with actions drawn before."""
    envs = gymnasium.make_vec(name, num_envs=n)
    envs.reset(seed=1)
    envs.action_space.seed(1)
    actions = [envs.action_space.sample() for _ in range(16)]
    while True:
        for action in actions:
            envs.step(action)
        yield 16 * n, 16 * n


# ---- PettingZoo


def zoo(make: Callable[[], Any]) -> Iterator[Count]:
    """Play an agent-environment cycle by its masks, if it has any."""
    env, random, game = make(), Random(1), 0
    while True:
        env.reset(seed=game)
        game, decisions = game + 1, 0
        for agent in env.agent_iter():
            seen, _, terminated, truncated, _ = env.last()
            action = None
            if not (terminated or truncated):
                decisions += 1
                if isinstance(seen, dict):
                    legal = seen["action_mask"].nonzero()[0]
                    action = int(legal[int(random.random() * len(legal))])
                else:
                    action = int(random.random() * env.action_space(agent).n)
            env.step(action)
        yield decisions, decisions


def zoo_classic(name: str, maker: str) -> Callable[[], Any]:
    """Find one of PettingZoo's classic games."""
    found: Callable[[], Any] = getattr(importlib.import_module(f"pettingzoo.classic.{name}"), maker)
    return found


# ---- OpenSpiel


def spiel(text: str) -> Iterator[Count]:
    """Play a game of OpenSpiel from a Python loop."""
    game, random = pyspiel.load_game(text), Random(1)
    while True:
        state, decisions, steps = game.new_initial_state(), 0, 0
        while not state.is_terminal():
            steps += 1
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(random.random() * len(outcomes))][0])
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(random.random() * len(actions))])
                decisions += 1
        yield decisions, steps


def spiel_rollouts(text: str) -> Iterator[Count]:
    """Play whole random games inside OpenSpiel: the rollouts of a search that does nothing else.

    Only for games that are written in C++: for a game that is written in Python, this search crashes. It evaluates two
    positions near the start; the length of games is counted from Python before.
    """
    game, counting = pyspiel.load_game(text), spiel(text)
    played = [next(counting) for _ in range(200)]
    decisions, steps = (sum(count) // len(played) for count in zip(*played, strict=True))
    state = game.new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    rollouts = 500
    while True:
        search = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(rollouts, 1), 1.0, 2, 100, False, 1, False)
        search.step(state)
        yield 2 * rollouts * decisions, 2 * rollouts * steps


# ---- the table


def ours_and_theirs() -> Iterator[tuple[str, str, Callable[[], Iterator[Count]]]]:
    """List the comparisons: the kind of environment, the game, and the loop."""
    for shown, way in ((True, "batch of 4096, observations and masks"), (False, "batch of 4096, nothing shown")):
        for variant, seats in (
            ("classic", 1),
            ("classic", 2),
            ("classic", 5),
            ("bonus-b", 2),
            ("longo", 2),
            ("duel", 2),
        ):
            name = f"qwixx {variant}, {seats} seat{'s' * (seats > 1)}"
            yield way, name, lambda v=variant, s=seats, o=shown: batch(v, s, 4096, shown=o)  # type: ignore[misc]
        yield way, "qwixx cards, 2 seats", lambda o=shown: batch("cards", 2, 4096, shown=o)  # type: ignore[misc]
        if shown and _has("pgx", "jax"):
            for name in ("2048", "backgammon", "tic_tac_toe"):
                yield way, f"pgx {name}", lambda name=name: pgx(name, 4096)  # type: ignore[misc]
    yield "inside OpenSpiel, C++ rollouts", "pig", lambda: spiel_rollouts("pig")
    yield "inside OpenSpiel, C++ rollouts", "backgammon", lambda: spiel_rollouts("backgammon")
    for text in ("qwixx", "qwixx(players=5)", "qwixx(variant=cards)"):
        yield "OpenSpiel from Python", text, lambda text=text: spiel(text)  # type: ignore[misc]
    for text in ("python_tic_tac_toe", "python_kuhn_poker", "python_liars_poker", "python_block_dominoes", "pig"):
        yield "OpenSpiel from Python", text, lambda text=text: spiel(text)  # type: ignore[misc]
    for maker, way in (("env", "PettingZoo, wrapped"), ("raw_env", "PettingZoo, raw")):
        yield way, "qwixx classic, 2 seats", lambda m=maker: zoo(getattr(qwixx.rl.pettingzoo, m))  # type: ignore[misc]
        if _has("pygame"):
            for name in ("tictactoe_v3", "connect_four_v3", "rps_v2"):
                yield way, name, lambda n=name, m=maker: zoo(zoo_classic(n, m))  # type: ignore[misc]
    for name in ("qwixx/Classic-v0", "CliffWalking-v1", "CartPole-v1", "FrozenLake-v1", "Taxi-v4", "Blackjack-v1"):
        yield "Gymnasium, one", name, lambda name=name: gym(name)  # type: ignore[misc]
    for name in ("qwixx/Classic-v0", "CartPole-v1", "Blackjack-v1"):
        yield "Gymnasium, 1024 at once", name, lambda name=name: gym_vector(name, 1024)  # type: ignore[misc]


def _has(*modules: str) -> bool:
    return all(importlib.util.find_spec(module) is not None for module in modules)


PAGE = Path(__file__).with_name("rl.md")
PACKAGES = ("numba", "numpy", "gymnasium", "pettingzoo", "open_spiel", "pgx", "jax", "pygame")
NOTES = """
Random play, per CPU second. PettingZoo, Gymnasium, pgx and our adapters roll the dice inside a step. Only OpenSpiel
counts chance as steps: a roll of six dice is six steps, so classic with two seats has three steps for each decision
there. CartPole's vector is arithmetic on four floats without any rules.
"""


def versions() -> str:
    """Return the names and versions of the measured packages."""
    return ", ".join(f"{name} {version(name)}" for name in PACKAGES if _has(name.replace("-", "_")))


def table(seconds: float) -> Iterator[str]:
    """Measure everything, line by line."""
    yield "| way | game | decisions/s | steps/s, chance included |"
    yield "|---|---|---|---|"
    for way, game, work in ours_and_theirs():
        decisions, steps = measure(work, seconds)
        with_chance = f"{steps:,.0f}" if "OpenSpiel" in way else ""
        yield f"| {way} | {game} | {decisions:,.0f} | {with_chance} |"


def main() -> None:
    """Measure everything, print it and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--out", type=Path, default=PAGE)
    chosen = parser.parse_args()
    warnings.simplefilter("ignore")  # the other packages' own
    for name in ("tic_tac_toe", "kuhn_poker", "liars_poker", "block_dominoes"):
        importlib.import_module(f"open_spiel.python.games.{name}")
    command = f"python -m bench.rl --seconds {chosen.seconds:g}"
    page = ["# Environments: decisions per second", "", f"Written by `{command}`; do not edit.", ""]
    page += [line for line in heading([]) if line.startswith("- ") and not line.startswith("- Command")]
    page += [f"- Versions: {versions()}", ""]
    for line in table(chosen.seconds):
        print(line, flush=True)
        page.append(line)
    chosen.out.write_text("\n".join(page) + "\n" + NOTES, "utf-8")


if __name__ == "__main__":
    main()
