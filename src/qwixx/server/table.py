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
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import UNSET, Raw

import qwixx
from qwixx.server import hosting, steward, telling
from qwixx.server.clocks import Clock
from qwixx.server.company import Company
from qwixx.server.connection import BANNED, NO_SUCH_TABLE, RESTARTING, TABLE_FULL, TROUBLE, Connection
from qwixx.server.dealer import Dealer
from qwixx.server.inbox import Arrived, Asked, BotChose, Inbox, Item, Left, NextOpened, TimeUp, Unload
from qwixx.server.ledger import Resumed
from qwixx.server.protocol import Error, FromPage, Message, encode
from qwixx.server.room import Refused, Room
from qwixx.server.seats import owned
from qwixx.server.security import address_of
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
        self.round = Round()
        known = weakref.ref(self)
        self.clock = Clock(lambda phase: _ring(known, phase))
        self.dealer = Dealer(self, resumed)
        self.thinking = Thinking(self)
        self.touched = time.monotonic()
        self.is_gone = False
        self._opening: asyncio.Task[None] | None = None
        self._wanting_next: list[Connection] = []
        self.task = asyncio.create_task(self._run(), name=f"table {room.code}")

    def post(self, item: Item) -> bool:
        """Put something into the inbox; False if the table is gone, or cannot keep up with its pages."""
        return not self.is_gone and self.inbox.put(item)

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
        waiting = [self.inbox.take() for _ in range(len(self.inbox))]
        coming = {item.connection: None for item in waiting if isinstance(item, Arrived)}
        for connection in self.connections | coming:
            connection.drop(code)
            self._let_go(connection)

    def _take(self, item: Item) -> None:
        match item:
            case Arrived(connection):
                self._arrive(connection)
            case Left(connection):
                self._let_go(connection)
                self.round.people_changed = True
                hosting.look_for_next(self)
            case BotChose(seat, phase, action):
                self.dealer.decide_for_bot(seat, phase, action)
            case TimeUp(phase):
                self.dealer.time_up(phase)
            case NextOpened(code, refusal):
                self._next_opened(code, refusal)
            case Unload(by_force):
                self.is_gone = by_force or not (self.connections or self.inbox or self._opening)
            case Asked(connection, message):
                self._answer(connection, message)

    def _answer(self, connection: Connection, message: FromPage) -> None:
        if connection not in self.connections:
            return  # it was turned away and has not hung up yet
        self.touched = time.monotonic()
        try:
            steward.carry_out(self, connection, message)
        except Refused as refused:
            rule = refused.rule or UNSET
            details = UNSET if refused.details is None else refused.details
            self.reply(connection, Error(refused.code, rule, details))
            self.round.resync.append(connection)

    def _arrive(self, connection: Connection) -> None:
        self.touched = time.monotonic()
        self.connections[connection] = None
        self.tables.connections += 1
        self.admit(connection)

    def _let_go(self, connection: Connection) -> None:
        """Forget a connection, and have it forget this table."""
        if connection in self.connections:
            del self.connections[connection]
            self.tables.connections -= 1
        connection.outlet.listen(_nobody)

    def admit(self, connection: Connection) -> None:
        """Let somebody in who showed their tokens: owners of seats always, others while there is room to watch."""
        self.reseat()
        self.round.people_changed = True
        if connection.mine:
            same = [each for each in self.connections if set(each.keys) & set(connection.keys)]
            for old in same[:-_WINDOWS]:
                self.turn_away(old, "full", TABLE_FULL)
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

    def reply(self, connection: Connection, message: Message) -> None:
        """Answer one connection, once what the answer speaks of is on disk."""
        self.round.replies.append((connection, encode(message)))

    # ---- write, then tell

    async def _finish(self) -> None:
        """Have everything written, then tell it."""
        done, self.round = self.round, Round()
        if done.is_deleted:
            return await self._delete()
        if done.room_changed or done.lines or done.changes or done.cut is not None:
            room = self.room if done.room_changed else None
            step = self.dealer.steps
            self.dealer.steps += len(done.lines)
            await self.tables.store.write(self.room.code, room, step, done.lines, done.changes, done.cut)
            if done.room_changed and self.room.stage == "over":
                self.tables.archive.forget(self.room.code)  # names may have changed
        self.dealer.committed()
        votes_ended = self.company.votes_end(self.dealer.phase)
        wish_ended = self.undoing.ends(self)
        if done.room_changed or done.people_changed or votes_ended or wish_ended:
            self._tell_room()
        for connection, data in done.replies:
            connection.tell(data)
        if self.dealer.game is not None:
            self.clock.set(self.dealer.phase, self.dealer.seconds)
            if done.moved or done.resync:
                self._tell_game(self.connections if done.moved else done.resync, done.events, done.resync)
            self.thinking.look()
        return None

    async def _delete(self) -> None:
        """Leave for good, and tell everybody that there is no such table any more."""
        await self.tables.store.delete(self.room.code)
        self.tables.archive.forget(self.room.code)
        self.is_gone = True
        for connection in list(self.connections):
            self.turn_away(connection, "no-such-table", NO_SUCH_TABLE)

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

    def _tell_game(
        self, connections: Iterable[Connection], events: list[qwixx.Event], newcomers: list[Connection]
    ) -> None:
        """Send each connection what its seats may see, newcomers the story too; what several share is made once."""
        dealer = self.dealer
        game = dealer.game
        assert game is not None
        view = Raw(encode(game.view(None)))
        happened = Raw(encode(events))
        outcome = game.outcome()
        choices = UNSET if self.room.options.sealed else {str(s): text for s, text in dealer.choices.items()}
        left, rollers, undoable = self.clock.left(), dealer.rollers(), dealer.undoable()
        parts: dict[int, Raw] = {}
        story = telling.story_part(game, int(self.room.opening["first"]), dealer.late) if newcomers else UNSET
        told: dict[tuple[bool, tuple[int, ...]], bytes] = {}
        for connection in connections:
            is_new = connection in newcomers
            data = told.get((is_new, connection.mine))
            if data is None:
                mine = {}
                for seat in connection.mine:
                    if self.room.seats[seat].is_person:
                        if seat not in parts:
                            parts[seat] = telling.mine_part(game, seat, dealer.choices.get(seat))
                        mine[str(seat)] = parts[seat]
                state = telling.StateRaw(dealer.phase, view, mine, happened, left, rollers, undoable, outcome, choices)
                state.story = story if is_new else UNSET
                data = told[is_new, connection.mine] = encode(state)
            connection.tell(data)


def _ring(known: weakref.ref[Table], phase: int) -> None:
    """Tell a table that its time is up, if it is still there."""
    table = known()
    if table is not None:
        table.post(TimeUp(phase))


def _nobody(data: bytes) -> None:
    """Listen for nobody: a socket that still held its table would keep it in memory."""
