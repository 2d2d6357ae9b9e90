"""Helpers for all HTTP handlers: reading bodies and tokens, JSON responses, refusals."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from qwixx.server.base.errors import Refused
from qwixx.server.limits.declared import BODY_SIZE, BODY_TIME, Limit
from qwixx.server.limits.limiter import Limiter
from qwixx.server.wire.message_parts import Payload
from qwixx.server.wire.messages import encode

S = TypeVar("S")
_MAX_TOKENS = 10
"""Tokens in one request; a `hello` has at most as many."""
_STATUS = {
    "foreign-origin": 403,
    "foreign-host": 421,
    "barred": 403,
    "closed": 403,
    "damaged": 409,
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


class Failure(Payload):
    """Why a request was refused."""

    code: str


async def read_body(request: Request, limiter: Limiter, size: Limit = BODY_SIZE) -> bytes:
    """Read the body of a request, with a limit of bytes and a timeout."""
    try:
        async with asyncio.timeout(limiter.seconds(BODY_TIME)):
            body = b""
            async for chunk in request.stream():
                body += chunk
                if len(body) > limiter.most(size):
                    raise Refused(size.refusal)
            return body
    except (TimeoutError, ClientDisconnect):  # nobody reads the answer to the second; it is no failure of the server
        raise Refused(BODY_TIME.refusal) from None


async def read_json(request: Request, limiter: Limiter, kind: type[S]) -> S:
    """Read the JSON body of a request; an empty one has no fields."""
    try:
        return msgspec.json.decode(await read_body(request, limiter) or b"{}", type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        raise Refused("unreadable") from None


def bearer_tokens(request: Request) -> list[str]:
    """Return the tokens of a request: `Authorization: Bearer ...`, several separated by spaces."""
    kind, _, tokens = request.headers.get("authorization", "").partition(" ")
    return tokens.split()[:_MAX_TOKENS] if kind.lower() == "bearer" else []


def json_response(body: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return a JSON response that is not cached."""
    return Response(body, status, {"Cache-Control": "no-store", **(headers or {})}, "application/json")


async def refusal_response(request: Request, error: Exception) -> Response:
    """Return the response to a refused request: its code."""
    code = error.code if isinstance(error, Refused) else "unreadable"
    request.app.state.tables.counts.refused[code] += 1
    return json_response(encode(Failure(code)), _STATUS.get(code, 400))
