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
    from qwixx import coach as analysis  # noqa: F401 - its name in older programs
    from qwixx.coach import Analysis, analyse, hint
    from qwixx.coach import advice as advice
    from qwixx.coach.advice import Advice, advise
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
    from qwixx.game import events as events
    from qwixx.game import view as view
    from qwixx.game.events import Event
    from qwixx.game.game import Game, Outcome
    from qwixx.game.question import Question
    from qwixx.game.view import View
    from qwixx.players import Player
    from qwixx.sim import Results, simulate
    from qwixx.solver import solve
    from qwixx.text import notation as notation
    from qwixx.text.notation import Action
    from qwixx.variants import Variant
    from qwixx.variants import load as variant
    from qwixx.variants import names as games

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
        "Action": "text.notation",
        "Advice": "coach.advice",
        "Analysis": "coach",
        "Event": "game.events",
        "Game": "game.game",
        "Outcome": "game.game",
        "Player": "players",
        "Question": "game.question",
        "Results": "sim",
        "Variant": "variants",
        "View": "game.view",
        "advise": "coach.advice",
        "analyse": "coach",
        "games": "variants",
        "hint": "coach",
        "simulate": "sim",
        "solve": "solver",
        "variant": "variants",
    }
    _NAMES_AT_HOME = {"games": "names", "variant": "load"}
    """Names that differ from the name in their module."""
    _PARTS = {
        **{name: name for name in ("coach", "errors", "fair", "game", "players", "rl", "sim", "solver")},
        **{name: name for name in ("testing", "variants")},
        "advice": "coach.advice",
        "analysis": "coach",
        "events": "game.events",
        "notation": "text.notation",
        "view": "game.view",
    }
    """Modules that are attributes of the package, and where they are."""

    def __getattr__(name: str) -> object:
        """Load each module on first use, so that the import stays fast."""
        if name in _PARTS:
            return import_module(f"qwixx.{_PARTS[name]}")
        if name not in _HOMES:
            raise AttributeError(f"module 'qwixx' has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"qwixx.{_HOMES[name]}"), _NAMES_AT_HOME.get(name, name))
        return found

    def __dir__() -> list[str]:
        """Return all names, loaded or not."""
        return sorted({*globals(), *__all__, *_PARTS})
