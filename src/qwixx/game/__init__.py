"""
The game object of the library: `Game`, its views, events and questions, and determinization.

Rules belong to `kernel`; parsing and notation to `text`.
"""

from typing import TYPE_CHECKING

from qwixx.base.lazy import lazy_names

if TYPE_CHECKING:
    from qwixx.game.game import Game, Outcome

__all__ = ["Game", "Outcome"]

__getattr__, __dir__ = lazy_names(__name__)
