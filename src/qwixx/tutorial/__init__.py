"""
Guided first games: what to do on a real sheet with given dice, one idea at a time, in four languages.

A lesson is a file of steps. A step stands on a position line or goes on from the step before, makes what the others do
and what chance does, and then asks for something that the reader does alone. The scripts hold no rule: whether a step
can be played, and whether what it says is true, the engine is asked in `tests/test_lessons.py`. The page plays the same
files (`page/src/learn`), and so does `qwixx learn`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from qwixx.errors import QwixxError
from qwixx.events import Event
from qwixx.game import Game
from qwixx.variants import names

READER = 0
"""The seat of whoever learns; the others are played by the script."""


@dataclass(frozen=True, slots=True)
class Step:
    """One idea: what is said, what is asked for, and what is said when it is done, each in every language."""

    id: str
    says: dict[str, str]
    done: dict[str, str] = field(default_factory=dict)
    start: str = ""
    """The position it stands on; without one it goes on from the step before."""
    plays: tuple[str, ...] = ()
    """What happens before the reader is asked, as lines of a record: `roll 34/2615`, `1 pass`."""
    asks: tuple[str, ...] = ()
    """The actions of the reader that are right; the first is made for who skips the step."""
    tries: tuple[str, ...] = ()
    """An action that the rules refuse: the reader tries it and is told why not."""
    picks: tuple[int, ...] = ()
    """Numbers to choose from, where something is to be counted."""
    right: int | None = None
    """The number that is right."""
    then: tuple[str, ...] = ()
    """What the others do when the reader has done it."""
    shows: str = ""
    """Something that lies beside the sheet: `points`, the table that rows are counted by."""
    holds: dict[str, Any] = field(default_factory=dict)
    """What the words claim, for the test that asks the engine."""


@cache
def lesson(game: str) -> tuple[Step, ...]:
    """Give the steps of a game's lesson."""
    if game not in names():
        raise QwixxError(f"There is no lesson for {game!r}; there are {', '.join(names())}.")
    text = resources.files("qwixx").joinpath("lessons", f"{game}.toml").read_text("utf-8")
    return tuple(_step(facts) for facts in tomllib.loads(text)["step"])


def _step(facts: dict[str, Any]) -> Step:
    plain: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in facts.items()}
    return Step(**plain)


def make(game: Game, line: str) -> list[Event]:
    """Make what a line of a script says: a roll, a deal, or what a seat decides."""
    word, _, rest = line.partition(" ")
    return game.decide(int(word), rest) if word.isdecimal() else game.set_roll(rest)
