"""The usual heuristic on a sheet: skip as few cells as possible."""

from __future__ import annotations

import re

from qwixx.errors import QwixxError
from qwixx.kernel.state.records import POSITIONS
from qwixx.players.heuristics import PAPER, HeuristicPlayer

WEIGHTS = {"most_skipped": 1, "most_skipped_or_miss": 5, "lock": 3, "effect": 1}
"""It takes a gap of one at any time, and up to five to avoid a miss; closing a row is worth a gap of three."""
GAP = HeuristicPlayer(
    "gap", "the smallest gap, up to one skipped cell, and up to five rather than a miss", {PAPER: WEIGHTS}
)
PLAYERS = (GAP,)
WIDEST = POSITIONS - 1
"""The most cells that can be skipped: no row is longer."""
NAMED = f"gap:0 to gap:{WIDEST}"
_NAME = re.compile(r"gap:(\d{1,2})")


def named(name: str) -> HeuristicPlayer | None:
    """Return the gap player for a name such as `gap:3`, which skips up to three cells; None for other names."""
    if not name.startswith("gap:"):
        return None
    match = _NAME.fullmatch(name)
    if not match or int(match[1]) > WIDEST:
        raise QwixxError(f"There is no player {name[:40]!r}; there are {NAMED}.")
    width = int(match[1])
    forced = max(width, WEIGHTS["most_skipped_or_miss"])
    weights = {**WEIGHTS, "most_skipped": width, "most_skipped_or_miss": forced}
    return HeuristicPlayer(name, f"the smallest gap, up to {width} skipped cells", {PAPER: weights})
