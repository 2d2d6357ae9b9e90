"""
One table: a task that is the only writer of its game.

Everything that wants something from a table puts it into the inbox: pages, bots, the clock. The task takes what
waits, carries it out, has it written to disk, and only then tells anybody.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import UNSET, Raw

import qwixx
from qwixx.server import steward, telling
from qwixx.server.clocks import Clock
from qwixx.server.connection import RESTARTING, TABLE_FULL, TROUBLE, Connection
from qwixx.server.dealer import Dealer
from qwixx.server.inbox import Arrived, Asked, BotChose, Item, Left, NextOpened, TimeUp, Unload
from qwixx.server.protocol import Error, FromPage, Message, encode
from qwixx.server.room import Refused, Room
from qwixx.server.seats import owned
from qwixx.server.thinking import Thinking

if TYPE_CHECKING:
    from qwixx.server.tables import Tables

log = logging.getLogger("qwixx.table")
_AT_ONCE = 32
"""Messages that share one commit at most, so that nobody waits long for an answer."""


@dataclass(slots=True)
class Round:
    """What one round of the task has to write and to tell."""

    lines: list[str] = field(default_factory=list)
    events: list[qwixx.Event] = field(default_factory=list)
    room_changed: bool = False
    """The room has to be written and told."""
    people_changed: bool = False
    """Somebody came or went: told, not written."""
    moved: bool = False
    """The game has to be told to all."""
    resync: list[Connection] = field(default_factory=list)
    """Those who are told alone where the game stands."""
    replies: list[tuple[Connection, bytes]] = field(default_factory=list)


class Table:
    """A room, its game, and those who look at it."""

    def __init__(self, room: Room, game: qwixx.Game | None, steps: int, tables: Tables) -> None:
        """Sit down at a room; the game is what its ledger of so many steps gave."""
        self.room = room
        self.tables = tables
        self.settings = tables.settings
        self.inbox: asyncio.Queue[Item] = asyncio.Queue(self.settings.inbox)
        self.connections: set[Connection] = set()
        self.round = Round()
        self.clock = Clock(lambda phase: self.post(TimeUp(phase)))
        self.dealer = Dealer(self, game, steps)
        self.thinking = Thinking(self)
        self.touched = time.monotonic()
        self.is_gone = False
        self._opening: asyncio.Task[None] | None = None
        self.task = asyncio.create_task(self._run(), name=f"table {room.code}")

    def post(self, item: Item) -> bool:
        """Put something into the inbox; False if the table cannot keep up."""
        if self.is_gone:
            return False
        try:
            self.inbox.put_nowait(item)
        except asyncio.QueueFull:
            return False
        return True

    # ---- the task

    async def _run(self) -> None:
        try:
            self.dealer.wake()
            await self._finish()
            while not self.is_gone:
                self._take(await self.inbox.get())
                for _ in range(_AT_ONCE):
                    if self.is_gone or self.inbox.empty():
                        break
                    self._take(self.inbox.get_nowait())
                await self._finish()
        except Exception as error:
            # Memory may be ahead of the disk now. Forget it; whoever comes back gets what the ledger says.
            kind = "store" if isinstance(error, sqlite3.Error) else "server"
            log.exception("table failed", extra={"code": self.room.code, "kind": kind})
            self._send_away(TROUBLE)
        finally:
            self.is_gone = True
            self._send_away(RESTARTING)
            self.clock.stop()
            self.thinking.stop()
            self.tables.forget(self)

    def _send_away(self, code: int) -> None:
        """Hang up on all who are here or just coming; they may come back at once."""
        waiting = [self.inbox.get_nowait() for _ in range(self.inbox.qsize())]
        coming = {item.connection for item in waiting if isinstance(item, Arrived)}
        for connection in self.connections | coming:
            connection.drop(code)

    def _take(self, item: Item) -> None:
        match item:
            case Arrived(connection):
                self._arrive(connection)
            case Left(connection):
                self.connections.discard(connection)
                self.round.people_changed = True
            case BotChose(seat, phase, action):
                self.dealer.decide_for_bot(seat, phase, action)
            case TimeUp(phase):
                self.dealer.time_up(phase)
            case NextOpened(code):
                self._opening = None
                self.room.next = code
                self.round.room_changed = True
            case Unload(by_force):
                self.is_gone = by_force or (not self.connections and self.inbox.empty())
            case Asked(connection, message):
                self._answer(connection, message)

    def _answer(self, connection: Connection, message: FromPage) -> None:
        self.touched = time.monotonic()
        try:
            steward.carry_out(self, connection, message)
        except Refused as refused:
            rule = refused.rule or UNSET
            details = UNSET if refused.details is None else refused.details
            self.reply(connection, Error(refused.code, rule, details))
            self.round.resync.append(connection)

    def _arrive(self, connection: Connection) -> None:
        if len(self.connections) >= self.settings.max_connections and connection not in self.connections:
            connection.refuse("full")
            connection.drop(TABLE_FULL)
            return
        self.touched = time.monotonic()
        self.connections.add(connection)
        self.reseat()
        self.round.people_changed = True
        self.round.resync.append(connection)

    def reply(self, connection: Connection, message: Message) -> None:
        """Answer one connection, once what the answer speaks of is on disk."""
        self.round.replies.append((connection, encode(message)))

    # ---- write, then tell

    async def _finish(self) -> None:
        """Have everything written, then tell it."""
        done, self.round = self.round, Round()
        if done.room_changed or done.lines:
            step = self.dealer.steps
            self.dealer.steps += len(done.lines)
            await self.tables.store.write(self.room.code, self.room if done.room_changed else None, step, done.lines)
        self.dealer.committed()
        if done.room_changed or done.people_changed:
            self._tell_room()
        for connection, data in done.replies:
            connection.tell(data)
        if self.dealer.game is not None:
            self.clock.set(self.dealer.phase, self.dealer.seconds)
            if done.moved:
                self._tell_game(self.connections, done.events)
            elif done.resync:
                self._tell_game(done.resync, [])
            self.thinking.look()

    def here(self) -> set[int]:
        """Give the seats whose people are connected."""
        return {seat for connection in self.connections for seat in connection.mine}

    def reseat(self) -> None:
        """Find out anew which seats belong to whom: seats have moved, or somebody showed other tokens."""
        for connection in self.connections:
            connection.mine = tuple(owned(self.room.seats, connection.keys)) if connection.keys else ()

    def open_next(self, connection: Connection) -> None:
        """Open the next table with the same people, once."""
        if self.room.stage != "over":
            raise Refused("not-now")
        if self.room.next is not None:
            self.round.people_changed = True  # whoever asks again is told again
        elif self._opening is None:
            connection.count_table()
            self._opening = asyncio.create_task(self._open_next(connection))

    async def _open_next(self, connection: Connection) -> None:
        try:
            code = await self.tables.open_next(self.room)
        except Refused:
            connection.uncount_table()
            code = None
        self.post(NextOpened(code))

    def _tell_room(self) -> None:
        here = self.here()
        watchers = sum(not connection.mine for connection in self.connections)
        told: dict[tuple[int, ...], bytes] = {}
        for connection in self.connections:
            data = told.get(connection.mine)
            if data is None:
                data = told[connection.mine] = telling.table_message(self.room, connection.mine, here, watchers)
            connection.tell(data)

    def _tell_game(self, connections: set[Connection] | list[Connection], events: list[qwixx.Event]) -> None:
        """Send each connection the game as its seats may see it; what several share is made once."""
        dealer = self.dealer
        game = dealer.game
        assert game is not None
        view = Raw(encode(game.view(None)))
        happened = Raw(encode(events))
        outcome = game.outcome()
        choices = UNSET if self.room.options.sealed else {str(s): text for s, text in dealer.choices.items()}
        left, rollers = self.clock.left(), dealer.rollers()
        parts: dict[int, Raw] = {}
        told: dict[tuple[int, ...], bytes] = {}
        for connection in connections:
            data = told.get(connection.mine)
            if data is None:
                mine = {}
                for seat in connection.mine:
                    if self.room.seats[seat].is_person:
                        if seat not in parts:
                            parts[seat] = telling.mine_part(game, seat, dealer.choices.get(seat))
                        mine[str(seat)] = parts[seat]
                state = telling.StateRaw(dealer.phase, view, mine, happened, left, rollers, outcome, choices)
                data = told[connection.mine] = encode(state)
            connection.tell(data)
