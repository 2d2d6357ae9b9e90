"""Looking one turn ahead, on a sheet of either kind: the places in the table, and what a turn can lead to."""

from __future__ import annotations

from qwixx.kernel.jit import kernel
from qwixx.kernel.records import Ints, Record
from qwixx.solver.ahead_marked import copy_sheet, look_ahead_marked, place_of
from qwixx.solver.ahead_plain import look_ahead_plain
from qwixx.solver.fold import place, read_rows
from qwixx.solver.memory import Firsts
from qwixx.solver.turn import NOW


@kernel
def place_sheet(layout: Record, fold: Record, firsts: Firsts, sheet: Record, rows: Ints) -> int:
    """Give the place of a sheet in the table; `rows` is room to work in."""
    if fold.remembers:
        return place_of(layout, fold, firsts, sheet, rows)
    read_rows(fold, sheet, rows)
    return place(fold, rows[0], rows[1], rows[2], rows[3])


@kernel
def begin_turn(fold: Record, sheet: Record, turn: Record) -> None:
    """Let a turn begin on a copy of a sheet."""
    read_rows(fold, sheet, turn.rows)
    copy_sheet(sheet, turn.sheets[NOW])


@kernel
def look_ahead(layout: Record, fold: Record, firsts: Firsts, turn: Record) -> bool:
    """Fill in all that a turn can lead to; False if the game is over where it would begin (C11)."""
    if fold.remembers:
        return look_ahead_marked(layout, fold, firsts, turn)
    return look_ahead_plain(fold, turn)
