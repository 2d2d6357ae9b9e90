"""
Version 0 of the environments for PettingZoo, the dice games and the duel: `env`, `raw_env` and `parallel_env`.

    from qwixx.rl import qwixx_v0

    env = qwixx_v0.env("classic", seats=3)
"""

from __future__ import annotations

from qwixx.rl.parallel import versioned

env, raw_env, parallel_env = versioned(0)
