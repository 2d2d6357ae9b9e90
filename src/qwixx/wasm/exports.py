"""
The functions that the modules export to the page, and how their arguments are passed.

A page passes numbers and addresses in the module's memory. An array is passed by its address; its length
is declared here if it is fixed, and otherwise passed as a second number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from qwixx.coach.reasons import select_reasons
from qwixx.jit.decorators import Entry
from qwixx.kernel import api, flow, setup
from qwixx.kernel.decision_effects import FACTS
from qwixx.kernel.state import rng
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ACTIONS, COLORS, DECK, LAYOUT, MENU, STATE
from qwixx.nets.evaluate import CHOICE, MOST_CHOICES, WORKSPACE, action_values, state_value
from qwixx.nets.feature_tables import INPUTS
from qwixx.nets.network import HIDDEN, LAYERS, NetArrays
from qwixx.nets.scratch import SCRATCH
from qwixx.players import heuristics
from qwixx.players.built_in import master


@dataclass(frozen=True, slots=True)
class Array:
    """An array by its address; if `length` is None, the length is the next argument."""

    kind: np.dtype[Any]
    length: int | None = 1
    writeable: bool = True
    width: int = 0
    """Columns of a two-dimensional array; 0 for one dimension."""


@dataclass(frozen=True, slots=True)
class One:
    """A record by its address."""

    kind: np.dtype[Any]


@dataclass(frozen=True, slots=True)
class Number:
    """A 32-bit integer."""


@dataclass(frozen=True, slots=True)
class Word:
    """A 64-bit unsigned integer."""


@dataclass(frozen=True, slots=True)
class Zero:
    """An argument that is always 0: the index of the only game."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """An argument that is always None: a log that is not needed."""


@dataclass(frozen=True, slots=True)
class Group:
    """Several arguments that the function takes as one named tuple; the page passes each of them."""

    kind: type
    members: tuple[Argument, ...]


Argument = Array | Group | One | Number | Word | Zero | Nothing


@dataclass(frozen=True, slots=True)
class Export:
    """A function that the page calls."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[Argument, ...]


def _ints(length: int | None) -> Array:
    return Array(np.dtype(np.int32), length)


_LAYOUT = Array(LAYOUT, writeable=False)
_STATE = Array(STATE)
_AT, _N, _WORD = Zero(), Number(), Word()
_LOG = _ints(len(new_log()))
_GAME = (_LAYOUT, _STATE, _AT)


def _of(function: Callable[..., Any], *arguments: Argument, name: str = "") -> Export:
    plain = function.function if isinstance(function, Entry) else function
    return Export(name or plain.__name__, plain, arguments)


EXPORTS: Final = (
    _of(api.begin, *_GAME, _WORD, _WORD, _N, _N),
    _of(rng.player_stream_seed, _WORD, _WORD),
    _of(api.asked, *_GAME),
    _of(api.roll, *_GAME, _LOG),
    _of(api.set_dice, *_GAME, _ints(2 + COLORS), _LOG),
    _of(api.set_deck, *_GAME, _ints(DECK), _N, _LOG),
    _of(api.legal, *_GAME, _N, _ints(ACTIONS)),
    _of(api.refusal, *_GAME, _N, _N),
    _of(api.decide, *_GAME, _N, _N, _LOG),
    _of(api.cross_in_setup, *_GAME, _N, _N),
    _of(api.take_lock_back, _STATE, _AT, _N, _N),
    _of(api.check_position, *_GAME, _LOG, _ints(setup.PROBLEM_BUFFER)),
    _of(api.score, *_GAME, _N),
    _of(api.winners, _ints(None)),
    _of(api.redact, *_GAME, _STATE, _N),
    _of(api.row_points, _LAYOUT, _N),
    _of(api.supply, *_GAME, _N),
    _of(api.number_for_all, _STATE, _AT, name="top_number"),
    _of(flow.number_for_all, One(STATE)),
    _of(
        select_reasons.reasons,
        *(*_GAME, _N, _N, _STATE, _LOG, Array(FACTS), _ints(ACTIONS), _ints(select_reasons.REASON_BUFFER)),
    ),
    _of(api.find_play, _LAYOUT, _ints(None), _ints(None), _ints(None)),
    _of(
        heuristics._choose_all,
        *(_LAYOUT, _STATE, _ints(1), Array(heuristics.SEATING), Array(np.dtype(np.uint64)), Array(MENU), _ints(1)),
        name="choose",
    ),
)
"""The rules and the heuristic players."""

_TABLES = Array(np.dtype(np.float32), None, width=HIDDEN)
_NET = Group(NetArrays, (_LAYOUT, Array(INPUTS), _TABLES, Array(LAYERS), Array(SCRATCH)))
LEARNED: Final = (
    _of(master._answer_all, *_NET.members, _STATE, _ints(1), Array(np.dtype(np.uint64)), _ints(1), name="answer"),
    _of(action_values, _NET, Array(WORKSPACE), _STATE, Array(CHOICE, MOST_CHOICES)),
    _of(state_value, _NET, Array(WORKSPACE), _STATE),
)
"""The trained player and its evaluation of positions; the page loads the weights of each game separately."""
