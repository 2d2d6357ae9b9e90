"""
Just-in-time compilation: decorators, the cache on disk, tiering from interpreted to compiled code, fork safety.

Only `compiler` and `deferred` load numba (`wasm` does too, for the page). Rules of the game do not belong here.
"""
