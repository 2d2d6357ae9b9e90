"""
Nine games of the Qwixx family on one engine: play them, study them, build on them.

>>> import qwixx
>>> game = qwixx.Game("classic", seats=2, seed=1)
>>> game.deciders()
()
"""

from typing import TYPE_CHECKING

from qwixx.base.lazy import lazy_names

if TYPE_CHECKING:
    from qwixx import coach, errors, fair, game, players, puzzles, rl, sim, solver, testing, variants  # noqa: F401 - parts
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
    from qwixx.fair import verify
    from qwixx.game import events as events
    from qwixx.game import view as view
    from qwixx.game.events import Event
    from qwixx.game.game import Game, Outcome
    from qwixx.game.question import Question
    from qwixx.game.view import View
    from qwixx.nets.training import Settings as TrainingSettings
    from qwixx.nets.training import train
    from qwixx.players import Player
    from qwixx.sim import Results, simulate
    from qwixx.sim.ladder import Ladder, ladder
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
    "Ladder",
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
    "TrainingSettings",
    "UnknownVariant",
    "Variant",
    "View",
    "advise",
    "analyse",
    "games",
    "hint",
    "ladder",
    "simulate",
    "solve",
    "train",
    "variant",
    "verify",
]

if not TYPE_CHECKING:  # to a type checker `__getattr__` would make every name one of the package's
    __getattr__, __dir__ = lazy_names(__name__)
