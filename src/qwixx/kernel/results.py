"""The result of a finished game, as simulations store it."""

from __future__ import annotations

from typing import Final

from qwixx.jit.decorators import kernel
from qwixx.kernel import flow
from qwixx.kernel.game_end import count_rows
from qwixx.kernel.state.records import SEATS, Record, record_type, type_int

RESULT: Final = record_type(
    [
        ("turns", type_int),
        ("ending", type_int),
        ("score", type_int, (SEATS,)),
        ("misses", type_int, (SEATS,)),
        ("locks", type_int, (SEATS,)),  # lock boxes crossed by the seat
    ]
)
"""The result of a finished game."""


@kernel
def write_result(layout: Record, state: Record, result: Record) -> None:
    """Write the result of a finished game to `result`."""
    result.turns = state.turn
    result.ending = state.ending
    for seat in range(state.seats):
        sheet = state.sheets[seat]
        result.score[seat] = flow.score(layout, state, seat)
        result.misses[seat] = sheet.misses
        result.locks[seat] = count_rows(sheet.locks)
