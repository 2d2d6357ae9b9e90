"""An operator of a server, for tests: the token, `qwixx admin` and requests by HTTP."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import httpx
from click.testing import CliRunner
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from qwixx.cli import main
from support.server.live_server import Client, Server

TOKEN = "operator-" + "k" * 24


def admin(server: Server, *words: str, code: int = 0) -> Any:
    """Run `qwixx admin --json`; return its output, or its error message."""
    around = {"QWIXX_ADMIN_TOKEN": TOKEN, "QWIXX_ADMIN_SERVER": f"http://{server.address}"}
    result = CliRunner().invoke(main, ["admin", "--json", *words], env=around)
    assert result.exit_code == code, result.output
    return json.loads(result.stdout) if code == 0 else result.stderr


async def refused_at(server: Server, code: str) -> str:
    """Connect to a table that refuses all clients; return the refusal."""
    async with connect(f"ws://{server.address}/ws/{code}", compression=None) as socket:
        client = Client(socket)
        with contextlib.suppress(ConnectionClosed):  # some are refused before they have sent anything
            await client.send("hello", tokens=[])
        return await client.refusal()


def ask(server: Server, path: str, **headers: str) -> httpx.Response:
    """Send a GET request to the server."""
    return httpx.get(f"http://{server.address}{path}", headers=headers)
