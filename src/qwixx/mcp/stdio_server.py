"""Speaks the Model Context Protocol over standard input and output. Needs its SDK: `pip install 'qwixx[mcp]'`."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from functools import partial
from io import TextIOWrapper
from typing import Any, BinaryIO, Final, cast

import anyio
from anyio import AsyncFile, CapacityLimiter, to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from qwixx import __version__
from qwixx.errors import QwixxError
from qwixx.mcp.desk import Desk
from qwixx.mcp.tools import CHANGES_NOTHING, TOOLS, description, input_schema, read_call

MAX_LINE: Final = 65_536
"""Characters of the longest message; of a longer one the rest is dropped, and what is left is no JSON."""
_INSTRUCTIONS: Final = (
    "Qwixx, a dice game, and eight games of its family. Start with list_games, then start_game. look_at_game shows the "
    "position and the legal actions, decide makes one, ask_coach ranks them. An action is a cell such as r7, `pass`, "
    "or a text that `legal` lists. Nothing is written to disk."
)


class _Lines:
    """The lines of a stream, each bounded. A reader that waits for a line does not keep the program from ending."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = TextIOWrapper(stream, "utf-8", "replace")

    def __aiter__(self) -> AsyncIterator[str]:
        return self._read()

    async def _read(self) -> AsyncIterator[str]:
        while line := await to_thread.run_sync(self._line, abandon_on_cancel=True):
            yield line

    def _line(self) -> str:
        line = part = self._stream.readline(MAX_LINE)
        while part and not part.endswith("\n"):
            part = self._stream.readline(MAX_LINE)
        return line


class _Handlers:
    """Answers the requests of a client, one call after the other."""

    def __init__(self) -> None:
        self._desk = Desk()
        self._one_at_a_time = CapacityLimiter(1)

    async def list_tools(self, _context: Any, _request: PaginatedRequestParams | None) -> ListToolsResult:
        tools = [
            Tool(
                name=name,
                description=description(tool),
                input_schema=input_schema(tool),
                annotations=ToolAnnotations(read_only_hint=name in CHANGES_NOTHING, open_world_hint=False),
            )
            for name, tool in TOOLS.items()
        ]
        return ListToolsResult(tools=tools)

    async def call_tool(self, _context: Any, request: CallToolRequestParams) -> CallToolResult:
        # A thread: the coach may compute for seconds, and the client may ask meanwhile whether the server is alive.
        work = partial(self._answer, request.name, request.arguments)
        return await to_thread.run_sync(work, limiter=self._one_at_a_time)

    def _answer(self, name: str, arguments: dict[str, Any] | None) -> CallToolResult:
        try:
            answer = self._desk.answer(read_call(name, arguments))
        except QwixxError as error:
            return CallToolResult(content=[TextContent(type="text", text=str(error))], is_error=True)
        text = json.dumps(answer, ensure_ascii=False)
        return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=answer)


async def serve(stream: BinaryIO) -> None:
    """Serve until the stream ends."""
    handlers = _Handlers()
    server: Server[Any] = Server(
        "qwixx",
        version=__version__,
        title="Qwixx",
        instructions=_INSTRUCTIONS,
        on_list_tools=handlers.list_tools,
        on_call_tool=handlers.call_tool,
    )
    async with stdio_server(stdin=cast(AsyncFile[str], _Lines(stream))) as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def run(stream: BinaryIO) -> None:
    """Serve in an event loop of its own."""
    anyio.run(serve, stream)
