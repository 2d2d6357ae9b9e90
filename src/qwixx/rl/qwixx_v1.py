"""
Version 1 of the environments for PettingZoo, the card games: `env`, `raw_env` and `parallel_env`.

    from qwixx.rl import qwixx_v1

    env = qwixx_v1.env("cards", seats=3)
"""

from __future__ import annotations

from qwixx.rl.parallel import versioned

env, raw_env, parallel_env = versioned(1)
