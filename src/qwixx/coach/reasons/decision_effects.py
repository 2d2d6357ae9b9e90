"""What an action would do, as the kernel shows it (`kernel.facts`): what decisions are told apart by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from qwixx.game import Game
from qwixx.kernel import facts as kernel_facts
from qwixx.kernel.records import ROWS, STATE, Records
from qwixx.kernel.trail import new_trail
from qwixx.notation import Action


@dataclass(frozen=True, slots=True)
class Facts:
    """What an action does, as far as it says what a decision is about."""

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


def facts_of(game: Game, seat: int, action: Action) -> Facts:
    """Try an action out."""
    layouts, states = game.raw()
    twins: Records = np.zeros(1, STATE)
    facts: Records = np.zeros(1, kernel_facts.FACTS)
    kernel_facts.look(layouts, states, 0, seat, action.id, twins, new_trail(), facts)
    found = facts[0]
    return Facts(
        tuple(row for row in _ROWS if found.crossed[row]),
        tuple(row for row in _ROWS if found.locked >> row & 1),
        is_pass=bool(found.is_pass),
        is_miss=bool(found.is_miss),
        captured=bool(found.captured),
        stacked=bool(found.stacked),
        taken=int(found.taken),
        played=int(found.played),
    )
