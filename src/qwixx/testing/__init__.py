"""
Checks that users of the library can run: `conformance` for a custom sheet, `perft` counts for another engine.

Tests of this project are in `tests`, not here.
"""

from typing import TYPE_CHECKING

from qwixx.base.lazy import lazy_names

if TYPE_CHECKING:
    from qwixx.testing.conformance_check import conformance

__all__ = ["conformance"]

__getattr__, __dir__ = lazy_names(__name__)
