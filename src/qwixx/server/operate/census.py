"""The census: counts people, bots and tables on request, a few tables at a time, so that no move waits for it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qwixx.server.wire.messages import Stage

if TYPE_CHECKING:
    from qwixx.server.table.registry import Tables

_BATCH_SIZE = 200


@dataclass(slots=True)
class Census:
    """Numbers of people, bots and tables. No names, no codes."""

    tables: Counter[Stage] = field(default_factory=Counter)
    """Tables in memory."""
    people: int = 0
    """Seats whose people are connected."""
    bots: int = 0
    """Seats that bots play, in unfinished games."""
    watchers: int = 0
    waiting: int = 0
    """Messages that wait for their tables."""
    longest: int = 0
    """The most that wait for one table."""


async def census(tables: Tables) -> Census:
    """Count all loaded tables."""
    result = Census()
    for number, table in enumerate(list(tables.loaded.values()), 1):
        room, waiting = table.room, len(table.inbox)
        result.tables[room.stage] += 1
        result.people += len(table.here())
        result.watchers += sum(not connection.seats for connection in table.connections)
        if room.stage == "playing":
            result.bots += sum(not seat.is_person for seat in room.seats)
        result.waiting += waiting
        result.longest = max(result.longest, waiting)
        if number % _BATCH_SIZE == 0:
            await asyncio.sleep(0)
    return result
