"""
The admin API for operators, over HTTP with a token: statistics, close, delete, ban, announce, export.

Without a token in the settings it is off. `qwixx admin` is its client (`cli/commands/host/admin.py`).
"""

from __future__ import annotations

import asyncio
import gzip
import ipaddress
import time
from collections.abc import Awaitable, Callable
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import qwixx
from qwixx.server.base.counters import Histogram
from qwixx.server.base.errors import Refused
from qwixx.server.http.http_util import json_response, read_json
from qwixx.server.limits.client_address import address_group
from qwixx.server.limits.operator_tokens import OperatorToken
from qwixx.server.operate.audit import Audit, network_of
from qwixx.server.operate.census import census
from qwixx.server.room.codes import is_code
from qwixx.server.room.integrity import Damaged
from qwixx.server.room.room import Room
from qwixx.server.store.interface import OwnedElsewhere
from qwixx.server.table.announcement import MAX_LENGTH
from qwixx.server.table.inbox import Close, Delete, Kick
from qwixx.server.table.registry import Tables
from qwixx.server.wire.message_parts import Payload
from qwixx.server.wire.messages import Stage, encode
from qwixx.server.workers.tasks import FinishedGameTask

_WEEK = 7 * 24 * 60
_MAX_LISTED = 1000
Minutes = Annotated[float, Meta(gt=0, le=_WEEK)]


class Wait(Struct):
    """Close a table for this many minutes."""

    minutes: Minutes = 60.0


class Ban(Struct):
    """Ban an address for this many minutes."""

    address: Annotated[str, Meta(max_length=64)]
    minutes: Minutes = 60.0


class Announce(Struct):
    """Show a text to everyone for this many minutes; an empty text removes it."""

    text: Annotated[str, Meta(max_length=2 * MAX_LENGTH)]
    minutes: Minutes = 60.0


class TableInfo(Payload):
    """One table, as the operator sees it."""

    code: str
    variant: str
    stage: Stage
    seats: int
    idle_minutes: int
    """Minutes since it was last written or visited."""
    people: int
    """How many of its people are connected."""
    watchers: int
    closed: bool


class TableList(Payload):
    """The tables that were touched last."""

    tables: list[TableInfo]
    in_all: int


class BanList(Payload):
    """Banned addresses, with the minutes left."""

    bans: dict[str, int]


class LatencySummary(Payload):
    """A count of durations, with their median and 99th percentile in milliseconds; null above ten seconds."""

    count: int
    p50: float | None
    p99: float | None


class Stats(Payload):
    """Statistics of a server since it started."""

    version: str
    minutes: int
    tables: int
    loaded: dict[str, int]
    people: int
    bots: int
    watchers: int
    sockets: int
    moves: LatencySummary
    bot_moves: int
    commits: LatencySummary
    commits_failed: int
    late: LatencySummary
    refused: dict[str, int]
    failed: dict[str, int]
    troubles: list[str]
    damaged: dict[str, str]
    """Tables that were found damaged and are set aside, by code, with the reason."""


