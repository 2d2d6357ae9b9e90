"""The HTTP API of today's roll."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated

from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from qwixx.server.base.errors import Refused
from qwixx.server.http.http_util import bearer_tokens, json_response, read_json
from qwixx.server.limits.client_address import address_of, is_allowed_origin
from qwixx.server.limits.declared import COMPARISON_COST, REPLAYS, TABLES_OPENED, Limit
from qwixx.server.table.registry import Tables
from qwixx.server.wire.messages import Text, encode

_DEVICE = r"\A[A-Za-z0-9_-]{22,64}\Z"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class BeginDay(Struct, rename="camel"):
    """Start a game of today's roll. The device creates its token itself and keeps it."""

    variant: Text
    device: Annotated[str, Meta(pattern=_DEVICE)]
    name: Text


class TodayApi:
    """Handlers for the daily games of one server."""

    def __init__(self, tables: Tables) -> None:
        """Use these tables and their limiter."""
        self._tables = tables
        self._days = tables.daily_games
        self._limiter = tables.limiter

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("/api/days", self.today),
            Route("/api/days", self.begin, methods=["POST"]),
            Route("/api/days/{date}/{variant}", self.result),
            Route("/api/days/{date}/{variant}/choices", self.choices),
        ]

    async def today(self, request: Request) -> Response:
        """Return the current day and its games."""
        return json_response(encode(await self._days.state()))

    async def begin(self, request: Request) -> Response:
        """Start today's game for a device, or return the one it has."""
        if not is_allowed_origin(request, self._tables.settings):
            raise Refused("foreign-origin")
        wanted = await read_json(request, self._limiter, BeginDay)
        address = address_of(request)
        counted: list[tuple[Limit, str]] = []

        def admit() -> None:
            self._limiter.count(TABLES_OPENED, address)
            counted.append((TABLES_OPENED, address))

        try:
            begun = await self._days.begin(wanted.variant, wanted.device, wanted.name, admit, address)
        except BaseException:
            for each in counted:
                self._limiter.uncount(*each)
            raise
        return json_response(encode(begun), 201)

    async def result(self, request: Request) -> Response:
        """Compare the score of a device with all others, once it has one."""
        day, device = _day_and_device(request)
        await self._limiter.admit_request(address_of(request), COMPARISON_COST)
        return json_response(encode(await self._days.result(day, request.path_params["variant"], device)))

    async def choices(self, request: Request) -> Response:
        """Send what others chose with the same dice, once the device has finished its game."""
        day, device = _day_and_device(request)
        address = address_of(request)
        self._limiter.count(REPLAYS, address)
        await self._limiter.admit_request(address, COMPARISON_COST)
        return json_response(encode(await self._days.choices(day, request.path_params["variant"], device, address)))


def _day_and_device(request: Request) -> tuple[str, str]:
    """Return the date of a request, and the token of the device that asks."""
    day, tokens = request.path_params["date"], bearer_tokens(request)
    if not _is_date(day) or len(tokens) != 1 or not re.fullmatch(_DEVICE, tokens[0]):
        raise Refused("unreadable")
    return day, tokens[0]


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
