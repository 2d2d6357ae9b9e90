"""Fixtures for the tests of the server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.websockets import WebSocket

from qwixx.server.wire import transports, uvicorn_versions


@pytest.fixture(params=["fast path", "any ASGI server"])
def either_transport(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run a test with the fast socket path, and without it, as under an unknown version of uvicorn."""
    if request.param == "fast path":
        yield
        return
    sockets: list[WebSocket] = []

    class Counted(transports.QueuedTransport):
        def __init__(self, socket: WebSocket) -> None:
            sockets.append(socket)
            super().__init__(socket)

    monkeypatch.setattr(uvicorn_versions, "SUPPORTED", {"uvicorn": ((0, 1), (0, 2))})
    monkeypatch.setattr(transports, "QueuedTransport", Counted)
    yield
    assert sockets, "the fast path was used"
