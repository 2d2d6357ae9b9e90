"""
Nine games of the Qwixx family on one engine: play them, study them, build on them.

>>> import qwixx
>>> game = qwixx.Game("classic", seats=2, seed=1)
>>> game.deciders()
()
"""

from importlib import import_module
from typing import TYPE_CHECKING

from qwixx.errors import (
    IllegalAction,
    NotationError,
    NotYourTurn,
    PositionError,
    Problem,
    QwixxError,
    RecordError,
    Refusal,
    SheetError,
    UnknownVariant,
)
from qwixx.events import Event
from qwixx.game import Game, Outcome
from qwixx.notation import Action
from qwixx.variants import Variant
from qwixx.variants import load as variant
from qwixx.variants import names as games
from qwixx.view import View

if TYPE_CHECKING:
    from qwixx.players import Player
    from qwixx.sim import simulate
    from qwixx.solver import solve

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Event",
    "Game",
    "IllegalAction",
    "NotYourTurn",
    "NotationError",
    "Outcome",
    "Player",
    "PositionError",
    "Problem",
    "QwixxError",
    "RecordError",
    "Refusal",
    "SheetError",
    "UnknownVariant",
    "Variant",
    "View",
    "games",
    "simulate",
    "solve",
    "variant",
]

if not TYPE_CHECKING:  # to a type checker this would make every name one of the package's

    def __getattr__(name: str) -> object:
        """Load the packages for studies when they are asked for: most programs play, and need not wait for them."""
        if name in ("players", "sim", "solver"):
            return import_module(f"qwixx.{name}")
        if name == "Player":
            from qwixx.players import Player  # noqa: PLC0415 - see above

            return Player
        if name == "simulate":
            from qwixx.sim import simulate  # noqa: PLC0415 - see above

            return simulate
        if name == "solve":
            from qwixx.solver import solve  # noqa: PLC0415 - see above

            return solve
        raise AttributeError(f"module 'qwixx' has no attribute {name!r}")
