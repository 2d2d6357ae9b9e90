"""
The check of all stored tables: every game is replayed and compared with its room, its seed and its daily score.

`check` reads a whole database (`qwixx check`); `ScheduledCheck` is for the tables of a running server.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from qwixx.server.base.background_tasks import BackgroundTask
from qwixx.server.base.errors import Refused
from qwixx.server.base.settings import Settings
from qwixx.server.room.integrity import Damaged, check_game, check_steps, decode_room
from qwixx.server.room.room import Room
from qwixx.server.store.backup import Rows, Source, open_source
from qwixx.server.table.registry import Tables
from qwixx.server.workers.tasks import CheckTask
from qwixx.text.arguments import with_noun

log = logging.getLogger("qwixx.check")
_OWNER = "the scheduled check"
"""Whose tasks these are for a worker: players do not wait for more than one of them."""
_CHUNK = 500
_CODES = f"SELECT code FROM tables WHERE code > ? ORDER BY code LIMIT {_CHUNK}"  # noqa: S608 - our own text
_BUSY_SECONDS = 1.0
_TRIES = 10


@dataclass
class Findings:
    """The result of a check."""

    tables: int = 0
    lines: int = 0
    damaged: dict[str, str] = field(default_factory=dict)
    """By code: the damage of a table."""
    orphans: dict[str, int] = field(default_factory=dict)
    """By code: lines of a table that does not exist."""

    @property
    def is_well(self) -> bool:
        """Whether nothing is damaged."""
        return not self.damaged and not self.orphans

    def sentences(self) -> list[str]:
        """Return a sentence for each damaged table."""
        return [
            *(f"Table {code} is damaged: {reason}." for code, reason in self.damaged.items()),
            *(f"Table {code} is missing, but it has {with_noun(n, 'line')}." for code, n in self.orphans.items()),
        ]


def _no_progress(done: int, total: int) -> None:
    """Show nothing."""


async def check(settings: Settings, progress: Callable[[int, int], None] = _no_progress) -> Findings:
    """Replay every game of a database, as of one moment, also while servers run. Raises `QwixxError`."""
    found = Findings()
    async with open_source(settings) as source:
        total = await source.count()
        lines = _by_code(source)
        code, steps = await anext(lines)
        scores: dict[str, int] = {}
        async for rows in source.rows("tables"):
            for row in rows:
                while code is not None and code < row[0]:
                    found.orphans[code] = len(steps)
                    code, steps = await anext(lines)
                own: Rows = []
                if code == row[0]:
                    own = steps
                    code, steps = await anext(lines)
                _check_table(row, own, found, scores)
                progress(found.tables, total)
        while code is not None:
            found.orphans[code] = len(steps)
            code, steps = await anext(lines)
        async for rows in source.rows("days"):
            for _, _, _, code, score in rows:
                if score is not None and scores.get(code, score) != score:
                    found.damaged[code] = f"its daily score is {score}, and by its game {scores[code]}"
    return found


def _check_table(row: tuple[Any, ...], lines: Rows, found: Findings, scores: dict[str, int]) -> None:
    code, stage, _, text = row
    found.tables += 1
    found.lines += len(lines)
    try:
        room = decode_room(code, text)
        if stage != room.stage:
            raise Damaged(f"its stage is {stage!r} in the list of tables, and {room.stage!r} in its room")
        check_steps([step for _, step, _ in lines])
        result = check_game(room, [line for _, _, line in lines])
    except Damaged as damage:
        found.damaged[code] = damage.reason
    else:
        if room.day and room.stage == "over":
            scores[code] = result[0]


async def _by_code(source: Source) -> AsyncIterator[tuple[str | None, Rows]]:
    """Yield the rows of the ledger table by table; at the end None."""
    code: str | None = None
    own: Rows = []
    async for rows in source.rows("ledger"):
        for row in rows:
            if row[0] != code:
                if code is not None:
                    yield code, own
                code, own = row[0], []
            own.append(row)
    if code is not None:
        yield code, own
    yield None, []


class ScheduledCheck:
    """Checks the tables of a running server again and again, in a worker, and sets aside those that are damaged."""

    def __init__(self, tables: Tables) -> None:
        """Check these tables, as often as the settings say; 0 hours mean never."""
        self._tables = tables
        self._task = BackgroundTask("check", self.check_all, lambda: tables.settings.check_hours * 3600)

    def start(self) -> None:
        """Start, with the first check."""
        if self._tables.settings.check_hours:
            self._task.start()

    def stop(self) -> None:
        """Stop."""
        self._task.stop()

    async def check_all(self) -> None:
        """Check all tables, one after the other."""
        store, last, count = self._tables.store, "", 0
        while rows := await store.query(_CODES, (last,)):
            for (code,) in rows:
                last = str(code)
                count += 1
                await self._check(last)
        log.info("all tables checked", extra={"tables": count, "damaged": len(store.damaged)})

    async def _check(self, code: str) -> None:
        store = self._tables.store
        for _ in range(_TRIES):
            try:
                with store.setting_aside(code):
                    found = await store.read(code)
                    if found is not None:
                        await self._replay(*found)
            except Damaged:
                return
            except Refused:  # the worker has too much to do, or it ended
                await asyncio.sleep(_BUSY_SECONDS)
            else:
                return
        log.warning("a table was not checked: the worker is busy", extra={"code": code})

    async def _replay(self, room: Room, lines: list[str]) -> None:
        await self._tables.pools.submit_to_worker("replays", CheckTask(room, lines), _OWNER)
