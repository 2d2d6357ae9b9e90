"""
Hints at a table: a request is first recorded in the ledger and shown to all, then computed outside the event loop.

A hint is for the seat that asked, and uses nothing that the seat may not see (`qwixx.coach.hints`). Each hint is
computed once: a second request in the same phase gets the same hint and is not recorded again.
"""

from __future__ import annotations

import asyncio
import logging
import weakref
from functools import partial
from typing import TYPE_CHECKING

import qwixx
from qwixx.server.base.errors import Refused
from qwixx.server.limits.declared import HINTS
from qwixx.server.table.change import NOTHING, Change, reply_all
from qwixx.server.table.inbox import HintReady
from qwixx.server.wire.connection import Connection
from qwixx.server.wire.messages import Error, encode
from qwixx.server.workers import hint_job
from qwixx.server.workers.pools import Pools
from qwixx.server.workers.tasks import HintTask

if TYPE_CHECKING:
    from qwixx.server.table.table import Table

log = logging.getLogger("qwixx.hints")


class HintService:
    """Computes hints for all tables of a server, a limited number at a time."""

    def __init__(self, pools: Pools) -> None:
        """Compute in the threads of the pool `hints`."""
        self._pools = pools

    def check_free(self) -> None:
        """Raise `Refused` if too many hints wait."""
        self._pools.limiter.check(HINTS)

    async def compute(self, code: str, game: qwixx.Game, seat: int, phase: int) -> tuple[bytes, bool]:
        """Return the message for a seat of a table: a hint and True, or an error and False."""
        self._pools.limiter.meter(HINTS).charge(1)  # it was checked before it was recorded
        try:
            return await self._compute(code, game, seat, phase), True
        except Refused as refused:
            return encode(Error(refused.code)), False
        except Exception:  # the table continues without the hint
            log.exception("no hint", extra={"variant": game.variant.id, "seats": game.seats})
            return encode(Error("trouble")), False
        finally:
            self._pools.limiter.uncount(HINTS)

    async def _compute(self, code: str, game: qwixx.Game, seat: int, phase: int) -> bytes:
        try:
            return await self._pools.run("hints", partial(hint_job.compute, game, seat, phase), code)
        except hint_job.NotCompiled:
            return await self._pools.submit_to_worker("replays", HintTask(game.record(), seat, phase), code)


class HintRequests:
    """The hints of one table in the open phase."""

    def __init__(self, table: Table) -> None:
        """Start with no requests."""
        self._table: Table = weakref.proxy(table)
        self._phase = -1
        self._to_start: list[int] = []
        """Seats whose requests are recorded in this batch; computing starts when that is on disk."""
        self._recorded: set[int] = set()
        """Seats whose requests are recorded in this phase."""
        self._hints: dict[int, bytes] = {}
        self._waiting: dict[int, list[Connection]] = {}
        """By seat: connections that wait for a hint that is being computed."""
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, connection: Connection, seat: int, phase: int, *, quiet: bool = False) -> Change:
        """Reply with a hint that is computed already, or record the request and have it computed unless it is quiet."""
        table = self._table
        if not table.room.has_hints:
            raise Refused("no-hints")
        game = table.dealer.core.in_phase(phase)
        if seat not in game.deciders():
            raise Refused("not-your-turn")
        if phase != self._phase:
            self._phase, self._recorded, self._hints, self._waiting = phase, set(), {}, {}
        if quiet:
            return self._record(seat)
        if seat in self._hints:
            return reply_all([connection], self._hints[seat])
        if seat in self._waiting:
            self._waiting[seat].append(connection)
            return NOTHING
        table.tables.hint_service.check_free()
        change = self._record(seat)
        self._waiting[seat] = [connection]
        self._to_start.append(seat)
        return change

    def _record(self, seat: int) -> Change:
        """Record a hint of this phase, once."""
        change = NOTHING if seat in self._recorded else self._table.dealer.record_hint(seat)
        self._recorded.add(seat)
        return change

    def start_recorded(self) -> None:
        """Start to compute the hints whose requests are on disk now."""
        if not self._to_start:
            return
        seats, self._to_start = self._to_start, []
        game = self._table.dealer.game
        for seat in seats:
            if game is not None and self._phase == self._table.dealer.phase:
                task = asyncio.create_task(self._compute(game.copy(), seat, self._phase))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _compute(self, game: qwixx.Game, seat: int, phase: int) -> None:
        service, code = self._table.tables.hint_service, self._table.room.code
        self._table.post(HintReady(seat, phase, *await service.compute(code, game, seat, phase)))

    def deliver(self, seat: int, phase: int, message: bytes, *, is_hint: bool) -> Change:
        """Send a hint, or an error, to the connections that asked, if its phase is still open."""
        if phase != self._phase or phase != self._table.dealer.phase:
            return NOTHING
        if is_hint:
            self._hints[seat] = message
        # A connection that has lost the seat meanwhile gets nothing.
        return reply_all((each for each in self._waiting.pop(seat, []) if seat in each.seats), message)

    def stop(self) -> None:
        """Cancel all computations."""
        for task in self._tasks:
            task.cancel()
