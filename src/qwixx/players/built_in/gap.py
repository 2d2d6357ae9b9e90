"""The usual rule of thumb on a sheet: lose as few cells as possible."""

from __future__ import annotations

import re

from qwixx.errors import QwixxError
from qwixx.kernel.records import POSITIONS
from qwixx.players.weights import PAPER, Weigher

WEIGHTS = {"most_skipped": 1, "most_skipped_or_miss": 5, "lock": 3, "effect": 1}
"""A gap of one is taken at any time, up to five rather than a miss; closing a row is worth a gap of three."""
GAP = Weigher("gap", "the smallest gap, up to one skipped cell, and up to five rather than a miss", {PAPER: WEIGHTS})
PLAYERS = (GAP,)
WIDEST = POSITIONS - 1
"""Nobody can skip more cells: no row is longer."""
NAMED = f"gap:0 to gap:{WIDEST}"
_NAME = re.compile(r"gap:(\d{1,2})")


def named(name: str) -> Weigher | None:
    """Give the gap player that skips so many cells, for a name such as `gap:3`; None for other names."""
    if not name.startswith("gap:"):
        return None
    found = _NAME.fullmatch(name)
    if not found or int(found[1]) > WIDEST:
        raise QwixxError(f"There is no player {name[:40]!r}; there are {NAMED}.")
    width = int(found[1])
    forced = max(width, WEIGHTS["most_skipped_or_miss"])
    weights = {**WEIGHTS, "most_skipped": width, "most_skipped_or_miss": forced}
    return Weigher(name, f"the smallest gap, up to {width} skipped cells", {PAPER: weights})
