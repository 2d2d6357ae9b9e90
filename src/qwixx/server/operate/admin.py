"""
What an operator may do while the server runs, over HTTP with a token: look, close, delete, ban, announce, export.

Without a token in the settings none of it is there. `qwixx admin` asks for it in words (`cli/admin.py`).
"""

from __future__ import annotations

import asyncio
import gzip
import ipaddress
import time
from collections.abc import Awaitable, Callable
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import qwixx
from qwixx.server.announcing import LONGEST, Announcing
from qwixx.server.answers import body_of, json_answer
from qwixx.server.census import census
from qwixx.server.counts import Times
from qwixx.server.inbox import Close, Delete, Expel
from qwixx.server.keys import Key
from qwixx.server.limits import counted_as
from qwixx.server.pieces import Part
from qwixx.server.protocol import Stage, encode
from qwixx.server.room import Refused, Room
from qwixx.server.store import Elsewhere
from qwixx.server.tables import Tables, is_code
from qwixx.server.tasks import Finished

_WEEK = 7 * 24 * 60
_LONGEST_BODY = 4096
_MOST_LISTED = 1000
Minutes = Annotated[float, Meta(gt=0, le=_WEEK)]
S = TypeVar("S", bound=Struct)


class Wait(Struct):
    """For how many minutes."""

    minutes: Minutes = 60.0


class Ban(Struct):
    """An address that is to be kept out, and for how many minutes."""

    address: Annotated[str, Meta(max_length=64)]
    minutes: Minutes = 60.0


class Announce(Struct):
    """What is to be said to everybody, and for how many minutes; an empty text takes it back."""

    text: Annotated[str, Meta(max_length=2 * LONGEST)]
    minutes: Minutes = 60.0


class KeptTable(Part):
    """One table, as the operator sees it."""

    code: str
    variant: str
    stage: Stage
    seats: int
    idle_minutes: int
    """Since it was last written or visited."""
    people: int
    """How many of its people are connected."""
    watchers: int
    closed: bool


class KeptTables(Part):
    """The tables that were touched last."""

    tables: list[KeptTable]
    in_all: int


class Bans(Part):
    """Addresses that are kept out, with the minutes left."""

    bans: dict[str, int]


class Lasted(Part):
    """How often something was, and within how many milliseconds half and 99 in 100 of it; null beyond ten seconds."""

    count: int
    p50: float | None
    p99: float | None


class Stats(Part):
    """A server in numbers, since it started."""

    version: str
    minutes: int
    tables: int
    loaded: dict[str, int]
    people: int
    bots: int
    watchers: int
    sockets: int
    moves: Lasted
    bot_moves: int
    commits: Lasted
    commits_failed: int
    late: Lasted
    refused: dict[str, int]
    failed: dict[str, int]
    troubles: list[str]


