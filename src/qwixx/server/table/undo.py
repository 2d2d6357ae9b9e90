"""Taking a decision back: whoever wants it asks, and everybody else who is here has to agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qwixx.server.connection import Connection
from qwixx.server.pieces import UndoWish
from qwixx.server.protocol import Error
from qwixx.server.room import Refused

if TYPE_CHECKING:
    from qwixx.server.table import Table


@dataclass(slots=True)
class _Wish:
    seat: int
    phase: int
    waiting: set[int]
    """The seats whose people have not answered yet."""


class Undoing:
    """What a table remembers of a wish to take a decision back; it holds for one phase and is not stored."""

    def __init__(self) -> None:
        """Begin without a wish."""
        self._wish: _Wish | None = None

    def ask(self, table: Table, connection: Connection, seat: int, phase: int) -> None:
        """Ask for a seat; alone, or against bots, there is nobody to be asked."""
        table.dealer.check_undo(seat, phase)
        self._wish = _Wish(seat, phase, _people_here(table) - set(connection.mine))
        self._go_on(table)

    def answer(self, table: Table, connection: Connection, *, agrees: bool) -> None:
        """Answer for all seats of somebody; one no is enough to let it be."""
        wish = self._wish
        if wish is None or wish.phase != table.dealer.phase or not wish.waiting & set(connection.mine):
            raise Refused("not-now")
        if agrees:
            wish.waiting -= set(connection.mine)
            self._go_on(table)
            return
        self._wish = None
        table.round.people_changed = True
        for each in table.connections:
            if wish.seat in each.mine:
                table.reply(each, Error("undo-declined"))

    def _go_on(self, table: Table) -> None:
        table.round.people_changed = True
        if self._wish is not None and not self._wish.waiting:
            table.dealer.undo(self._wish.seat)
            self._wish = None

    def ends(self, table: Table) -> bool:
        """Forget a wish whose phase is over, or when somebody leaves who has to answer; tells whether there was one."""
        wish = self._wish
        if wish is None or (wish.phase == table.dealer.phase and wish.waiting <= _people_here(table)):
            return False
        self._wish = None
        return True

    def told(self) -> UndoWish | None:
        """Say what is asked, and who has to answer."""
        return None if self._wish is None else UndoWish(self._wish.seat, sorted(self._wish.waiting))


def _people_here(table: Table) -> set[int]:
    return {place for place in table.here() if table.room.seats[place].is_person}
