"""
A fingerprint of many games: every state and every trail, at every step, of a fixed set of random games.

Run as a program it prints the fingerprint of its own process, compiled or not:

    QWIXX_JIT=0 python tests/digest.py digest
    QWIXX_JIT=0 python tests/digest.py duet      # plays against the witness instead, and prints how many games
"""

from __future__ import annotations

import hashlib
import sys
from random import Random

import numpy as np

from duet import SETTINGS, Duet, Setting
from prepared import prepared
from qwixx.kernel import door
from qwixx.kernel.jit import COMPILES
from qwixx.kernel.records import ACTIONS, DEAL, OVER, ROLL, SHUFFLE, STATE, Records
from qwixx.kernel.trail import new_trail
from qwixx.variants import load
from qwixx.variants.compile import compile_layout

_MOST_STEPS = 5000


def fingerprint() -> str:
    """Play a game of every setting through the kernel's door and hash all that can be seen of it."""
    digest = hashlib.sha256()
    for number, setting in enumerate(SETTINGS):
        _play(setting, number, digest)
    return digest.hexdigest()


def _play(setting: Setting, number: int, digest: hashlib._Hash) -> None:
    layouts = compile_layout(load(setting.variant, setting.sheet if setting.is_cards else None))
    states: Records = np.zeros(1, STATE)
    copies: Records = np.zeros(1, STATE)
    trail, actions = new_trail(), np.zeros(ACTIONS, np.int32)
    rng = Random(number)
    door.begin(layouts, states, 0, np.uint64(2**63 + number), np.uint64(number), setting.seats, -1)
    for _ in range(_MOST_STEPS):
        digest.update(states.tobytes())
        if states[0].phase == OVER:
            break
        if states[0].phase in (ROLL, DEAL, SHUFFLE):
            digest.update(bytes([door.roll(layouts, states, 0, trail)]))
        else:
            seat = rng.choice([s for s in range(setting.seats) if states[0].waiting >> s & 1])
            count = door.legal(layouts, states, 0, seat, actions)
            digest.update(actions[:count].tobytes())
            wish = int(actions[rng.randrange(count)]) if rng.random() < 0.9 else rng.randrange(ACTIONS)
            digest.update(bytes([door.decide(layouts, states, 0, seat, wish, trail)]))
        digest.update(trail[: trail[0]].tobytes())
    else:
        raise AssertionError(f"{setting} does not end")
    for seat in range(setting.seats):
        door.redact(layouts, states, 0, copies, seat)
        digest.update(copies.tobytes() + str(door.score(layouts, states, 0, seat)).encode())


def play_duets() -> int:
    """Play two games from the middle of every setting against the witness; give their number."""
    for setting in SETTINGS:
        for seed in range(2):
            rng = Random(f"interpreted {setting} {seed}")
            Duet.prepared(setting, prepared(setting, rng), seed).play(rng)
    return 2 * len(SETTINGS)


if __name__ == "__main__":
    answer = play_duets() if sys.argv[1:] == ["duet"] else fingerprint()
    sys.stdout.write(f"{'compiled' if COMPILES else 'interpreted'} {answer}\n")
