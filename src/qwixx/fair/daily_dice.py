"""
The dice of a day: the same for everybody, turn by turn, whatever they decided before.

Every throw is a number of its own, drawn from the date, the game and the turn. A server mixes a secret in, so that
nobody can work the dice out; a page without a server takes the published recipe, which has none. docs/formats.md
describes it, and `page/src/local/recipe.ts` follows the same steps.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

import qwixx
from qwixx.notation import lucky_text
from qwixx.variants.model import COLORS, Pad

_PAD = 0
"""The number of the draw that deals the lucky numbers; the turns are counted from 1."""
_DICE = 2 + len(COLORS)


@dataclass(frozen=True, slots=True)
class Day:
    """One game on one date."""

    date: str
    """As in 2026-11-16, in UTC."""
    variant: str
    secret: bytes = b""
    """Without one this is the published recipe."""

    def pad(self) -> Pad | None:
        """Deal a pad of lucky numbers; None where there are none."""
        pads = qwixx.variant(self.variant).lucky
        return pads[self._number(_PAD) % len(pads)] if pads else None

    def lucky(self) -> list[str] | None:
        """Give what `Game` takes as the lucky numbers of its one seat."""
        pad = self.pad()
        return None if pad is None else [lucky_text(pad)]

    def throw(self, game: qwixx.Game) -> str:
        """Write the dice of the turn that a game is in; those that have left stay away, the others are as ever."""
        faces = self.faces(game.turn, game.variant.sides)
        colors = "".join("-" if c in game.gone else str(n) for c, n in zip(COLORS, faces[2:], strict=True))
        return f"{faces[0]}{faces[1]}/{colors}"

    def faces(self, turn: int, sides: int) -> list[int]:
        """Give what all dice of a turn show: the last digits of its number, to the base of a die's sides."""
        number, faces = self._number(turn), []
        for _ in range(_DICE):
            number, digit = divmod(number, sides)
            faces.append(1 + digit)
        return faces

    def _number(self, draw: int) -> int:
        words = f"qwixx today {self.date} {self.variant} {draw}".encode()
        digest = hmac.digest(self.secret, words, "sha256") if self.secret else hashlib.sha256(words).digest()
        return int.from_bytes(digest, "big")
