"""Batched writes: what a store collects while the disk is busy, for one commit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import msgspec
from msgspec import Struct

from qwixx.server.room.room import Room

SqlValue = str | int | None


class Line(Struct, array_like=True, gc=False):
    """One line of a ledger. Hundreds wait for every commit, so the garbage collector skips them (`gc=False`)."""

    code: str
    step: int
    text: str


class Batch:
    """Writes that share one commit, and a future for all that wait for it."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        """Start with nothing to write."""
        self.done = done
        self.rooms: dict[str, tuple[str, float, str, str]] = {}
        """By code: stage, time, the room as JSON, and the code."""
        self.new_codes: set[str] = set()
        """Codes of rooms that must not exist yet."""
        self.taken: set[str] = set()
        """Codes that did exist, so that their rooms were left out."""
        self.lines: list[Line] = []
        self.cuts: list[tuple[str, int]] = []
        """Codes, and the step from which their lines are deleted."""
        self.touched: dict[str, float] = {}
        self.deleted: list[str] = []
        self.statements: list[tuple[str, Sequence[SqlValue]]] = []
        """Other SQL statements with their values."""
        self.heartbeat: float | None = None

    @property
    def is_plain(self) -> bool:
        """Whether there are only rooms and new lines to write, as in most batches."""
        return not (self.cuts or self.touched or self.deleted or self.statements) and self.heartbeat is None

    def leave_out(self, taken: set[str]) -> None:
        """Leave out rooms whose new code is taken, with their lines; everything else is written."""
        self.taken |= taken
        self.new_codes -= taken
        self.rooms = {code: room for code, room in self.rooms.items() if code not in taken}
        self.lines = [line for line in self.lines if line.code not in taken]

    def write(
        self,
        code: str,
        room: Room | None,
        step: int,
        lines: Sequence[str],
        cut: int | None,
    ) -> None:
        """Add the write of one table."""
        if room is not None:
            text = msgspec.json.encode(room).decode()
            self.rooms[code] = (room.stage, time.time(), text, code)
        for place, line in enumerate(lines, step):
            self.lines.append(Line(code, place, line))
        if cut is not None:
            self.cuts.append((code, cut))

    def finish(self, error: Exception | None) -> None:
        """Complete the future: everything is on disk, or nothing."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)
