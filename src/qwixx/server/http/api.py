"""The little HTTP that finds a table."""

from __future__ import annotations

import asyncio
import io
from functools import lru_cache
from typing import Annotated

import msgspec
import segno
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

import qwixx
from qwixx.server import bringing, pages, retention, tracing
from qwixx.server.announcing import Announcing
from qwixx.server.answers import bearer, body_of, json_answer
from qwixx.server.catalogue import catalogue
from qwixx.server.limits import Window
from qwixx.server.pieces import Part
from qwixx.server.printing import Prints
from qwixx.server.protocol import Stage, Text, encode
from qwixx.server.quotas import Quotas
from qwixx.server.reach import Reach
from qwixx.server.room import Refused, Room
from qwixx.server.seats import hashed
from qwixx.server.security import address_of, is_welcome
from qwixx.server.tables import Tables
from qwixx.server.tasks import What

_LONGEST_BODY = 4096
_DAY = 86400.0
_LONGEST_CONTACT = 200
_READY_SECONDS = 2.0
"""Whoever asks whether the server is ready gives up soon; a database that takes this long is not there."""
_DRAWING_COST = 10.0
"""How many plain requests a drawing takes the time of."""
_PRINTING_COST = 30.0
_STATUS = {
    "foreign-origin": 403,
    "foreign-host": 421,
    "barred": 403,
    "closed": 403,
    "no-such-table": 404,
    "not-now": 409,
    "no-judge": 409,
    "no-network": 409,
    "too-large": 413,
    "too-fast": 429,
    "trouble": 500,
    "busy": 503,
    "too-many-tables": 503,
}


class OpenTable(Struct, rename="camel"):
    """What somebody wants to play."""

    variant: Text
    sheet: Text = ""
    bots: Annotated[list[Text], Meta(max_length=8)] = []
    name: Text | None = None


class Opened(Part):
    """A table was opened; the token of whoever sat down at once."""

    code: str
    token: str | UnsetType = UNSET


class TableFacts(Part):
    """A table in a few words."""

    code: str
    variant: str
    stage: Stage
    seats: int


class Health(Part):
    """How the server is."""

    ok: bool
    version: str
    tables: int
    loaded: int
    connections: int
    troubles: list[str]
    """What does not work: `store` if nothing can be written, or the background work that fails."""


class Keeping(Part):
    """What is kept for how long."""

    unfinished_days: float
    """Days without a visit after which an unfinished table goes."""
    finished_days: float
    """The same of a finished game; 0: it stays."""
    grace_days: float
    """Days for which what is due is kept all the same, in case that the clock was wrong."""
    contact: str
    """Who runs the server; empty if they do not say."""


class Readiness(Part):
    """Whether new visitors may be sent to this server, and if not why: what does not work, or `stopping`."""

    ready: bool
    troubles: list[str]


class Failure(Part):
    """Why a request was refused."""

    code: str


