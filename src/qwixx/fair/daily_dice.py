"""
The dice of a day: the same for all players, turn by turn, independent of their decisions.

Every throw is a hash of the date, the game and the turn. A server adds a secret, so that players cannot compute the
dice in advance; a page without a server uses the published recipe without a secret. docs/formats.md describes it, and
`page/src/fair/dailyDice.ts` follows the same steps.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass

import qwixx
from qwixx.text.notation import lucky_text
from qwixx.variants.model import COLORS, Pad

_PAD = 0
"""The draw for the lucky numbers; the turns are counted from 1."""
_DICE = 2 + len(COLORS)


@dataclass(frozen=True, slots=True)
class Day:
    """One game on one date."""

    date: str
    """Such as 2026-11-16, in UTC."""
    variant: str
    secret: bytes = b""
    """Empty for the published recipe."""

    def pad(self) -> Pad | None:
        """Return the pad of lucky numbers; None if the game has none."""
        pads = qwixx.variant(self.variant).lucky
        return pads[self._number(_PAD) % len(pads)] if pads else None

    def lucky(self) -> list[str] | None:
        """Return the lucky numbers of the one seat, in the form that `Game` takes."""
        pad = self.pad()
        return None if pad is None else [lucky_text(pad)]

    def throw(self, game: qwixx.Game) -> str:
        """Write the dice of the current turn of a game; dice that have left do not change the others."""
        faces = self.faces(game.turn, game.variant.sides)
        colors = "".join("-" if c in game.gone else str(n) for c, n in zip(COLORS, faces[2:], strict=True))
        return f"{faces[0]}{faces[1]}/{colors}"

    def faces(self, turn: int, sides: int) -> list[int]:
        """Return the faces of all dice of a turn: the last digits of its number, to the base of a die's sides."""
        number, faces = self._number(turn), []
        for _ in range(_DICE):
            number, digit = divmod(number, sides)
            faces.append(1 + digit)
        return faces

    def _number(self, draw: int) -> int:
        words = f"qwixx today {self.date} {self.variant} {draw}".encode()
        digest = hmac.digest(self.secret, words, "sha256") if self.secret else hashlib.sha256(words).digest()
        return int.from_bytes(digest, "big")
