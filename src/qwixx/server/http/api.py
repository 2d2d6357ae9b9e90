"""The HTTP API: opening and finding tables, finished games, printing, health."""

from __future__ import annotations

import asyncio
import io
from datetime import timedelta
from functools import lru_cache
from typing import Annotated

import segno
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import qwixx
from qwixx.server.base import retention
from qwixx.server.base.errors import Refused
from qwixx.server.http import static_files
from qwixx.server.http.http_util import Failure, bearer_tokens, json_response, read_body, read_json
from qwixx.server.limits.client_address import address_of, is_allowed_origin
from qwixx.server.limits.declared import (
    PRINT_COST,
    PRINTS,
    QR_CODE_COST,
    RECORD_SIZE,
    REPLAYS,
    TABLES_OPENED,
    WRONG_CODES,
)
from qwixx.server.room.catalogue import catalogue
from qwixx.server.room.room import Room
from qwixx.server.room.seats import hash_token
from qwixx.server.table.registry import Tables
from qwixx.server.today.daily_game import scores_retention
from qwixx.server.wire import request_ids
from qwixx.server.wire.message_parts import Payload
from qwixx.server.wire.messages import Stage, Text, encode
from qwixx.server.wire.public_address import PublicAddress
from qwixx.server.workers.print_job import Prints
from qwixx.server.workers.tasks import GameFormat

_DAY = 86400.0
_MAX_CONTACT = 200
_READY_SECONDS = 2.0
"""Timeout of the database in `/readyz`: proxies do not wait long for the answer."""


class OpenTable(Struct, rename="camel"):
    """Open a table for this game."""

    variant: Text
    sheet: Text = ""
    bots: Annotated[list[Text], Meta(max_length=8)] = []
    name: Text | None = None


class OpenedTable(Payload):
    """The code of an opened table, and the token of the seat if the request had a name."""

    code: str
    token: str | UnsetType = UNSET


class TableSummary(Payload):
    """A summary of a table."""

    code: str
    variant: str
    stage: Stage
    seats: int


class Health(Payload):
    """The health of the server."""

    ok: bool
    version: str
    tables: int
    loaded: int
    connections: int
    troubles: list[str]
    """Failures: `store` if nothing can be written, or the names of background tasks that fail."""


class RetentionInfo(Payload):
    """The data that the server stores, and for how long."""

    unfinished_days: float
    """Days without a visit after which an unfinished table is deleted."""
    finished_days: float
    """The same for a finished game; 0: never."""
    grace_days: float
    """Further days before an expired table is deleted, in case the clock was wrong."""
    scores_days: float
    """Days for which the scores of today's roll are kept."""
    address_marks: bool
    """Whether hashes of addresses are stored for a while: the limits are shared with other servers."""
    contact: str
    """Who runs the server; empty if unknown."""


class Readiness(Payload):
    """Whether new visitors may be sent to this server, and if not why: failures, or `stopping`."""

    ready: bool
    troubles: list[str]


