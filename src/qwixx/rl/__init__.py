"""
The games as environments: Gymnasium, PettingZoo, OpenSpiel, and many games at once in plain NumPy.

Adapters without opinions: every rule comes from the kernel, every adapter shows the same observation and the same
compact actions, which `qwixx.rl.spaces` describes. Nothing here is imported by the rest of the package, and each
adapter needs only its own package: `qwixx.rl.batch` needs NumPy alone.
"""
