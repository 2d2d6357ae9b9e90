"""What stores gather while the disk is busy: writes that will share one commit."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from qwixx.server.room import Room

Fact = str | int | None


class Line(Struct, array_like=True, gc=False):
    """One line of a ledger. Hundreds wait for every commit, and the collector need not look at them."""

    code: str
    step: int
    text: str


class Batch:
    """Writes that will share one commit, and the future that all who wait for it await."""

    def __init__(self, done: asyncio.Future[None]) -> None:
        """Begin with nothing to write."""
        self.done = done
        self.rooms: dict[str, tuple[str, float, str, str]] = {}
        """By code: stage, when, the room as JSON, and the code."""
        self.fresh: set[str] = set()
        """Those among them that must be new."""
        self.taken: set[str] = set()
        """Those that turned out not to be, and were left out."""
        self.lines: list[Line] = []
        self.changes: list[tuple[str, str, int]] = []
        self.cuts: list[tuple[str, int]] = []
        self.touched: dict[str, float] = {}
        self.deleted: list[str] = []
        self.notes: list[tuple[str, Sequence[Fact]]] = []
        """Changes of rows that are not about rooms: plain SQL, with its facts."""
        self.seen: float | None = None

    @property
    def is_plain(self) -> bool:
        """Whether there are only rooms and more lines to write, as in most batches."""
        return not (self.changes or self.cuts or self.touched or self.deleted or self.notes) and self.seen is None

    def leave_out(self, taken: set[str]) -> None:
        """Leave out rooms that should be new and are not, with their lines; everything else is written all the same."""
        self.taken |= taken
        self.fresh -= taken
        self.rooms = {code: room for code, room in self.rooms.items() if code not in taken}
        self.lines = [line for line in self.lines if line.code not in taken]

    def write(
        self, code: str, room: Room | None, step: int, lines: Sequence[str], changes: Mapping[int, str], cut: int | None
    ) -> None:
        """Add what one table has to write."""
        if room is not None:
            text = msgspec.json.encode(room).decode()
            self.rooms[code] = (room.stage, time.time(), text, code)
        for place, line in enumerate(lines, step):
            self.lines.append(Line(code, place, line))
        for place, line in changes.items():
            self.changes.append((line, code, place))
        if cut is not None:
            self.cuts.append((code, cut))

    def finish(self, error: Exception | None) -> None:
        """Tell all who wait that everything is on disk, or that nothing is."""
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)
