"""The HTTP API of today's roll."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from qwixx.server.base.errors import Refused
from qwixx.server.http.http_util import bearer_tokens, json_response, read_body
from qwixx.server.limits.address_quotas import Quotas
from qwixx.server.limits.client_address import address_of, is_allowed_origin
from qwixx.server.table.registry import Tables
from qwixx.server.wire.messages import Text, encode

_MAX_BODY = 1024
_COMPARING_COST = 10.0
"""A comparison costs as much time as this many plain requests."""
_DEVICE = r"^[A-Za-z0-9_-]{22,64}$"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class BeginDay(Struct, rename="camel"):
    """Start a game of today's roll. The device creates its token itself and keeps it."""

    variant: Text
    device: Annotated[str, Meta(pattern=_DEVICE)]
    name: Text


class TodayApi:
    """Handlers for the daily games of one server."""

    def __init__(self, tables: Tables, quotas: Quotas) -> None:
        """Use these tables and quotas."""
        self._tables = tables
        self._days = tables.daily_games
        self._quotas = quotas

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/days", self.today),
            Route("/api/days", self.begin, methods=["POST"]),
            Route("/api/days/{date}/{variant}", self.result),
        ]

    async def today(self, request: Request) -> Response:
        """Return the current day and its games."""
        return json_response(encode(await self._days.state()))

    async def begin(self, request: Request) -> Response:
        """Start today's game for a device, or return the one it has."""
        if not is_allowed_origin(request, self._tables.settings):
            raise Refused("foreign-origin")
        body = await read_body(request, _MAX_BODY, self._tables.settings.hello_timeout)
        try:
            wanted = msgspec.json.decode(body, type=BeginDay)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Refused("unreadable") from None
        address = address_of(request)
        undo: list[Callable[[], None]] = []

        def admit() -> None:
            self._quotas.count_daily_game(address, wanted.variant)
            undo.append(lambda: self._quotas.release_daily_game(address, wanted.variant))
            self._quotas.count_table(address)
            undo.append(lambda: self._quotas.release_table(address))

        try:
            begun = await self._days.begin(wanted.variant, wanted.device, wanted.name, admit)
        except BaseException:
            for uncount in undo:
                uncount()
            raise
        return json_response(encode(begun), 201)

    async def result(self, request: Request) -> Response:
        """Compare the score of a device with all others, once it has one."""
        day = request.path_params["date"]
        tokens = bearer_tokens(request)
        if not _is_date(day) or len(tokens) != 1 or not re.fullmatch(_DEVICE, tokens[0]):
            raise Refused("unreadable")
        await self._quotas.limit_request_rate(address_of(request), _COMPARING_COST)
        return json_response(encode(await self._days.result(day, request.path_params["variant"], tokens[0])))


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
