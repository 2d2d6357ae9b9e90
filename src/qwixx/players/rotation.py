"""The seats of players in a run of games: each player moves on one seat from table to table."""

from __future__ import annotations

from qwixx.jit.decorators import inlined


@inlined
def player_of(seat: int, table: int, seats: int) -> int:
    """Return the player of the line-up on a seat of a table."""
    return (seat + table) % seats


@inlined
def seat_of(player: int, table: int, seats: int) -> int:
    """Return the seat of a player of the line-up at a table."""
    return (player - table) % seats
