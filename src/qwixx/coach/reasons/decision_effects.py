"""The effects of an action as a dataclass, from `kernel.decision_effects`: puzzles find their theme by them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from qwixx.game.game import Game
from qwixx.kernel import decision_effects as kernel_effects
from qwixx.kernel.state.event_log import new_log
from qwixx.kernel.state.records import ROWS, STATE, Records
from qwixx.text.notation import Action


@dataclass(frozen=True, slots=True)
class DecisionEffects:
    """The effects of an action that show what a decision is about."""

    rows: tuple[int, ...] = ()
    """Rows in which it crosses something, or places a pawn."""
    locked: tuple[int, ...] = ()
    """Rows that it closes."""
    is_pass: bool = False
    is_miss: bool = False
    captured: bool = False
    stacked: bool = False
    taken: int = 0
    """Card games: how many cards it takes from the display."""
    played: int = 0
    """Card games: how many cards it plays."""


_ROWS: Final = range(ROWS)


def effects_of(game: Game, seat: int, action: Action) -> DecisionEffects:
    """Try an action on a copy of the game and return its effects."""
    layouts, states = game.raw()
    copies: Records = np.zeros(1, STATE)
    facts: Records = np.zeros(1, kernel_effects.FACTS)
    kernel_effects.effects_of(layouts, states, 0, seat, action.id, copies, new_log(), facts)
    found = facts[0]
    return DecisionEffects(
        tuple(row for row in _ROWS if found.crossed[row]),
        tuple(row for row in _ROWS if found.locked >> row & 1),
        is_pass=bool(found.is_pass),
        is_miss=bool(found.is_miss),
        captured=bool(found.captured),
        stacked=bool(found.stacked),
        taken=int(found.taken),
        played=int(found.played),
    )
