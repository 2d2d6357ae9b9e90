"""
A bot with the usual rule of thumb: lose as few cells as possible.

It looks at how many cells a cross would skip. A small gap it takes at any time; a larger one only instead of a miss.
"""

from __future__ import annotations

from collections.abc import Sequence

from qwixx.notation import Action
from qwixx.variants.model import Variant
from qwixx.view import SheetView, View

_EASY = 1
"""A gap up to this is taken at any time."""
_FORCED = 4
"""A gap up to this is taken rather than a miss."""


class GapBot:
    """Crosses the smallest gap and never looks further than that."""

    def __init__(self, variant: Variant) -> None:
        """Look at the sheet: where each cell stands in its row."""
        self._place = {
            f"{row.key}{cell.value}": (row.key, place) for row in variant.rows for place, cell in enumerate(row.cells)
        }
        self._ends = {f"{row.key}{cell.value}" for row in variant.rows for cell in row.cells[row.closes_from :]}
        self._numbers = {row.key: {cell.value: place for place, cell in enumerate(row.cells)} for row in variant.rows}

    def choose(self, view: View, legal: Sequence[Action]) -> Action:
        """Choose the action that skips least, or pass."""
        assert view.seat is not None
        following = self._following(view.sheets[view.seat])
        if view.phase == "draw":
            return max(legal, key=lambda action: self._worth_of_cards(view, following, action.text))
        best = max(legal, key=lambda action: self._worth(following, action.text))
        is_last_chance = view.seat == view.active and view.phase in ("color", "play") and not view.crossed
        limit = _FORCED if is_last_chance else _EASY
        passes = [action for action in legal if action.text == "pass"]
        return passes[0] if passes and self._worth(following, best.text)[0] < -limit else best

    def _following(self, sheet: SheetView) -> dict[str, int]:
        """Give the place right of the rightmost mark of each row."""
        return {
            row.key: 1 + max((self._numbers[row.key][number] for number in row.crosses), default=-1)
            for row in sheet.rows
        }

    def _worth(self, following: dict[str, int], text: str) -> tuple[int, int]:
        """Weigh an action: crosses less the cells they skip, then the number of cards it gets rid of."""
        played, _, crossed = text.removeprefix("play:").partition("=")
        cells = crossed.split(",") if crossed else [] if text.startswith("play:") else [text.partition(">")[0]]
        if text == "pass":
            return -_FORCED - 2, 0
        following = dict(following)
        worth = 0
        for cell in cells:
            if not cell:
                continue
            row, place = self._place[cell]
            gap = max(place - following[row], 0)
            worth += 4 if cell in self._ends else (2 if crossed else 0) - gap
            following[row] = place + 1
        return (worth, played.count(",")) if cells else (-_EASY, played.count(","))

    def _worth_of_cards(self, view: View, following: dict[str, int], text: str) -> int:
        """Weigh cards of the display by how near their numbers are to what comes next in the rows."""
        numbers = [view.display[int(place) - 1] for place in text.removeprefix("take:").split(",")]
        gaps = 0
        for number in numbers:
            ahead = [self._numbers[row].get(number or 0, -1) - at for row, at in following.items()]
            gaps += min((gap for gap in ahead if gap >= 0), default=len(self._place))
        return -gaps
