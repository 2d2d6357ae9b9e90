"""A fingerprint of many games: every state and every log, at every step, of a fixed set of random games.

Run as a program it prints the fingerprint of its own process, compiled or not:

    cd tests && QWIXX_JIT=0 python -m support.games.game_digest digest

With `compare` instead of `digest` it plays against the oracle, and prints the number of games.
"""

from __future__ import annotations

import hashlib
import sys
from random import Random

import numpy as np

from qwixx.jit.decorators import COMPILES
from qwixx.kernel import api
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, DEAL, OVER, ROLL, SHUFFLE, STATE, Records
from qwixx.variants import load
from qwixx.variants.layout import compile_layout
from support.games.engine_pair import SETTINGS, EnginePair, Setting
from support.games.random_positions import prepared

_MOST_STEPS = 5000


def fingerprint() -> str:
    """Play a game of every setting through the public functions of the kernel and hash everything visible."""
    digest = hashlib.sha256()
    for number, setting in enumerate(SETTINGS):
        _play(setting, number, digest)
    return digest.hexdigest()


def _play(setting: Setting, number: int, digest: hashlib._Hash) -> None:
    layouts = compile_layout(load(setting.variant, setting.sheet if setting.is_cards else None))
    states: Records = np.zeros(1, STATE)
    copies: Records = np.zeros(1, STATE)
    log, actions = new_log(), np.zeros(ACTIONS, np.int32)
    rng = Random(number)
    api.begin(layouts, states, 0, np.uint64(2**63 + number), np.uint64(number), setting.seats, -1)
    for _ in range(_MOST_STEPS):
        digest.update(states.tobytes())
        if states[0].phase == OVER:
            break
        if states[0].phase in (ROLL, DEAL, SHUFFLE):
            digest.update(bytes([api.roll(layouts, states, 0, log)]))
        else:
            seat = rng.choice([s for s in range(setting.seats) if states[0].waiting >> s & 1])
            count = api.legal(layouts, states, 0, seat, actions)
            digest.update(actions[:count].tobytes())
            wish = int(actions[rng.randrange(count)]) if rng.random() < 0.9 else rng.randrange(ACTIONS)
            digest.update(bytes([api.decide(layouts, states, 0, seat, wish, log)]))
        digest.update(log[: log[0]].tobytes())
    else:
        raise AssertionError(f"{setting} does not end")
    for seat in range(setting.seats):
        api.redact(layouts, states, 0, copies, seat)
        digest.update(copies.tobytes() + str(api.score(layouts, states, 0, seat)).encode())


def compare_engines() -> int:
    """Play two games from the middle of every setting against the oracle; return their number."""
    for setting in SETTINGS:
        for seed in range(2):
            rng = Random(f"interpreted {setting} {seed}")
            EnginePair.prepared(setting, prepared(setting, rng), seed).play(rng)
    return 2 * len(SETTINGS)


if __name__ == "__main__":
    answer = compare_engines() if sys.argv[1:] == ["compare"] else fingerprint()
    sys.stdout.write(f"{'compiled' if COMPILES else 'interpreted'} {answer}\n")
