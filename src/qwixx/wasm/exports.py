"""
What a page may ask of the kernel: functions of the door, and how their arguments cross from a page.

A page knows numbers and places in the module's memory. An array is handed over by its place; how long it is stands
here where it is always the same, and else follows as a number of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from qwixx.kernel import door, flow, rng, setting_up, telling
from qwixx.kernel.facts import FACTS
from qwixx.kernel.jit import Entry
from qwixx.kernel.records import ACTIONS, COLORS, DECK, LAYOUT, MENU, STATE
from qwixx.kernel.trail import new_trail
from qwixx.learn.bench import BENCH
from qwixx.learn.net import HIDDEN, LAYERS
from qwixx.learn.tables import INPUTS
from qwixx.learn.weighing import CHOICE, MOST_CHOICES, ROOM, weigh, worth
from qwixx.players import weights
from qwixx.players.house import master


@dataclass(frozen=True, slots=True)
class Array:
    """An array by its place; without a length that is the next argument."""

    kind: np.dtype[Any]
    length: int | None = 1
    writeable: bool = True
    width: int = 0
    """Numbers in each row, if it is a table."""


@dataclass(frozen=True, slots=True)
class One:
    """A record by its place."""

    kind: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class Number:
    """A small whole number."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of 64 bits."""


@dataclass(frozen=True, slots=True)
class Zero:
    """An argument that is always 0: the index of a game where there is one."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """An argument that is always None: a trail where nobody listens."""


Argument = Array | One | Number | Word | Zero | Nothing


@dataclass(frozen=True, slots=True)
class Export:
    """A function that a page calls."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Argument, ...]


def _ints(length: int | None) -> Array:
    return Array(np.dtype(np.int32), length)


_LAYOUT = Array(LAYOUT, writeable=False)
_STATE = Array(STATE)
_AT, _N, _WORD = Zero(), Number(), Word()
_TRAIL = _ints(len(new_trail()))
_GAME = (_LAYOUT, _STATE, _AT)


def _of(function: Callable[..., Any], *arguments: Argument, name: str = "") -> Export:
    plain = function.function if isinstance(function, Entry) else function
    return Export(name or plain.__name__, plain, arguments)


EXPORTS: Final = (
    _of(door.begin, *_GAME, _WORD, _WORD, _N, _N),
    _of(rng.luck_of, _WORD, _WORD),
    _of(door.asked, *_GAME),
    _of(door.roll, *_GAME, _TRAIL),
    _of(door.set_dice, *_GAME, _ints(2 + COLORS), _TRAIL),
    _of(door.set_deck, *_GAME, _ints(DECK), _N, _TRAIL),
    _of(door.legal, *_GAME, _N, _ints(ACTIONS)),
    _of(door.refusal, *_GAME, _N, _N),
    _of(door.decide, *_GAME, _N, _N, _TRAIL),
    _of(door.lay, *_GAME, _N, _N),
    _of(door.take_lock_back, _STATE, _AT, _N, _N),
    _of(door.shared_row, _STATE, _AT),
    _of(setting_up.settle, One(LAYOUT), One(STATE), _TRAIL),
    _of(door.bar_fits, *_GAME, _N),
    _of(door.score, *_GAME, _N),
    _of(door.winners, _ints(None)),
    _of(door.redact, *_GAME, _STATE, _N),
    _of(door.row_points, _LAYOUT, _N),
    _of(door.supply, *_GAME, _N),
    _of(door.number_for_all, _STATE, _AT, name="top_number"),
    _of(flow.number_for_all, One(STATE)),
    _of(
        telling.reasons,
        *(*_GAME, _N, _N, _STATE, _TRAIL, Array(FACTS), _ints(ACTIONS), _ints(telling.MOST_TOLD)),
    ),
    _of(door.find_play, _LAYOUT, _ints(None), _ints(None), _ints(None)),
    _of(
        weights._choose_all,
        *(_LAYOUT, _STATE, _ints(1), Array(weights.SEATING), Array(np.dtype(np.uint64)), Array(MENU), _ints(1)),
        name="choose",
    ),
)
"""The rules, and players that weigh."""

_NET = (_LAYOUT, Array(INPUTS), Array(np.dtype(np.float32), None, width=HIDDEN), Array(LAYERS), Array(BENCH))
LEARNED: Final = (
    _of(master._answer_all, *_NET, _STATE, _ints(1), Array(np.dtype(np.uint64)), _ints(1), name="answer"),
    _of(weigh, *_NET, Array(ROOM), _STATE, Array(CHOICE, MOST_CHOICES)),
    _of(worth, *_NET, Array(ROOM), _STATE),
)
"""The player that has learned, and what it thinks of positions; its weights are fetched game by game."""
