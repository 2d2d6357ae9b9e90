"""
Dice from a seed: commitments that players can verify, and the dice of the day.

How a table publishes its commitment belongs to `server`.
"""

from typing import TYPE_CHECKING

from qwixx.base.lazy import lazy_names

if TYPE_CHECKING:
    from qwixx.fair.commitment import Checked, Fair, UnfairError, new_seed, promise_of, remarks, seal_of, verify

__all__ = ["Checked", "Fair", "UnfairError", "new_seed", "promise_of", "remarks", "seal_of", "verify"]

__getattr__, __dir__ = lazy_names(__name__)
