"""Who sits where in a run of games: everybody moves on one seat from table to table."""

from __future__ import annotations

from qwixx.kernel.jit import inlined


@inlined
def player_of(seat: int, table: int, seats: int) -> int:
    """Tell which player of the line-up sits on a seat of a table."""
    return (seat + table) % seats


@inlined
def seat_of(player: int, table: int, seats: int) -> int:
    """Tell on which seat of a table a player of the line-up sits."""
    return (player - table) % seats
