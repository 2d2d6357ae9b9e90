"""What all requests have in common: reading what was sent, who asks, and answering in JSON."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response

from qwixx.server.room import Refused

_MOST_TOKENS = 10
"""Tokens that somebody may show; a hello carries no more."""


async def body_of(request: Request, longest: int, seconds: float) -> bytes:
    """Read a request's body, no more of it than we want, and not for ever."""
    try:
        async with asyncio.timeout(seconds):
            body = b""
            async for chunk in request.stream():
                body += chunk
                if len(body) > longest:
                    raise Refused("too-large")
            return body
    except TimeoutError:
        raise Refused("unreadable") from None


def bearer(request: Request) -> list[str]:
    """Give the tokens that a request shows: `Authorization: Bearer ...`, several separated by blanks."""
    kind, _, tokens = request.headers.get("authorization", "").partition(" ")
    return tokens.split()[:_MOST_TOKENS] if kind.lower() == "bearer" else []


def json_answer(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Answer what is true now, and may not be a moment later."""
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")
