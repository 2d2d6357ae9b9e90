"""
One table: the only writer of its game. A tap of a player is handled here.

`post` puts everything into the inbox: messages of clients, decisions of bots, the clock. `_run_batch` handles the items
in order: it passes client messages to `commands.handle`, which passes decisions on to the dealer. `_commit` writes the
result to the store, and only then `_publish` sends it. Items that arrive during a write wait for the next batch.

The steps are callbacks of the event loop, not a task: hundreds of tasks that wake up for every move would take a tenth
of the server's time.
"""

from __future__ import annotations

import asyncio
import logging
import time
import weakref
from collections.abc import Callable, Iterable
from contextvars import Context
from functools import partial
from typing import TYPE_CHECKING, assert_never

from msgspec import UNSET
from msgspec.structs import replace

from qwixx.server.base.errors import RefusalCode, Refused, StoreFailed
from qwixx.server.limits.client_address import address_of
from qwixx.server.limits.declared import OWNER_CONNECTIONS
from qwixx.server.room.room import Room
from qwixx.server.room.seats import owned_seats
from qwixx.server.store.interface import LeaseLost
from qwixx.server.table import commands, moderation, outgoing
from qwixx.server.table.bot_turns import BotTurns
from qwixx.server.table.change import NOTHING, PEOPLE, ROOM, Batch, Change, reply, reply_all
from qwixx.server.table.clock import Clock
from qwixx.server.table.core import Core
from qwixx.server.table.dealer import OPENING_SECONDS, Dealer
from qwixx.server.table.hint_requests import HintRequests
from qwixx.server.table.inbox import (
    BotChose,
    ClientMessage,
    Close,
    Connected,
    Delete,
    Disconnected,
    HintReady,
    Inbox,
    Item,
    Kick,
    RematchOpened,
    RollDue,
    TimeUp,
    Unload,
)
from qwixx.server.table.presence import Presence
from qwixx.server.table.shared_review import SharedReview
from qwixx.server.table.undo import PendingUndo
from qwixx.server.table.updates import StateBroadcaster
from qwixx.server.wire import request_ids
from qwixx.server.wire.connection import BANNED, CLOSED, NO_SUCH_TABLE, RESTARTING, TABLE_FULL, TROUBLE, Connection
from qwixx.server.wire.messages import Decide, Error, FromPage, encode

if TYPE_CHECKING:
    from qwixx.server.table.registry import Tables

log = logging.getLogger("qwixx.table")
_MAX_BATCH = 32
"""Items in one commit at most, so that no client waits long for an answer."""


