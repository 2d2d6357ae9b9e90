"""
Nine games of the Qwixx family on one engine: play them, study them, build on them.

>>> import qwixx
>>> game = qwixx.Game("classic", seats=2, seed=1)
>>> game.deciders()
()
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qwixx.advice import Advice, advise
    from qwixx.analysis import Analysis, analyse, hint
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
    from qwixx.players import Player
    from qwixx.question import Question
    from qwixx.sim import Results, simulate
    from qwixx.solver import solve
    from qwixx.variants import Variant
    from qwixx.variants import load as variant
    from qwixx.variants import names as games
    from qwixx.view import View

__version__ = "0.1.0"

__all__ = [
    "Action",
    "Advice",
    "Analysis",
    "Event",
    "Game",
    "IllegalAction",
    "NotYourTurn",
    "NotationError",
    "Outcome",
    "Player",
    "PositionError",
    "Problem",
    "Question",
    "QwixxError",
    "RecordError",
    "Refusal",
    "Results",
    "SheetError",
    "UnknownVariant",
    "Variant",
    "View",
    "advise",
    "analyse",
    "games",
    "hint",
    "simulate",
    "solve",
    "variant",
]

if not TYPE_CHECKING:  # to a type checker `__getattr__` would make every name one of the package's
    _ERRORS = (
        "IllegalAction NotYourTurn NotationError PositionError Problem QwixxError RecordError Refusal SheetError"
        " UnknownVariant"
    )
    _HOMES = {
        **dict.fromkeys(_ERRORS.split(), "errors"),
        "Action": "notation",
        "Advice": "advice",
        "Analysis": "analysis",
        "Event": "events",
        "Game": "game",
        "Outcome": "game",
        "Player": "players",
        "Question": "question",
        "Results": "sim",
        "Variant": "variants",
        "View": "view",
        "advise": "advice",
        "analyse": "analysis",
        "games": "variants",
        "hint": "analysis",
        "simulate": "sim",
        "solve": "solver",
        "variant": "variants",
    }
    _CALLED = {"games": "names", "variant": "load"}
    """What goes by another name at home."""
    _PARTS = (
        "advice",
        "analysis",
        "errors",
        "events",
        "game",
        "notation",
        "players",
        "rl",
        "sim",
        "solver",
        "testing",
        "variants",
        "view",
    )

    def __getattr__(name: str) -> object:
        """Load each part when it is first asked for: whoever needs little waits little."""
        if name in _PARTS:
            return import_module(f"qwixx.{name}")
        if name not in _HOMES:
            raise AttributeError(f"module 'qwixx' has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"qwixx.{_HOMES[name]}"), _CALLED.get(name, name))
        return found

    def __dir__() -> list[str]:
        """List what there is, loaded or not."""
        return sorted({*globals(), *__all__, *_PARTS})