class Admin:
    """Handlers for the operator of one server."""

    def __init__(self, tables: Tables, token: OperatorToken) -> None:
        """Administrate these tables, for clients that have the token."""
        self._tables, self._token = tables, token
        self._audit = Audit(tables.store)
        self._began = time.monotonic()

    def routes(self) -> list[Route]:
        """Return the routes."""
        # The last entry is the name in the audit log: of everything that changes something or shows a game.
        asked: list[tuple[str, str, Callable[[Request], Awaitable[Response]], str]] = [
            ("GET", "stats", self.stats, ""),
            ("GET", "tables", self.list_tables, ""),
            ("GET", "audit", self.audit, ""),
            ("GET", "tables/{code}/record", self.export, "export"),
            ("POST", "tables/{code}/close", self.close, "close"),
            ("DELETE", "tables/{code}/close", self.reopen, "reopen"),
            ("DELETE", "tables/{code}", self.delete, "delete"),
            ("GET", "bans", self.list_bans, ""),
            ("POST", "bans", self.ban, "ban"),
            ("DELETE", "bans/{address:path}", self.unban, "unban"),
            ("POST", "announcement", self.announce, "announce"),
        ]
        return [
            Route(f"/api/admin/{path}", self._for_operator(do, action), methods=[verb])
            for verb, path, do, action in asked
        ]

    def _for_operator(
        self, do: Callable[[Request], Awaitable[Response]], action: str
    ) -> Callable[[Request], Awaitable[Response]]:
        async def checked(request: Request) -> Response:
            self._token.check(request)
            response = await do(request)
            if action:
                await self._audit.record(request, action)
            return response

        return checked

    # ---- reading

    async def stats(self, request: Request) -> Response:
        """Send the statistics of the server."""
        tables, counts, now = self._tables, self._tables.counts, await census(self._tables)
        facts = Stats(
            version=qwixx.__version__,
            minutes=int((time.monotonic() - self._began) / 60),
            tables=tables.store.count,
            loaded={str(stage): count for stage, count in now.tables.items()},
            people=now.people,
            bots=now.bots,
            watchers=now.watchers,
            sockets=tables.connections,
            moves=_latency(counts.moves),
            bot_moves=counts.bot_moves,
            commits=_latency(counts.commits),
            commits_failed=counts.commits_failed,
            late=_latency(counts.loop_lag),
            refused=dict(counts.refused),
            failed=dict(counts.failed),
            troubles=tables.troubles(),
            damaged=dict(tables.store.damaged),
        )
        return json_response(encode(facts))

    async def list_tables(self, request: Request) -> Response:
        """List the tables that were touched last."""
        rooms = await self._tables.store.latest(_most(request))
        found = [self._info(room, touched) for room, touched in rooms]
        return json_response(encode(TableList(found, self._tables.store.count)))

    async def audit(self, request: Request) -> Response:
        """Send the latest entries of the audit log."""
        return json_response(encode(await self._audit.latest(_most(request))))

    def _info(self, room: Room, touched: float) -> TableInfo:
        loaded = self._tables.loaded.get(room.code)
        return TableInfo(
            code=room.code,
            variant=room.variant,
            stage=room.stage,
            seats=len(room.seats),
            idle_minutes=max(0, int((time.time() - touched) / 60)),
            people=len(loaded.here()) if loaded else 0,
            watchers=sum(not each.seats for each in loaded.connections) if loaded else 0,
            closed=room.code in self._tables.closed_codes,
        )

    async def export(self, request: Request) -> Response:
        """Send what was played at a table as a record, whether the game is over or not."""
        found = await self._tables.store.read(_code(request))
        if found is None:
            raise Refused("no-such-table")
        room, lines = found
        if not room.opening:
            raise Refused("not-now")
        text = gzip.decompress(
            await self._tables.pools.submit_to_worker("replays", FinishedGameTask("record", room, lines))
        )
        return Response(text, headers={"Cache-Control": "no-store"}, media_type="text/plain")

    # ---- tables

    async def close(self, request: Request) -> Response:
        """Close a table for a while: disconnect everyone and refuse new connections; its game does not change."""
        code, wanted = _code(request), await read_json(request, self._tables.limiter, Wait)
        if await self._tables.store.room(code) is None:
            raise Refused("no-such-table")
        self._tables.closed_codes.add(code, wanted.minutes)
        loaded = self._tables.loaded.get(code)
        if loaded is not None and loaded.post(Close()):
            await asyncio.wait([loaded.ended])
        return json_response(b"{}")

    async def reopen(self, request: Request) -> Response:
        """Open a closed table again."""
        if not self._tables.closed_codes.remove(_code(request)):
            raise Refused("not-now")
        return json_response(b"{}")

    async def delete(self, request: Request) -> Response:
        """Delete a table and its game, also if it is damaged."""
        code = _code(request)
        try:
            table = await self._tables.find(code)
        except OwnedElsewhere:
            raise Refused("not-now") from None  # only the process that owns it can delete it
        except Damaged:
            await self._delete_damaged(code)
            return json_response(b"{}")
        if table is None or not table.post(Delete()):
            raise Refused("no-such-table")
        await asyncio.wait([table.ended])
        return json_response(b"{}")

    async def _delete_damaged(self, code: str) -> None:
        """Delete a table that cannot be loaded."""
        store = self._tables.store
        await store.acquire(code)
        try:
            await store.delete(code)
        finally:
            store.release(code)
        self._tables.finished_games.forget(code)
        store.damaged.pop(code, None)

    # ---- addresses

    async def list_bans(self, request: Request) -> Response:
        """List the banned addresses."""
        return json_response(encode(BanList(self._tables.banned.minutes_left())))

    async def ban(self, request: Request) -> Response:
        """Ban an address for a while, and disconnect it."""
        wanted = await read_json(request, self._tables.limiter, Ban)
        address = _address(wanted.address)
        request.state.target = network_of(address)
        self._tables.banned.add(address, wanted.minutes)
        for table in list(self._tables.loaded.values()):
            if any(connection.address == address for connection in table.connections):
                table.post(Kick(address))
        return json_response(encode(BanList(self._tables.banned.minutes_left())))

    async def unban(self, request: Request) -> Response:
        """Remove the ban of an address."""
        address = _address(request.path_params["address"])
        request.state.target = network_of(address)
        if not self._tables.banned.remove(address):
            raise Refused("not-now")
        return json_response(encode(BanList(self._tables.banned.minutes_left())))

    # ---- announcements

    async def announce(self, request: Request) -> Response:
        """Show an announcement to everyone, or remove it."""
        wanted = await read_json(request, self._tables.limiter, Announce)
        request.state.target = wanted.text
        return json_response(encode(self._tables.announcer.set(wanted.text, wanted.minutes)))


def _most(request: Request) -> int:
    """Return how many entries a request asks for."""
    try:
        return min(max(int(request.query_params.get("most", "50")), 1), _MAX_LISTED)
    except ValueError:
        raise Refused("unreadable") from None


def _code(request: Request) -> str:
    code: str = request.path_params["code"].upper()
    if not is_code(code):
        raise Refused("no-such-table")
    return code


def _address(text: str) -> str:
    """Return the address group of an address. Raises `Refused` if it is not an address."""
    text = text.strip().removesuffix("/64")
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise Refused("unreadable") from None
    return address_group(text)


def _latency(times: Histogram) -> LatencySummary:
    p50, p99 = ((bound * 1000 if bound < float("inf") else None) for bound in map(times.quantile, (0.5, 0.99)))
    return LatencySummary(times.count, p50, p99)