class Api:
    """Handlers for the tables of one server."""

    def __init__(self, tables: Tables, public_address: PublicAddress) -> None:
        """Use these tables, their limiter, and this public address."""
        self._tables = tables
        self._public_address = public_address
        self._limiter = tables.limiter
        self._prints = Prints(tables.pools)

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/games", self.games),
            Route("/api/tables", self.open_table, methods=["POST"]),
            Route("/api/records", self.import_record, methods=["POST"]),
            Route("/api/tables/{code}", self.table),
            Route("/api/tables/{code}/qr.svg", self.qr_code),
            Route("/api/tables/{code}/record", self.record),
            Route("/api/tables/{code}/replay", self.replay),
            Route("/api/tables/{code}/analysis", self.analysis),
            Route("/api/rules/{variant}", static_files.rules),
            Route("/api/print/{variant}.pdf", self.print_sheets),
            Route("/api/reach", self.public_address),
            Route("/api/reach", self.listen_on_network, methods=["POST"]),
            Route("/api/announcement", self.announcement),
            Route("/api/keeping", self.retention),
            Route("/healthz", self.health),
            Route("/readyz", self.readiness),
        ]

    async def games(self, request: Request) -> Response:
        """Send the catalogue."""
        return static_files.cached(request, catalogue(self._tables.allowed), "application/json")

    async def open_table(self, request: Request) -> Response:
        """Open a table, and seat the client if it sent a name."""
        if not is_allowed_origin(request, self._tables.settings):
            raise Refused("foreign-origin")
        wanted = await read_json(request, self._limiter, OpenTable)
        address = address_of(request)
        self._limiter.count(TABLES_OPENED, address)
        try:
            code, token = await self._tables.open(wanted.variant, wanted.sheet, wanted.bots, wanted.name)
        except BaseException:
            self._limiter.uncount(TABLES_OPENED, address)
            raise
        return json_response(encode(OpenedTable(code, UNSET if token is None else token)), 201)

    async def import_record(self, request: Request) -> Response:
        """Import a game that was played elsewhere, from its record."""
        if not is_allowed_origin(request, self._tables.settings):
            raise Refused("foreign-origin")
        body = await read_body(request, self._limiter, RECORD_SIZE)
        # Invalid records count as well: checking them takes time from the players.
        address = address_of(request)
        self._limiter.count(TABLES_OPENED, address)
        try:
            text = body.decode()
        except UnicodeError:
            raise Refused("no-record") from None
        return json_response(encode(await self._tables.import_record(text, address)), 201)

    async def table(self, request: Request) -> Response:
        """Send the summary of a table."""
        room = await self._room(request)
        return json_response(encode(TableSummary(room.code, room.variant, room.stage, len(room.seats))))

    async def qr_code(self, request: Request) -> Response:
        """Draw the join link."""
        room = await self._room(request)
        link = f"{self._public_address.link_base(request)}/t/{room.code}"
        await self._limiter.admit_request(address_of(request), QR_CODE_COST)
        drawing = await asyncio.to_thread(qr_code, link)
        return Response(drawing, media_type="image/svg+xml", headers={"Cache-Control": "no-cache"})

    async def record(self, request: Request) -> Response:
        """Send the record of a finished game."""
        room, found = await self._finished(request, "record", "text/plain")
        found.headers["Content-Disposition"] = f'attachment; filename="qwixx-{room.variant}-{room.code}.txt"'
        return found

    async def replay(self, request: Request) -> Response:
        """Send a finished game step by step."""
        return (await self._finished(request, "replay", "application/json"))[1]

    async def analysis(self, request: Request) -> Response:
        """Send the review of a finished game: the value of each decision, and the part of luck."""
        return (await self._finished(request, "analysis", "application/json"))[1]

    async def print_sheets(self, request: Request) -> Response:
        """Send sheets to print; their QR code leads to a table, or to the rules."""
        address = address_of(request)
        self._limiter.count(PRINTS, address)
        game, asked = request.path_params["variant"], dict(request.query_params)
        link = ""
        if asked.get("qr") == "rules":
            link = f"{self._public_address.link_base(request)}/rules/{game}"
        elif code := asked.get("qr", ""):
            request.path_params["code"] = code
            link = f"{self._public_address.link_base(request)}/t/{(await self._room(request)).code}"
        await self._limiter.admit_request(address, PRINT_COST)
        data = await self._prints.pdf(game, asked, link, address)
        headers = {"Cache-Control": "no-cache", "Content-Disposition": f'inline; filename="qwixx-{game}.pdf"'}
        return Response(data, headers=headers, media_type="application/pdf")

    async def public_address(self, request: Request) -> Response:
        """Send the address by which friends reach this server."""
        return json_response(encode(self._public_address.describe(request)))

    async def listen_on_network(self, request: Request) -> Response:
        """Listen on the network, too."""
        return json_response(encode(await self._public_address.listen_on_network(request)))

    async def announcement(self, request: Request) -> Response:
        """Send the operator's announcement."""
        return json_response(encode(self._tables.announcer.current()))

    async def retention(self, request: Request) -> Response:
        """Send what is stored for how long, from the settings."""
        settings = self._tables.settings
        info = RetentionInfo(
            settings.keep_days,
            settings.keep_finished_days,
            retention.GRACE_SECONDS / _DAY,
            scores_retention(settings) / timedelta(days=1),
            self._tables.store.is_shared,
            settings.contact[:_MAX_CONTACT],
        )
        return json_response(encode(info))

    async def health(self, request: Request) -> Response:
        """Report whether the server is healthy; the cost does not depend on the number of stored tables."""
        tables = self._tables
        troubles = tables.troubles()
        facts = (tables.store.count, len(tables.loaded), tables.connections, troubles)
        health = Health(not troubles, qwixx.__version__, *facts)
        return json_response(encode(health), 503 if troubles else 200)

    async def readiness(self, request: Request) -> Response:
        """Report whether new visitors may be sent here: the database answers, and the server is not about to stop."""
        tables = self._tables
        troubles = tables.troubles()
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await tables.store.last_heartbeat()
        except Exception:  # every database has its own error for that
            troubles = sorted({*troubles, "store"})
        if tables.is_stopping:
            troubles = [*troubles, "stopping"]
        return json_response(encode(Readiness(not troubles, troubles)), 503 if troubles else 200)

    async def _room(self, request: Request) -> Room:
        address = address_of(request)
        self._limiter.check(WRONG_CODES, address)
        room = await self._tables.find_room(request.path_params["code"].upper())
        if room is None:
            self._limiter.meter(WRONG_CODES, address).take()
            raise Refused("no-such-table")
        return room

    async def _finished(self, request: Request, what: GameFormat, kind: str) -> tuple[Room, Response]:
        address = address_of(request)
        self._limiter.count(REPLAYS, address)
        code, games = (await self._room(request)).code, self._tables.finished_games
        keys = [hash_token(token) for token in bearer_tokens(request)]
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            room, data = await games.uncompressed(code, what, keys, address)
            return room, Response(data, headers=headers, media_type=kind)
        room, data = await games.compressed(code, what, keys, address)
        return room, Response(data, headers={**headers, "Content-Encoding": "gzip"}, media_type=kind)


@lru_cache(256)
def qr_code(link: str) -> bytes:
    """Draw the QR code of a link as SVG."""
    drawing = io.BytesIO()
    segno.make(link, error="m", micro=False).save(drawing, kind="svg", scale=8, border=2, xmldecl=False)
    return drawing.getvalue()


async def error_response(request: Request, error: Exception) -> Response:
    """Return the response to a path that does not exist or to an error; the details are only in the log."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 404 and (page := await static_files.not_found(request)):
        return page
    codes = {401: "not-allowed", 404: "not-found", 405: "not-found"}
    if status == 500:
        request.app.state.tables.counts.failed["request"] += 1
    # Starlette answers a status 500 outside of all middleware, so the request id is set here.
    return json_response(
        encode(Failure(codes.get(status, "trouble"))),
        status,
        {request_ids.HEADER: request_ids.current_request_id.get()},
    )
