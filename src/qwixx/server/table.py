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
import weakref
from collections.abc import Iterable
from contextvars import Context
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import UNSET

import qwixx
from qwixx.server import hosting, steward, telling, tracing
from qwixx.server.clocks import Clock
from qwixx.server.company import Company
from qwixx.server.connection import BANNED, CLOSED, NO_SUCH_TABLE, RESTARTING, TABLE_FULL, TROUBLE, Connection
from qwixx.server.dealer import Dealer
from qwixx.server.hinting import Hinting
from qwixx.server.inbox import (
    Arrived,
    Asked,
    BotChose,
    Close,
    Delete,
    Expel,
    HintFound,
    Inbox,
    Item,
    Left,
    NextOpened,
    TimeUp,
    Unload,
)
from qwixx.server.ledger import Resumed
from qwixx.server.news import News
from qwixx.server.protocol import Decide, Error, FromPage, Message, encode
from qwixx.server.room import Refused, Room
from qwixx.server.seats import owned
from qwixx.server.security import address_of
from qwixx.server.store import StoreFailed, StoreLost
from qwixx.server.thinking import Thinking
from qwixx.server.undoing import Undoing

if TYPE_CHECKING:
    from qwixx.server.tables import Tables

log = logging.getLogger("qwixx.table")
_AT_ONCE = 32
"""Messages that share one commit at most, so that nobody waits long for an answer."""
_WINDOWS = 8
"""Connections of one owner; the oldest gives way to the ninth, since it may be dead without anybody knowing."""


@dataclass(slots=True)
class Round:
    """What one round of the task has to write and to tell."""

    lines: list[str] = field(default_factory=list)
    """What the ledger gets more."""
    changes: dict[int, str] = field(default_factory=dict)
    """What becomes of lines that the ledger has: people have changed their minds."""
    cut: int | None = None
    """The step from which on the ledger loses its lines before it gets more: choices were taken back."""
    events: list[qwixx.Event] = field(default_factory=list)
    room_changed: bool = False
    """The room has to be written and told."""
    people_changed: bool = False
    """Somebody came or went: told, not written."""
    is_deleted: bool = False
    """The table has to go for good."""
    moved: bool = False
    """The game has to be told to all."""
    resync: list[Connection] = field(default_factory=list)
    """Those who are told alone where the game stands."""
    replies: list[tuple[Connection, bytes]] = field(default_factory=list)
    decided: list[float] = field(default_factory=list)
    """When the decisions of people came in that this round carries out."""

    def clear(self) -> None:
        """Be as new, for another round: to make hundreds of them anew keeps the collector at work."""
        self.lines.clear()
        self.changes.clear()
        self.cut = None
        self.events.clear()
        self.room_changed = self.people_changed = self.is_deleted = self.moved = False
        self.resync.clear()
        self.replies.clear()
        self.decided.clear()


