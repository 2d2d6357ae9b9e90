"""
Reinforcement learning environments: Gymnasium, PettingZoo, OpenSpiel, and batches of games in plain NumPy.

There are no rules here: they come from the kernel. Every adapter has the same observations and the same compact
actions, which `qwixx.rl.spaces` describes. Nothing here is imported by the rest of the package, and each
adapter needs only its own package: `qwixx.rl.batch` needs NumPy alone.
"""
