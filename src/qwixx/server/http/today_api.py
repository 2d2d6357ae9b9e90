"""The little HTTP about today's roll."""

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

from qwixx.server.answers import bearer, body_of, json_answer
from qwixx.server.protocol import Text, encode
from qwixx.server.quotas import Quotas
from qwixx.server.room import Refused
from qwixx.server.security import address_of, is_welcome
from qwixx.server.tables import Tables

_LONGEST_BODY = 1024
_COMPARING_COST = 10.0
"""How many plain requests a comparison takes the time of."""
_DEVICE = r"^[A-Za-z0-9_-]{22,64}$"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")


class BeginDay(Struct, rename="camel"):
    """Who wants to play which game of today. The token is drawn by the device itself, and kept there."""

    variant: Text
    device: Annotated[str, Meta(pattern=_DEVICE)]
    name: Text


class DayApi:
    """Answers about the days of one server."""

    def __init__(self, tables: Tables, quotas: Quotas) -> None:
        """Answer about these tables."""
        self._tables = tables
        self._days = tables.days
        self._quotas = quotas

    def routes(self) -> list[Route]:
        """List what can be asked."""
        return [
            Route("/api/days", self.today),
            Route("/api/days", self.begin, methods=["POST"]),
            Route("/api/days/{date}/{variant}", self.result),
        ]

    async def today(self, request: Request) -> Response:
        """Say which day it is."""
        return json_answer(encode(await self._days.state()))

    async def begin(self, request: Request) -> Response:
        """Give a device its game of today."""
        if not is_welcome(request, self._tables.settings):
            raise Refused("foreign-origin")
        body = await body_of(request, _LONGEST_BODY, self._tables.settings.hello_timeout)
        try:
            wanted = msgspec.json.decode(body, type=BeginDay)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            raise Refused("unreadable") from None
        address = address_of(request)
        undo: list[Callable[[], None]] = []

        def admit() -> None:
            self._quotas.count_day(address, wanted.variant)
            undo.append(lambda: self._quotas.uncount_day(address, wanted.variant))
            self._quotas.count_table(address)
            undo.append(lambda: self._quotas.uncount_table(address))

        try:
            begun = await self._days.begin(wanted.variant, wanted.device, wanted.name, admit)
        except BaseException:
            for uncount in undo:
                uncount()
            raise
        return json_answer(encode(begun), 201)

    async def result(self, request: Request) -> Response:
        """Compare a device's score with all others, once it has one."""
        day = request.path_params["date"]
        tokens = bearer(request)
        if not _is_date(day) or len(tokens) != 1 or not re.fullmatch(_DEVICE, tokens[0]):
            raise Refused("unreadable")
        await self._quotas.wait_turn(address_of(request), _COMPARING_COST)
        return json_answer(encode(await self._days.result(day, request.path_params["variant"], tokens[0])))


def _is_date(text: str) -> bool:
    if not _DATE.fullmatch(text):
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