class Admin:
    """Answers the operator of one server."""

    def __init__(self, tables: Tables, announcing: Announcing, key: Key) -> None:
        """Look after these tables, for whoever has the key."""
        self._tables, self._announcing, self._key = tables, announcing, key
        self._began = time.monotonic()

    def routes(self) -> list[Route]:
        """List what can be asked."""
        asked: list[tuple[str, str, Callable[[Request], Awaitable[Response]]]] = [
            ("GET", "stats", self.stats),
            ("GET", "tables", self.list_tables),
            ("GET", "tables/{code}/record", self.export),
            ("POST", "tables/{code}/close", self.close),
            ("DELETE", "tables/{code}/close", self.reopen),
            ("DELETE", "tables/{code}", self.delete),
            ("GET", "bans", self.list_bans),
            ("POST", "bans", self.ban),
            ("DELETE", "bans/{address:path}", self.unban),
            ("POST", "announcement", self.announce),
        ]
        return [Route(f"/api/admin/{path}", self._for_operator(do), methods=[verb]) for verb, path, do in asked]

    def _for_operator(self, do: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def checked(request: Request) -> Response:
            self._key.check(request)
            return await do(request)

        return checked

    # ---- looking

    async def stats(self, request: Request) -> Response:
        """Give the server in numbers."""
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
            moves=_lasted(counts.moves),
            bot_moves=counts.bot_moves,
            commits=_lasted(counts.commits),
            commits_failed=counts.commits_failed,
            late=_lasted(counts.late),
            refused=dict(counts.refused),
            failed=dict(counts.failed),
            troubles=tables.troubles(),
        )
        return json_answer(encode(facts))

    async def list_tables(self, request: Request) -> Response:
        """List the tables that were touched last."""
        try:
            most = min(max(int(request.query_params.get("most", "50")), 1), _MOST_LISTED)
        except ValueError:
            raise Refused("unreadable") from None
        rooms = await self._tables.store.latest(most)
        found = [self._kept(room, touched) for room, touched in rooms]
        return json_answer(encode(KeptTables(found, self._tables.store.count)))

    def _kept(self, room: Room, touched: float) -> KeptTable:
        loaded = self._tables.loaded.get(room.code)
        return KeptTable(
            code=room.code,
            variant=room.variant,
            stage=room.stage,
            seats=len(room.seats),
            idle_minutes=max(0, int((time.time() - touched) / 60)),
            people=len(loaded.here()) if loaded else 0,
            watchers=sum(not each.mine for each in loaded.connections) if loaded else 0,
            closed=room.code in self._tables.closed,
        )

    async def export(self, request: Request) -> Response:
        """Send what was played at a table as a record, whether the game is over or not."""
        found = await self._tables.store.read(_code(request))
        if found is None:
            raise Refused("no-such-table")
        room, lines = found
        if not room.opening:
            raise Refused("not-now")
        text = gzip.decompress(await self._tables.pools.hand_over("replays", Finished("record", room, lines)))
        return Response(text, headers={"Cache-Control": "no-store"}, media_type="text/plain")

    # ---- tables

    async def close(self, request: Request) -> Response:
        """Send everybody away from a table, and let nobody in for a while; its game stays as it is."""
        code, wanted = _code(request), await self._read(request, Wait)
        if await self._tables.store.room(code) is None:
            raise Refused("no-such-table")
        self._tables.closed.add(code, wanted.minutes)
        loaded = self._tables.loaded.get(code)
        if loaded is not None and loaded.post(Close()):
            await asyncio.wait([loaded.ended])
        return json_answer(b"{}")

    async def reopen(self, request: Request) -> Response:
        """Let people come to a closed table again."""
        if not self._tables.closed.lift(_code(request)):
            raise Refused("not-now")
        return json_answer(b"{}")

    async def delete(self, request: Request) -> Response:
        """Delete a table with all that was played there."""
        code = _code(request)
        try:
            table = await self._tables.find(code)
        except Elsewhere:
            raise Refused("not-now") from None  # its own process has to be asked
        if table is None or not table.post(Delete()):
            raise Refused("no-such-table")
        await asyncio.wait([table.ended])
        return json_answer(b"{}")

    # ---- addresses

    async def list_bans(self, request: Request) -> Response:
        """List the addresses that are kept out."""
        return json_answer(encode(Bans(self._tables.barred.left())))

    async def ban(self, request: Request) -> Response:
        """Keep an address out for a while, and hang up on it."""
        wanted = await self._read(request, Ban)
        address = _address(wanted.address)
        self._tables.barred.add(address, wanted.minutes)
        for table in list(self._tables.loaded.values()):
            if any(connection.address == address for connection in table.connections):
                table.post(Expel(address))
        return json_answer(encode(Bans(self._tables.barred.left())))

    async def unban(self, request: Request) -> Response:
        """Let an address in again."""
        if not self._tables.barred.lift(_address(request.path_params["address"])):
            raise Refused("not-now")
        return json_answer(encode(Bans(self._tables.barred.left())))

    # ---- everybody

    async def announce(self, request: Request) -> Response:
        """Say something to everybody, or take it back."""
        wanted = await self._read(request, Announce)
        return json_answer(encode(self._announcing.set(wanted.text, wanted.minutes)))

    async def _read(self, request: Request, kind: type[S]) -> S:
        body = await body_of(request, _LONGEST_BODY, self._tables.settings.hello_timeout)
        try:
            return msgspec.json.decode(body or b"{}", type=kind)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Refused("unreadable") from None


def _code(request: Request) -> str:
    code: str = request.path_params["code"].upper()
    if not is_code(code):
        raise Refused("no-such-table")
    return code


def _address(text: str) -> str:
    """Give an address as it is counted. Raises `Refused` if it is none."""
    text = text.strip().removesuffix("/64")
    try:
        ipaddress.ip_address(text)
    except ValueError:
        raise Refused("unreadable") from None
    return counted_as(text)


def _lasted(times: Times) -> Lasted:
    p50, p99 = ((bound * 1000 if bound < float("inf") else None) for bound in map(times.quantile, (0.5, 0.99)))
    return Lasted(times.count, p50, p99)
