"""
One table: the only writer of its game.

Everything that wants something from a table puts it into the inbox: pages, bots, the clock. The table takes what
waits, carries it out, has it written to disk, and only then tells anybody; what comes meanwhile waits. It works in
steps that the event loop calls, and not in a task: hundreds of tasks that are woken for every move and fall asleep
again take a tenth of a server's time.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
import weakref
from collections.abc import Callable, Iterable
from contextvars import Context
from functools import partial
from typing import TYPE_CHECKING

from msgspec import UNSET

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
from qwixx.server.rounds import Round
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
        self._loop = asyncio.get_running_loop()
        self._context = Context()
        """Of its own: a table works for all who come, not for whoever woke it."""
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Done when the table has left memory."""
        self.is_idle = True
        """Whether everything has been answered, and nothing is being written."""
        self._finishing: asyncio.Task[None] | None = None
        self._begin(self._wake)

    def post(self, item: Item) -> bool:
        """Put something into the inbox; False if the table is gone, or cannot keep up with its pages."""
        if self.is_gone or not self.inbox.put(item):
            return False
        if self.is_idle:
            self._begin(self._work)
        return True

    def lose(self) -> None:
        """Leave memory at once: another process may have this table, and what is known here may be old."""
        self.is_gone = True
        if self.is_idle:
            self._begin(self._work)

    # ---- working in rounds: take, write, tell

    def _begin(self, work: Callable[[], None]) -> None:
        """Begin a round in the next turn of the loop: what comes in this one shares its commit."""
        self.is_idle = False
        self._loop.call_soon(work, context=self._context)

    def _wake(self) -> None:
        """Begin with what is due at once."""
        try:
            self.dealer.wake()
            self._finish()
        except Exception as error:
            self._fail(error)

    def _work(self) -> None:
        """Carry out what waits."""
        try:
            for _ in range(_AT_ONCE):
                if self.is_gone or not self.inbox:
                    break
                self._take(self.inbox.take())
            self._finish()
        except Exception as error:
            self._fail(error)

    def _rest(self) -> None:
        """Go on with what has come meanwhile, wait for more, or leave."""
        if self.is_gone:
            self._end()
        elif self.inbox:
            self._begin(self._work)
        else:
            self.is_idle = True

    def _fail(self, error: BaseException) -> None:
        """Leave memory, which may be ahead of the disk now; whoever comes back gets what the ledger says."""
        if isinstance(error, StoreLost):
            log.warning("table lost", extra={"code": self.room.code})
        else:
            kind = "store" if isinstance(error, sqlite3.Error | StoreFailed) else "server"
            self.tables.counts.failed[f"table-{kind}"] += 1
            log.error("table failed", extra={"code": self.room.code, "kind": kind}, exc_info=error)
            self._send_away(TROUBLE)
        self._end()

    def _end(self) -> None:
        """Leave memory."""
        self.is_gone = True
        self._send_away(RESTARTING)
        self.clock.stop()
        self.thinking.stop()
        self.hinting.stop()
        self.tables.forget(self)
        if not self.ended.done():
            self.ended.set_result(None)

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
        connection.listen(_nobody)

    def admit(self, connection: Connection) -> None:
        """Let somebody in who showed their tokens: owners of seats always, others while there is room to watch."""
        self.reseat()
        self.round.people_changed = True
        if connection.address in self.tables.barred:  # since it came in by the door
            return self.turn_away(connection, "barred", BANNED)
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

    def _finish(self) -> None:
        """Have everything written, then tell it."""
        done, self.round = self.round, self._next_round
        is_certain = done.has_to_be_written or self.tables.store.holds(self.room.code)
        if done.is_deleted or self.room.day or not is_certain:
            self._finishing = self._loop.create_task(self._finish_slowly(done), context=self._context)
        elif done.has_to_be_written:
            self._write(done).add_done_callback(partial(self._written, done), context=self._context)
        else:
            self._tell(done)

    async def _finish_slowly(self, done: Round) -> None:
        """Finish a round that waits for more than one write, or for other things than that."""
        store = self.tables.store
        try:
            if done.is_deleted:
                await self._delete()
                self._end()
                return
            if done.has_to_be_written:
                await asyncio.shield(self._write(done))
            elif not store.holds(self.room.code) and not await store.confirm(self.room.code):
                raise StoreLost  # after a sleep, say: nobody is told what may be old
            if self.room.day:
                await self._count_day()
            self._tell(done)
        except Exception as error:
            self._fail(error)
        except BaseException as error:  # whoever else waits for the same commit has given it up
            self._fail(error)
            raise
        finally:
            self._finishing = None

    def _write(self, done: Round) -> asyncio.Future[None]:
        room = self.room if done.room_changed else None
        step = self.dealer.steps
        self.dealer.steps += len(done.lines)
        return self.tables.store.write(self.room.code, room, step, done.lines, done.changes, done.cut)

    def _written(self, done: Round, written: asyncio.Future[None]) -> None:
        """Go on when a round is on disk, or cannot be."""
        # Not raised: an error would remember where it was, and so keep this table in memory as long as others have it.
        error = asyncio.CancelledError() if written.cancelled() else written.exception()
        if error is not None:
            self._fail(error)
            return
        try:
            self._tell(done)
        except Exception as failure:
            self._fail(failure)

    def _tell(self, done: Round) -> None:
        """Tell what is on disk now, and rest."""
        if done.room_changed and self.room.stage == "over":
            self.tables.archive.forget(self.room.code)  # names may have changed
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
        self._rest()

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
