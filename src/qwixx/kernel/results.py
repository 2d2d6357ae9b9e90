"""What is kept of a finished game."""

from __future__ import annotations

from typing import Final

from qwixx.kernel import flow
from qwixx.kernel.ends import count_rows
from qwixx.kernel.jit import kernel
from qwixx.kernel.records import SEATS, Record, record_type, type_int

RESULT: Final = record_type(
    [
        ("turns", type_int),
        ("ending", type_int),
        ("score", type_int, (SEATS,)),
        ("misses", type_int, (SEATS,)),
        ("locks", type_int, (SEATS,)),  # lock boxes crossed by the seat
    ]
)
"""What people ask about a finished game."""


@kernel
def write_result(layout: Record, state: Record, result: Record) -> None:
    """Keep what people ask about a finished game."""
    result.turns = state.turn
    result.ending = state.ending
    for seat in range(state.seats):
        sheet = state.sheets[seat]
        result.score[seat] = flow.score(layout, state, seat)
        result.misses[seat] = sheet.misses
        result.locks[seat] = count_rows(sheet.locks)
