"""
Hints at a table: asked for, noted in the ledger and told to all, worked out beside the event loop, and only then given.

A hint is for the seat that asked, and nothing in it follows from what the seat may not see (`qwixx.analysis.hint`).
Each is worked out once: whoever asks again in the same phase gets the same one, and nothing more is noted.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from functools import partial
from typing import TYPE_CHECKING, Final

import qwixx
from qwixx.server import hints
from qwixx.server.connection import Connection
from qwixx.server.inbox import HintFound
from qwixx.server.pools import Pools
from qwixx.server.protocol import Error, encode
from qwixx.server.room import Refused
from qwixx.server.tasks import Wondering

if TYPE_CHECKING:
    from qwixx.server.table import Table

log = logging.getLogger("qwixx.hints")
_MOST: Final = 32
"""Hints that may wait to be worked out, of all tables; more are refused for a moment."""


class HintDesk:
    """Works hints out for all tables of a server, so many at a time."""

    def __init__(self, pools: Pools) -> None:
        """Use the threads for hints."""
        self._pools = pools
        self._waiting = 0

    def check_free(self) -> None:
        """Refuse one more if too many wait."""
        if self._waiting >= _MOST:
            raise Refused("busy")

    async def work_out(self, game: qwixx.Game, seat: int, phase: int) -> tuple[bytes, bool]:
        """Work out a hint, or why there is none, as a message; tell whether it is one."""
        self._waiting += 1
        try:
            return await self._work_out(game, seat, phase), True
        except Refused as refused:
            return encode(Error(refused.code)), False
        except Exception:  # whatever it was: the table goes on without it
            log.exception("no hint", extra={"variant": game.variant.id, "seats": game.seats})
            return encode(Error("trouble")), False
        finally:
            self._waiting -= 1

    async def _work_out(self, game: qwixx.Game, seat: int, phase: int) -> bytes:
        try:
            return await self._pools.run("hints", partial(hints.work_out, game, seat, phase))
        except hints.NotCompiled:
            return await self._pools.hand_over("replays", Wondering(game.record(), seat, phase))


class Hinting:
    """The hints of one table, as long as their phase is open."""

    def __init__(self, table: Table) -> None:
        """Begin with none."""
        self._table: Table = weakref.proxy(table)
        self._phase = -1
        self._noted: list[int] = []
        """Seats whose hints are noted in this round, to be worked out as soon as that is on disk."""
        self._taken: set[int] = set()
        """Seats whose hints are noted in this phase."""
        self._found: dict[int, bytes] = {}
        self._asking: dict[int, list[Connection]] = {}
        """By seat: those who wait for a hint that is being worked out."""
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, connection: Connection, seat: int, phase: int) -> None:
        """Give a hint that is there, or note that one is taken and have it worked out."""
        table = self._table
        if not table.room.has_hints:
            raise Refused("no-hints")
        game = table.dealer.open_in(phase)
        if seat not in game.deciders():
            raise Refused("not-your-turn")
        if phase != self._phase:
            self._phase, self._taken, self._found, self._asking = phase, set(), {}, {}
        if seat in self._found:
            table.reply_raw(connection, self._found[seat])
        elif seat in self._asking:
            self._asking[seat].append(connection)
        else:
            table.tables.hints.check_free()
            if seat not in self._taken:
                table.dealer.note_hint(seat)
                self._taken.add(seat)
            self._asking[seat] = [connection]
            self._noted.append(seat)

    def look(self) -> None:
        """Begin to work out what has been noted, now that it is on disk."""
        noted, self._noted = self._noted, []
        game = self._table.dealer.game
        for seat in noted:
            if game is not None and self._phase == self._table.dealer.phase:
                task = asyncio.create_task(self._work_out(game.copy(), seat, self._phase))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _work_out(self, game: qwixx.Game, seat: int, phase: int) -> None:
        self._table.post(HintFound(seat, phase, *await self._table.tables.hints.work_out(game, seat, phase)))

    def give(self, seat: int, phase: int, message: bytes, *, lasts: bool) -> None:
        """Give a hint, or why there is none, to those who asked, if its phase is still open."""
        if phase != self._phase or phase != self._table.dealer.phase:
            return
        if lasts:
            self._found[seat] = message
        for connection in self._asking.pop(seat, []):
            # Whoever has lost the seat meanwhile is told nothing about it.
            if connection in self._table.connections and seat in connection.mine:
                self._table.reply_raw(connection, message)

    def stop(self) -> None:
        """Let all hints go."""
        for task in self._tasks:
            task.cancel()
