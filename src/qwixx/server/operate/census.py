"""How many are here now: counted when somebody asks, a few tables at a time, so that nobody's move waits for it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from qwixx.server.protocol import Stage

if TYPE_CHECKING:
    from qwixx.server.tables import Tables

_AT_ONCE = 200


@dataclass(slots=True)
class Census:
    """Who and what is here. No names, no codes."""

    tables: Counter[Stage] = field(default_factory=Counter)
    """Tables in memory."""
    people: int = 0
    """Seats whose people are connected."""
    bots: int = 0
    """Seats that bots play, in games that go on."""
    watchers: int = 0
    waiting: int = 0
    """Messages that wait for their tables."""
    longest: int = 0
    """The most that wait for one table."""


async def census(tables: Tables) -> Census:
    """Count everybody."""
    found = Census()
    for number, table in enumerate(list(tables.loaded.values()), 1):
        room, waiting = table.room, len(table.inbox)
        found.tables[room.stage] += 1
        found.people += len(table.here())
        found.watchers += sum(not connection.mine for connection in table.connections)
        if room.stage == "playing":
            found.bots += sum(not seat.is_person for seat in room.seats)
        found.waiting += waiting
        found.longest = max(found.longest, waiting)
        if number % _AT_ONCE == 0:
            await asyncio.sleep(0)
    return found