class Api:
    """Answers about the tables of one server."""

    def __init__(self, tables: Tables, quotas: Quotas, reach: Reach, announcing: Announcing) -> None:
        """Answer about these tables."""
        self._announcing = announcing
        self._tables = tables
        self._reach = reach
        self._quotas = quotas
        self._replayed = Window(tables.settings.replays_per_address, seconds=60.0)
        self._printed = Window(tables.settings.prints_per_address, seconds=60.0)
        self._prints = Prints(tables.pools)

    def routes(self) -> list[Route]:
        """List what can be asked."""
        return [
            Route("/api/games", self.games),
            Route("/api/tables", self.open_table, methods=["POST"]),
            Route("/api/records", self.bring_record, methods=["POST"]),
            Route("/api/tables/{code}", self.table),
            Route("/api/tables/{code}/qr.svg", self.qr_code),
            Route("/api/tables/{code}/record", self.record),
            Route("/api/tables/{code}/replay", self.replay),
            Route("/api/tables/{code}/analysis", self.analysis),
            Route("/api/rules/{variant}", pages.rules),
            Route("/api/print/{variant}.pdf", self.printed),
            Route("/api/reach", self.reached),
            Route("/api/reach", self.open_reach, methods=["POST"]),
            Route("/api/announcement", self.announced),
            Route("/api/keeping", self.keeping),
            Route("/healthz", self.health),
            Route("/readyz", self.ready),
        ]

    async def games(self, request: Request) -> Response:
        """Send the catalogue."""
        return pages.kept(request, catalogue(self._tables.allowed), "application/json")

    async def open_table(self, request: Request) -> Response:
        """Open a table, and seat whoever gave a name."""
        if not is_welcome(request, self._tables.settings):
            raise Refused("foreign-origin")
        body = await body_of(request, _LONGEST_BODY, self._tables.settings.hello_timeout)
        try:
            wanted = msgspec.json.decode(body, type=OpenTable)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Refused("unreadable") from None
        address = address_of(request)
        self._quotas.count_table(address)
        try:
            code, token = await self._tables.open(wanted.variant, wanted.sheet, wanted.bots, wanted.name)
        except BaseException:
            self._quotas.uncount_table(address)
            raise
        return json_answer(encode(Opened(code, UNSET if token is None else token)), 201)

    async def bring_record(self, request: Request) -> Response:
        """Take in a game that was played elsewhere, from its record."""
        if not is_welcome(request, self._tables.settings):
            raise Refused("foreign-origin")
        body = await body_of(request, bringing.LONGEST, self._tables.settings.hello_timeout)
        # Records that make no sense count as well: finding that out takes the players' time.
        self._quotas.count_table(address_of(request))
        try:
            text = body.decode()
        except UnicodeError:
            raise Refused("no-record") from None
        return json_answer(encode(await self._tables.bring(text)), 201)

    async def table(self, request: Request) -> Response:
        """Say in a few words what goes on at a table."""
        room = await self._read(request)
        return json_answer(encode(TableFacts(room.code, room.variant, room.stage, len(room.seats))))

    async def qr_code(self, request: Request) -> Response:
        """Draw the join link."""
        room = await self._read(request)
        link = f"{self._reach.link(request)}/t/{room.code}"
        await self._quotas.wait_turn(address_of(request), _DRAWING_COST)
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
        """Send what a finished game's decisions were worth, and what luck did."""
        return (await self._finished(request, "analysis", "application/json"))[1]

    async def printed(self, request: Request) -> Response:
        """Send sheets to print; a code on them leads to a table, or to the rules."""
        address = address_of(request)
        if not self._printed.take(address):
            raise Refused("too-fast")
        game, asked = request.path_params["variant"], dict(request.query_params)
        link = ""
        if asked.get("qr") == "rules":
            link = f"{self._reach.link(request)}/rules/{game}"
        elif code := asked.get("qr", ""):
            request.path_params["code"] = code
            link = f"{self._reach.link(request)}/t/{(await self._read(request)).code}"
        await self._quotas.wait_turn(address, _PRINTING_COST)
        data = await self._prints.pdf(game, asked, link)
        headers = {"Cache-Control": "no-cache", "Content-Disposition": f'inline; filename="qwixx-{game}.pdf"'}
        return Response(data, headers=headers, media_type="application/pdf")

    async def reached(self, request: Request) -> Response:
        """Say by which address friends reach this server."""
        return json_answer(encode(self._reach.facts(request)))

    async def open_reach(self, request: Request) -> Response:
        """Listen on the network, too."""
        return json_answer(encode(await self._reach.open(request)))

    async def announced(self, request: Request) -> Response:
        """Say what the operator has to say to everybody."""
        return json_answer(encode(self._announcing.now()))

    async def keeping(self, request: Request) -> Response:
        """Say what is kept for how long, from the settings that hold."""
        settings = self._tables.settings
        facts = (settings.keep_days, settings.keep_finished_days, retention.SECOND_LOOK / _DAY)
        return json_answer(encode(Keeping(*facts, settings.contact[:_LONGEST_CONTACT])))

    async def health(self, request: Request) -> Response:
        """Say whether the server is well; this costs the same however much is kept."""
        tables = self._tables
        troubles = tables.troubles()
        facts = (tables.store.count, len(tables.loaded), tables.connections, troubles)
        health = Health(not troubles, qwixx.__version__, *facts)
        return json_answer(encode(health), 503 if troubles else 200)

    async def ready(self, request: Request) -> Response:
        """Say whether new visitors may be sent here: the database answers, and the server is not about to stop."""
        tables = self._tables
        troubles = tables.troubles()
        try:
            async with asyncio.timeout(_READY_SECONDS):
                await tables.store.last_seen()
        except Exception:  # whatever a database says when it does not answer
            troubles = sorted({*troubles, "store"})
        if tables.is_stopping:
            troubles = [*troubles, "stopping"]
        return json_answer(encode(Readiness(not troubles, troubles)), 503 if troubles else 200)

    async def _read(self, request: Request) -> Room:
        address = address_of(request)
        if not self._quotas.may_guess(address):
            raise Refused("too-fast")
        room = await self._tables.store.room(request.path_params["code"].upper())
        if room is None:
            self._quotas.missed(address)
            raise Refused("no-such-table")
        return room

    async def _finished(self, request: Request, what: What, kind: str) -> tuple[Room, Response]:
        if not self._replayed.take(address_of(request)):
            raise Refused("too-fast")
        code, archive = (await self._read(request)).code, self._tables.archive
        keys = [hashed(token) for token in bearer(request)]
        headers = {"Cache-Control": "no-store", "Vary": "Accept-Encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            room, data = await archive.plain(code, what, keys)
            return room, Response(data, headers=headers, media_type=kind)
        room, data = await archive.packed(code, what, keys)
        return room, Response(data, headers={**headers, "Content-Encoding": "gzip"}, media_type=kind)


@lru_cache(256)
def qr_code(link: str) -> bytes:
    """Draw a link."""
    drawing = io.BytesIO()
    segno.make(link, error="m", micro=False).save(drawing, kind="svg", scale=8, border=2, xmldecl=False)
    return drawing.getvalue()


async def refused(request: Request, error: Exception) -> Response:
    """Answer with a code what cannot be done."""
    code = error.code if isinstance(error, Refused) else "unreadable"
    request.app.state.tables.counts.refused[code] += 1
    return json_answer(encode(Failure(code)), _STATUS.get(code, 400))


async def failed(request: Request, error: Exception) -> Response:
    """Answer what is not there or broken; what exactly went wrong stays in the log."""
    status = error.status_code if isinstance(error, HTTPException) else 500
    if status == 404 and (page := await pages.missing(request)):
        return page
    codes = {401: "not-allowed", 404: "not-found", 405: "not-found"}
    if status == 500:
        request.app.state.tables.counts.failed["request"] += 1
    # What is broken is answered beyond everything that puts headers on answers.
    return json_answer(encode(Failure(codes.get(status, "trouble"))), status, {tracing.HEADER: tracing.current.get()})
