"""
The tutorial: a guided first game of each variant, with given dice, one idea per step, in every language.

A lesson is a file of steps (`lessons/*.toml`). A step starts from a position line or continues the step before, plays
the decisions of the other seats and the results of chance, and then asks the reader to do something. Lessons contain no
rules: `tests/rulebook/test_tutorial.py` checks with the engine that every step can be played and that its words are
true. The page (`page/src/tutorial`) and `qwixx learn` play the same files. Rule pages are in `qwixx.rulebook`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from qwixx.errors import QwixxError
from qwixx.game.events import Event
from qwixx.game.game import Game
from qwixx.variants import names

READER = 0
"""The seat of the reader; the lesson plays the other seats."""


@dataclass(frozen=True, slots=True)
class Step:
    """One idea: a text, a task, and a text when the task is done, in every language. The fields are TOML keys."""

    id: str
    says: dict[str, str]
    done: dict[str, str] = field(default_factory=dict)
    start: str = ""
    """The start position; without one, the step continues from the step before."""
    plays: tuple[str, ...] = ()
    """Steps before the task, as lines of a record: `roll 34/2615`, `1 pass`."""
    asks: tuple[str, ...] = ()
    """The correct actions of the reader; the first one is played if the reader skips the step."""
    tries: tuple[str, ...] = ()
    """An illegal action: the reader tries it and sees the reason why it is refused."""
    picks: tuple[int, ...] = ()
    """The numbers to choose from, in a counting task."""
    right: int | None = None
    """The correct number."""
    then: tuple[str, ...] = ()
    """The decisions of the other seats after the task."""
    shows: str = ""
    """Something shown beside the sheet: `points`, the table of points for a row."""
    holds: dict[str, Any] = field(default_factory=dict)
    """The claims of the text, for the test that checks them with the engine."""


@cache
def lesson(game: str) -> tuple[Step, ...]:
    """Return the steps of a game's lesson."""
    if game not in names():
        raise QwixxError(f"There is no lesson for {game!r}; there are {', '.join(names())}.")
    return read_lesson(resources.files("qwixx.tutorial").joinpath("lessons", f"{game}.toml").read_text("utf-8"))


def read_lesson(text: str) -> tuple[Step, ...]:
    """Read the steps of a lesson from the text of its file."""
    return tuple(_step(facts) for facts in tomllib.loads(text)["step"])


def _step(facts: dict[str, Any]) -> Step:
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
    return Step(**plain)


def play_line(game: Game, line: str) -> list[Event]:
    """Play a line of a lesson: a roll, a deal, or the decision of a seat."""
    word, _, rest = line.partition(" ")
    return game.decide(int(word), rest) if word.isdecimal() else game.set_roll(rest)