class Table:
    """
    A room, its game and its connections.

    Its parts have only weak references to it, so that an unloaded table is freed immediately. Otherwise thousands of
    games a day would wait for a full garbage collection, which takes seconds.
    """

    def __init__(self, room: Room, core: Core, tables: Tables) -> None:
        """Continue the game of a room from its ledger."""
        self.room = room
        self.tables = tables
        self.settings = tables.settings
        self.inbox = Inbox(self.settings.inbox)
        self.connections: dict[Connection, None] = {}
        """In the order in which they connected."""
        self.presence = Presence(room)
        self.pending_undo = PendingUndo()
        self.shared_review = SharedReview()
        self.broadcaster = StateBroadcaster()
        self._batch = Batch(core.steps)
        reference = weakref.ref(self)
        self.clock = Clock(lambda phase: _post(reference, TimeUp(phase)))
        self._roll_timer = Clock(lambda phase: _post(reference, RollDue(phase)))
        self.dealer = Dealer(self, core)
        self.bot_turns = BotTurns(self)
        self.hint_requests = HintRequests(self)
        self.touched = time.monotonic()
        self.is_gone = False
        self._is_daily_score_saved = False
        self._opening_rematch: asyncio.Task[None] | None = None
        self._rematch_askers: list[Connection] = []
        self._loop = asyncio.get_running_loop()
        self._context = Context()
        """An empty context: a table works for all clients, not for the request that loaded it."""
        self.ended: asyncio.Future[None] = self._loop.create_future()
        """Done when the table is unloaded."""
        self.is_idle = True
        """Whether the inbox is empty and nothing is being written."""
        self._committing: asyncio.Task[None] | None = None
        self._schedule(self._start)

    def post(self, item: Item) -> bool:
        """Put an item into the inbox. Return False if the table is unloaded, or if too many client messages wait."""
        if self.is_gone or not self.inbox.put(item):
            return False
        if self.is_idle:
            self._schedule(self._run_batch)
        return True

    def evict(self) -> None:
        """Unload immediately: another process may own this table, and the state here may be outdated."""
        self.is_gone = True
        if self.is_idle:
            self._schedule(self._run_batch)

    # ---- batches: handle, write, send

    def _schedule(self, step: Callable[[], None]) -> None:
        """Run a step in the next iteration of the loop: items that arrive until then share its commit."""
        self.is_idle = False
        self._loop.call_soon(step, context=self._context)

    def _start(self) -> None:
        """Start with the chance that is due after loading."""
        try:
            self._batch.add(self.dealer.resume())
            self._commit()
        except Exception as error:
            self._fail(error)

    def _run_batch(self) -> None:
        """Handle the items that wait, then commit."""
        try:
            for _ in range(_MAX_BATCH):
                if self.is_gone or not self.inbox:
                    break
                self._batch.add(self._handle(self.inbox.take()))
            self._commit()
        except Exception as error:
            self._fail(error)

    def _continue_or_unload(self) -> None:
        """Handle the items that arrived meanwhile, wait for more, or unload."""
        if self.is_gone:
            self._unload()
        elif self.inbox:
            self._schedule(self._run_batch)
        else:
            self.is_idle = True

    def _fail(self, error: BaseException) -> None:
        """Unload: the memory may be ahead of the disk now. Clients that reconnect get the state of the ledger."""
        if isinstance(error, LeaseLost):
            log.warning("table lost", extra={"code": self.room.code})
        elif isinstance(error, StoreFailed):
            self.tables.counts.failed["table-store"] += 1
            log.info("table not written: the store failed", extra={"code": self.room.code, "error": str(error)})
            self._drop_all(TROUBLE)
        else:
            self.tables.counts.failed["table-server"] += 1
            log.error("table failed", extra={"code": self.room.code}, exc_info=error)
            self._drop_all(TROUBLE)
        self._unload()

    def _unload(self) -> None:
        """Close all connections and leave memory."""
        self.is_gone = True
        self._drop_all(RESTARTING)
        self.clock.stop()
        self._roll_timer.stop()
        self.bot_turns.stop()
        self.hint_requests.stop()
        self.tables.forget(self)
        if not self.ended.done():
            self.ended.set_result(None)

    def _drop_all(self, code: int) -> None:
        """Close all connections, also those that wait in the inbox; clients may reconnect immediately."""
        waiting = [self.inbox.take() for _ in range(len(self.inbox))]
        arriving = {item.connection: None for item in waiting if isinstance(item, Connected)}
        for connection in self.connections | arriving:
            connection.drop(code)
            self._forget(connection)

    def _handle(self, item: Item) -> Change:
        request_ids.current_request_id.set(item.connection.request if isinstance(item, ClientMessage) else "")
        match item:
            case ClientMessage(connection, message, received_at):  # most items are, so this case is first
                return self._handle_message(connection, message, received_at)
            case Connected(connection):
                return self._connect(connection)
            case Disconnected(connection):
                self.detach(connection)
                moderation.maybe_open_rematch(self)
                return PEOPLE
            case BotChose(seat, phase, action):
                return self.dealer.decide_for_bot(seat, phase, action)
            case HintReady(seat, phase, message, is_hint):
                return self.hint_requests.deliver(seat, phase, message, is_hint=is_hint)
            case TimeUp(phase):
                return self.dealer.time_up(phase)
            case RollDue(phase):
                return self.dealer.roll_after_wait(phase)
            case RematchOpened(code, refusal):
                return self._rematch_opened(code, refusal)
            case Unload(by_force):
                self.is_gone = by_force or not (self.connections or self.inbox or self._opening_rematch)
                return NOTHING
            case Close():
                self.is_gone = True
                self._reject_all("closed", CLOSED)
                return NOTHING
            case Delete():
                return Change(is_deleted=True)
            case Kick(address):
                banned = {each: None for each in self.connections if each.address == address}
                self._reject_all("barred", BANNED, banned)
                return PEOPLE
            case _:
                assert_never(item)

    def _handle_message(self, connection: Connection, message: FromPage, received_at: float) -> Change:
        if connection not in self.connections:
            return NOTHING  # it was rejected and has not closed yet
        self.touched = time.monotonic()
        try:
            change = commands.handle(self, connection, message)
        except Refused as refused:
            connection.counts.refused[refused.code] += 1
            details = UNSET if refused.details is None else refused.details
            error = reply(connection, Error(refused.code, refused.rule or UNSET, details))
            return replace(error, resync=connection)
        if isinstance(message, Decide):
            self._batch.decided_at.append(received_at)
        return change

    def _connect(self, connection: Connection) -> Change:
        self.touched = time.monotonic()
        self.connections[connection] = None
        self.tables.connections += 1
        return self.admit(connection)

    def detach(self, connection: Connection) -> None:
        """Send nothing more to a connection: it has closed, or has moved to another table."""
        if connection in self.connections:
            del self.connections[connection]
            self.tables.connections -= 1

    def _forget(self, connection: Connection) -> None:
        """Detach a connection, and remove its reference to this table."""
        self.detach(connection)
        connection.attach(_ignore)

    def admit(self, connection: Connection) -> Change:
        """Admit a connection that has sent its tokens: owners of seats always, spectators up to a limit."""
        self.reseat()
        if connection.address in self.tables.banned:  # since it connected
            self.reject(connection, "barred", BANNED)
        elif connection.seats:
            same = [each for each in self.connections if set(each.keys) & set(connection.keys)]
            # One more replaces the oldest, which may be dead without notice.
            for old in same[: -OWNER_CONNECTIONS.fixed]:
                self.reject(old, "full", TABLE_FULL)
        elif self.tables.daily_games.is_secret(self.room):
            self.reject(connection, "no-such-table", NO_SUCH_TABLE)
        elif self.room.stage != "over" and self.presence.is_banned(address_of(connection.socket), connection.keys):
            self.reject(connection, "banned", BANNED)
        elif sum(not each.seats for each in self.connections) > self.settings.max_connections:
            self.reject(connection, "full", TABLE_FULL)
        return Change(people=True, admitted=connection)

    def reject(self, connection: Connection, refusal: RefusalCode, code: int) -> None:
        """Close a connection with a refusal code; ignore its further messages."""
        self._forget(connection)
        connection.refuse(refusal)
        connection.drop(code)

    def _reject_all(self, refusal: RefusalCode, code: int, connections: Iterable[Connection] | None = None) -> None:
        for connection in list(self.connections if connections is None else connections):
            self.reject(connection, refusal, code)

    # ---- write, then send

    def _commit(self) -> None:
        """Write the changes of this batch, then publish them."""
        done, self._batch = self._batch, Batch(self.dealer.core.steps)
        is_certain = done.needs_write or self.tables.store.is_owner(self.room.code)
        if done.is_deleted or self.room.day or not is_certain:
            self._committing = self._loop.create_task(self._commit_slowly(done), context=self._context)
        elif done.needs_write:
            self._write(done).add_done_callback(partial(self._written, done), context=self._context)
        else:
            self._publish(done)

    async def _commit_slowly(self, done: Batch) -> None:
        """Commit a batch that waits for more than one write: a deletion, a daily score, a doubtful lease."""
        store = self.tables.store
        try:
            if done.is_deleted:
                await self._delete()
                self._unload()
                return
            if done.needs_write:
                await asyncio.shield(self._write(done))
            elif not store.is_owner(self.room.code) and not await store.verify_owner(self.room.code):
                raise LeaseLost  # for example after a sleep of the machine: no client may get an outdated state
            if self.room.day:
                await self._save_daily_score()
            self._publish(done)
        except Exception as error:
            self._fail(error)
        except BaseException as error:  # another waiter of the same commit has cancelled it
            self._fail(error)
            raise
        finally:
            self._committing = None

    def _write(self, done: Batch) -> asyncio.Future[None]:
        room = self.room if done.room else None
        return self.tables.store.write(self.room.code, room, done.first, done.lines, done.cut)

    def _written(self, done: Batch, written: asyncio.Future[None]) -> None:
        """Publish a batch that is on disk, or fail."""
        # Not raised: the traceback of an error that others share would keep this table in memory.
        error = asyncio.CancelledError() if written.cancelled() else written.exception()
        if error is not None:
            self._fail(error)
            return
        try:
            self._publish(done)
        except Exception as failure:
            self._fail(failure)

    def _publish(self, done: Batch) -> None:
        """Send the changes that are on disk now, then continue."""
        if done.room and self.room.stage == "over":
            self.tables.finished_games.forget(self.room.code)  # names may have changed
        self.dealer.on_committed()
        votes_expired = self.presence.expire_votes(self.dealer.phase)
        undo_expired = self.pending_undo.expire(self)
        if done.room or done.people or votes_expired or undo_expired:
            self._send_room()
            self.broadcaster.reset()
        admitted = [each for each in done.admitted if each in self.connections]
        if admitted:
            self.tables.announcer.send_to(admitted)
        if done.pointed or admitted:
            self.shared_review.send_to(self.connections if done.pointed else admitted)
        for connection, data in done.replies:
            if connection in self.connections:
                connection.send(data)
        if self.room.locked:
            self._roll_timer.set(self.dealer.phase, OPENING_SECONDS)
        if self.dealer.game is not None:
            self.clock.set(self.dealer.phase, self.dealer.seconds)
            self._roll_timer.set(self.dealer.phase, self.dealer.undo_left())
            newcomers = [*admitted, *(each for each in done.resync if each in self.connections)]
            if done.state or newcomers:
                receivers = self.connections if done.state else newcomers
                self.broadcaster.send_updates(self, receivers, done.events, newcomers)
            self.bot_turns.ask_bots()
            self.hint_requests.start_recorded()
        if done.decided_at:
            now = time.perf_counter()
            for received_at in done.decided_at:
                self.tables.counts.moves.observe(now - received_at)
        self._continue_or_unload()

    async def _save_daily_score(self) -> None:
        """Save the score of a finished daily game, once; also after a restart, if the server stopped before."""
        game = self.dealer.game
        if game is not None and game.is_over and not self._is_daily_score_saved:
            await self.tables.daily_games.count(self.room, game)
            self._is_daily_score_saved = True

    async def _delete(self) -> None:
        """Delete the table from the store and close all connections."""
        await self.tables.store.delete(self.room.code)
        self.tables.finished_games.forget(self.room.code)
        self.is_gone = True
        self._reject_all("no-such-table", NO_SUCH_TABLE)

    def here(self) -> set[int]:
        """Return the seats whose players are connected."""
        return {seat for connection in self.connections for seat in connection.seats}

    def reseat(self) -> None:
        """Assign seats to connections again: seats have moved, or a client sent other tokens."""
        for connection in self.connections:
            connection.seats = tuple(owned_seats(self.room.seats, connection.keys)) if connection.keys else ()

    def _waiting_here(self) -> list[int]:
        """Return the numbers of the reserved seats whose people are connected."""
        keys = {key for connection in self.connections for key in connection.keys}
        return [place for place, seat in enumerate(self.room.waiting, len(self.room.seats)) if seat.key in keys]

    @property
    def is_opening_rematch(self) -> bool:
        """Whether the table of the rematch is being opened."""
        return self._opening_rematch is not None

    def open_rematch(self, connection: Connection) -> None:
        """Open a table for the rematch, once; reply with an error to all who asked if it cannot be opened."""
        if self.room.next is not None:
            return  # a client that asks again gets the code again
        if self._opening_rematch is None:
            connection.count_table()
            self._opening_rematch = asyncio.create_task(self._open_rematch(connection))
        self._rematch_askers.append(connection)

    async def _open_rematch(self, connection: Connection) -> None:
        code = None
        refusal: RefusalCode = "trouble"
        try:
            agreed = [*self.presence.rematch_seats(self.room), *self._waiting_here()]
            code = await self.tables.open_rematch(self.room, agreed)
        except Refused as refused:
            refusal = refused.code
        except StoreFailed as error:  # for example a full disk; players may ask again
            log.info("no next table: the store failed", extra={"code": self.room.code, "error": str(error)})
        except Exception:
            log.exception("no next table", extra={"code": self.room.code})
        if code is None:
            connection.release_table()
        self.post(RematchOpened(code, refusal))

    def _rematch_opened(self, code: str | None, refusal: RefusalCode) -> Change:
        self._opening_rematch = None
        asking, self._rematch_askers = self._rematch_askers, []
        if code is not None:
            self.room.next = code
            for seat in self.room.waiting:
                seat.name = ""  # their names are at the next table, where these people can take them out
            return ROOM
        self.presence.clear_rematch()
        return replace(reply_all(asking, encode(Error(refusal))), people=True)

    def _send_room(self) -> None:
        """Send every connection the room; encode it once for each set of seats."""
        here = self.here()
        self.presence.update(self.room, here)
        watchers = sum(not connection.seats for connection in self.connections)
        encoded: dict[tuple[tuple[int, ...], ...], bytes] = {}
        for connection in self.connections:
            own = connection.seats, tuple(owned_seats(self.room.waiting, connection.keys))
            data = encoded.get(own)
            if data is None:
                data = encoded[own] = outgoing.table_message(self, *own, here, watchers)
            connection.send(data)


def _post(reference: weakref.ref[Table], item: Item) -> None:
    """Post an item of a timer, if the table is still loaded."""
    table = reference()
    if table is not None:
        table.post(item)


def _ignore(data: bytes) -> None:
    """Ignore a message: a listener with a reference to the table would keep it in memory."""