class Table:
    """
    A room, its game, and those who look at it.

    Its parts know it by weak references only, so that a table that leaves memory is freed at once: thousands of games
    a day would else wait for a full search for cycles, which takes seconds.
    """

    def __init__(self, room: Room, resumed: Resumed, tables: Tables) -> None:
        """Sit down at a room; its game goes on where the ledger left it."""
        self.room = room
        self.tables = tables
        self.settings = tables.settings
        self.inbox = Inbox(self.settings.inbox)
        self.connections: dict[Connection, None] = {}
        """Those who are here, in the order in which they came."""
        self.company = Company(room)
        self.undoing = Undoing()
        self.news = News()
        self.round = Round()
        self._next_round = Round()
        known = weakref.ref(self)
        self.clock = Clock(lambda phase: _ring(known, phase))
        self.dealer = Dealer(self, resumed)
        self.thinking = Thinking(self)
        self.hinting = Hinting(self)
        self.touched = time.monotonic()
        self.is_gone = False
        self._is_counted = False
        self._opening: asyncio.Task[None] | None = None
        self._wanting_next: list[Connection] = []
        # A context of its own: the task works for all who come, not for whoever woke the table.
        self.task = asyncio.create_task(self._run(), name=f"table {room.code}", context=Context())

    def post(self, item: Item) -> bool:
        """Put something into the inbox; False if the table is gone, or cannot keep up with its pages."""
        return not self.is_gone and self.inbox.put(item)

    def lose(self) -> None:
        """Leave memory at once: another process may have this table, and what is known here may be old."""
        self.is_gone = True
        self.inbox.put(Unload(by_force=True))  # so that the task looks up

    # ---- the task

    async def _run(self) -> None:
        try:
            self.dealer.wake()
            await self._finish()
            while not self.is_gone:
                await self.inbox.wait()
                for _ in range(_AT_ONCE):
                    if self.is_gone or not self.inbox:
                        break
                    self._take(self.inbox.take())
                await self._finish()
        except StoreLost:
            log.warning("table lost", extra={"code": self.room.code})
        except Exception as error:
            # Memory may be ahead of the disk now. Forget it; whoever comes back gets what the ledger says.
            kind = "store" if isinstance(error, sqlite3.Error | StoreFailed) else "server"
            self.tables.counts.failed[f"table-{kind}"] += 1
            log.exception("table failed", extra={"code": self.room.code, "kind": kind})
            self._send_away(TROUBLE)
        finally:
            self.is_gone = True
            self._send_away(RESTARTING)
            self.clock.stop()
            self.thinking.stop()
            self.hinting.stop()
            self.tables.forget(self)

    def _send_away(self, code: int) -> None:
        """Hang up on all who are here or just coming; they may come back at once."""
        waiting = [self.inbox.take() for _ in range(len(self.inbox))]
        coming = {item.connection: None for item in waiting if isinstance(item, Arrived)}
        for connection in self.connections | coming:
            connection.drop(code)
            self._let_go(connection)

    def _take(self, item: Item) -> None:
        tracing.current.set(item.connection.request if isinstance(item, Asked) else "")
        match item:
            case Asked(connection, message, since):  # most are, so they are looked for first
                self._answer(connection, message, since)
            case Arrived(connection):
                self._arrive(connection)
            case Left(connection):
                self.part_with(connection)
                self.round.people_changed = True
                hosting.look_for_next(self)
            case BotChose(seat, phase, action):
                self.dealer.decide_for_bot(seat, phase, action)
            case HintFound(seat, phase, message, lasts):
                self.hinting.give(seat, phase, message, lasts=lasts)
            case TimeUp(phase):
                self.dealer.time_up(phase)
            case NextOpened(code, refusal):
                self._next_opened(code, refusal)
            case Unload(by_force):
                self.is_gone = by_force or not (self.connections or self.inbox or self._opening)
            case Close():
                self.is_gone = True
                self._turn_away_all("closed", CLOSED)
            case Delete():
                self.round.is_deleted = True
            case Expel(address):
                banned = {each: None for each in self.connections if each.address == address}
                self._turn_away_all("barred", BANNED, banned)
                self.round.people_changed = True

    def _answer(self, connection: Connection, message: FromPage, since: float) -> None:
        if connection not in self.connections:
            return  # it was turned away and has not hung up yet
        self.touched = time.monotonic()
        try:
            steward.carry_out(self, connection, message)
            if isinstance(message, Decide):
                self.round.decided.append(since)
        except Refused as refused:
            connection.counts.refused[refused.code] += 1
            rule = refused.rule or UNSET
            details = UNSET if refused.details is None else refused.details
            self.reply(connection, Error(refused.code, rule, details))
            self.round.resync.append(connection)

    def _arrive(self, connection: Connection) -> None:
        self.touched = time.monotonic()
        self.connections[connection] = None
        self.tables.connections += 1
        self.admit(connection)

    def part_with(self, connection: Connection) -> None:
        """Tell a connection nothing any more, from this moment on: it has left, or goes on to another table."""
        if connection in self.connections:
            del self.connections[connection]
            self.tables.connections -= 1

    def _let_go(self, connection: Connection) -> None:
        """Part with a connection, and have it forget this table."""
        self.part_with(connection)
        connection.outlet.listen(_nobody)

    def admit(self, connection: Connection) -> None:
        """Let somebody in who showed their tokens: owners of seats always, others while there is room to watch."""
        self.reseat()
        self.round.people_changed = True
        if connection.mine:
            same = [each for each in self.connections if set(each.keys) & set(connection.keys)]
            for old in same[:-_WINDOWS]:
                self.turn_away(old, "full", TABLE_FULL)
        elif self.tables.days.hides(self.room):
            return self.turn_away(connection, "no-such-table", NO_SUCH_TABLE)
        elif self.room.stage != "over" and address_of(connection.socket) in self.company.banned:
            return self.turn_away(connection, "banned", BANNED)
        elif sum(not each.mine for each in self.connections) > self.settings.max_connections:
            return self.turn_away(connection, "full", TABLE_FULL)
        self.round.resync.append(connection)
        return None

    def turn_away(self, connection: Connection, refusal: str, code: int) -> None:
        """Hang up on somebody, who hears why and is not heard any more."""
        self._let_go(connection)
        connection.refuse(refusal)
        connection.drop(code)

    def _turn_away_all(self, refusal: str, code: int, connections: Iterable[Connection] | None = None) -> None:
        for connection in list(self.connections if connections is None else connections):
            self.turn_away(connection, refusal, code)

    def reply(self, connection: Connection, message: Message) -> None:
        """Answer one connection, once what the answer speaks of is on disk."""
        self.reply_raw(connection, encode(message))

    def reply_raw(self, connection: Connection, message: bytes) -> None:
        """Answer one connection with a message that is encoded already."""
        self.round.replies.append((connection, message))

    # ---- write, then tell

    async def _finish(self) -> None:
        """Have everything written, then tell it."""
        done, self.round = self.round, self._next_round
        if done.is_deleted:
            return await self._delete()
        store = self.tables.store
        if done.room_changed or done.lines or done.changes or done.cut is not None:
            room = self.room if done.room_changed else None
            step = self.dealer.steps
            self.dealer.steps += len(done.lines)
            await store.write(self.room.code, room, step, done.lines, done.changes, done.cut)
            if done.room_changed and self.room.stage == "over":
                self.tables.archive.forget(self.room.code)  # names may have changed
        elif not store.holds(self.room.code) and not await store.confirm(self.room.code):
            raise StoreLost  # after a sleep, say: nobody is told what may be old
        if self.room.day:
            await self._count_day()
        self.dealer.committed()
        votes_ended = self.company.votes_end(self.dealer.phase)
        wish_ended = self.undoing.ends(self)
        if done.room_changed or done.people_changed or votes_ended or wish_ended:
            self._tell_room()
            self.news.forget()
        for connection, data in done.replies:
            if connection in self.connections:
                connection.tell(data)
        if self.dealer.game is not None:
            self.clock.set(self.dealer.phase, self.dealer.seconds)
            if done.moved or done.resync:
                newcomers = [each for each in done.resync if each in self.connections]
                self.news.tell(self, self.connections if done.moved else newcomers, done.events, newcomers)
            self.thinking.look()
            self.hinting.look()
        if done.decided:
            now = time.perf_counter()
            for since in done.decided:
                self.tables.counts.moves.note(now - since)
        done.clear()
        self._next_round = done
        return None

    async def _count_day(self) -> None:
        """Have the score of a day's game kept, once; a server that stopped before it could do so does it now."""
        game = self.dealer.game
        if game is not None and game.is_over and not self._is_counted:
            await self.tables.days.count(self.room, game.scores()[0])
            self._is_counted = True

    async def _delete(self) -> None:
        """Leave for good, and tell everybody that there is no such table any more."""
        await self.tables.store.delete(self.room.code)
        self.tables.archive.forget(self.room.code)
        self.is_gone = True
        self._turn_away_all("no-such-table", NO_SUCH_TABLE)

    def here(self) -> set[int]:
        """Give the seats whose people are connected."""
        return {seat for connection in self.connections for seat in connection.mine}

    def reseat(self) -> None:
        """Find out anew which seats belong to whom: seats have moved, or somebody showed other tokens."""
        for connection in self.connections:
            connection.mine = tuple(owned(self.room.seats, connection.keys)) if connection.keys else ()

    def open_next(self, connection: Connection) -> None:
        """Open the next table with the same people, once; whoever asks is told if that cannot be."""
        if self.room.next is not None:
            self.round.people_changed = True  # whoever asks again is told again
            return
        if self._opening is None:
            connection.count_table()
            self._opening = asyncio.create_task(self._open_next(connection))
        self._wanting_next.append(connection)

    async def _open_next(self, connection: Connection) -> None:
        code, refusal = None, ""
        try:
            code = await self.tables.open_next(self.room, self.company.wanting(self.room))
        except Refused as refused:
            refusal = refused.code
        except Exception:  # whatever it was, perhaps a locked disk: they may ask again
            log.exception("no next table", extra={"code": self.room.code})
            refusal = "trouble"
        if code is None:
            connection.uncount_table()
        self.post(NextOpened(code, refusal))

    def _next_opened(self, code: str | None, refusal: str) -> None:
        self._opening = None
        asking, self._wanting_next = self._wanting_next, []
        if code is not None:
            self.room.next = code
            self.round.room_changed = True
            return
        self.company.no_more()
        self.round.people_changed = True
        for connection in asking:
            self.reply(connection, Error(refusal))

    def _tell_room(self) -> None:
        here = self.here()
        self.company.note(self.room, here)
        watchers = sum(not connection.mine for connection in self.connections)
        told: dict[tuple[int, ...], bytes] = {}
        for connection in self.connections:
            data = told.get(connection.mine)
            if data is None:
                data = told[connection.mine] = telling.table_message(self, connection.mine, here, watchers)
            connection.tell(data)


def _ring(known: weakref.ref[Table], phase: int) -> None:
    """Tell a table that its time is up, if it is still there."""
    table = known()
    if table is not None:
        table.post(TimeUp(phase))


def _nobody(data: bytes) -> None:
    """Listen for nobody: a socket that still held its table would keep it in memory."""
