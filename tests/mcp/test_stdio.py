"""`qwixx mcp` as its users run it: a process, and the protocol's own client."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp_types import CallToolResult, TextContent

import qwixx
from qwixx.cli import main
from qwixx.mcp.stdio_server import MAX_LINE
from qwixx.mcp.tools import TOOLS
from qwixx.solver.known_values import known_value

COMMAND = [sys.executable, "-m", "qwixx", "mcp"]


def visit(folder: Path, work: Callable[[Client], Awaitable[None]]) -> None:
    """Start the server in a folder of its own, and connect the client; nothing is written there."""
    inherited = {name: value for name, value in os.environ.items() if name.startswith("QWIXX_")}
    here = folder / "here"
    here.mkdir()

    async def go() -> None:
        environment = {"QWIXX_DATA": str(folder / "data"), **inherited}
        parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:], env=environment, cwd=here)
        with (folder / "stderr").open("w") as errors:
            async with Client(stdio_client(parameters, errlog=errors)) as client:
                await work(client)

    anyio.run(go)
    assert not list(here.iterdir())
    assert not (folder / "data").exists()
    assert (folder / "stderr").read_text() == ""


async def ask(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool that has to answer; the text is the same as the data."""
    found = await client.call_tool(tool, arguments)
    assert isinstance(found, CallToolResult)
    (content,) = found.content
    assert isinstance(content, TextContent)
    assert not found.is_error, content.text
    assert found.structured_content is not None
    data: dict[str, Any] = found.structured_content
    assert json.loads(content.text) == data
    return data


@pytest.mark.slow(15)
def test_an_assistant_that_follows_the_coach_regrets_nothing(
    tmp_path: Path, solved_classic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole solitaire by the coach's best choices: regret 0. A miss in another game costs what the coach said.

    What the review calls luck and loss leads from the known value of classic to the score.
    """
    monkeypatch.setenv("QWIXX_CACHE", str(solved_classic.parents[1]))

    async def work(client: Client) -> None:
        seen = await ask(client, "start_game", variant="classic", seed=4)
        while "outcome" not in seen:
            best = (await ask(client, "ask_coach", game="g1"))["choices"][0]
            assert best["loss"] == 0
            seen = await ask(client, "decide", game="g1", action=best["action"])
            assert seen["decision"]["regret"] == 0
        assert seen["regret"] == {"exact": True, "decisions": seen["hints"], "total": 0}
        seen = await ask(client, "start_game", variant="classic", seed=4)
        ranked = await ask(client, "ask_coach", game="g2")
        worst = ranked["choices"][-1]
        decided = await ask(client, "decide", game="g2", action=worst["action"])
        assert decided["decision"]["regret"] == pytest.approx(worst["loss"], abs=1e-4)
        while "outcome" not in decided:
            decided = await ask(client, "decide", game="g2", action=decided["legal"][-1]["action"])
        review = await ask(client, "review_game", game="g2")
        (account,) = review["seats"]
        start = known_value("classic")
        assert start is not None
        assert start + account["luck"] - account["lost"] == pytest.approx(decided["scores"][0], abs=1e-3)
        assert account["lost"] == pytest.approx(decided["regret"]["total"], abs=1e-3)

    visit(tmp_path, work)


@pytest.mark.slow(6)
def test_a_whole_game_with_bots_and_nonsense_in_between(tmp_path: Path, fresh_cache: Path) -> None:
    """Nonsense is answered with sentences, and the game with a bot is played to its end and reviewed."""

    async def work(client: Client) -> None:
        assert [tool.name for tool in (await client.list_tools()).tools] == list(TOOLS)
        unsolved = await ask(client, "start_game", variant="classic", seed=1)
        assert "qwixx solve classic" in unsolved["regret"]["why"]
        seen = await ask(client, "start_game", variant="classic", seats=2, bots=["easy"], seed=1)
        nonsense: list[tuple[str, dict[str, Any]]] = [
            ("fly", {}),
            ("decide", {}),
            ("decide", {"game": "g2", "action": "\u0000"}),
            ("decide", {"game": "g2", "action": ["r7"]}),
            ("decide", {"game": {"deep": [[[[1]]]]}, "action": "r7"}),
            ("start_game", {"variant": "classic", "seats": 10**30}),
            ("look_at_game", {"game": "g2", "seat": 1}),
        ]
        for tool, arguments in nonsense:
            refused = await client.call_tool(tool, arguments)
            assert isinstance(refused, CallToolResult)
            assert refused.is_error
            (content,) = refused.content
            assert isinstance(content, TextContent)
            assert content.text.endswith((".", "?"))
            assert "Traceback" not in content.text
        while "outcome" not in seen:
            seen = await ask(client, "decide", game="g2", action=seen["legal"][0]["action"])
        review = await ask(client, "review_game", game="g2")
        assert list(qwixx.Game.from_record(review["record"]).scores()) == seen["scores"] == review["scores"]
        assert {each["seat"] for each in review["decisions"]} == {0}

    visit(tmp_path, work)


@pytest.mark.slow(4)
def test_lines_that_are_no_messages_are_survived(tmp_path: Path) -> None:
    """Broken JSON, other bytes and endless lines are skipped. The end of input ends the server."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = json.dumps({"jsonrpc": "2.0", "id": 7, "method": "initialize", "params": hello})
    lines = [b"nonsense", b"[]", b'{"jsonrpc": "2.0"}', b"\xff\xfe\x00", b"7" * (3 * MAX_LINE), request.encode()]
    environment = {**os.environ, "QWIXX_DATA": str(tmp_path), "QWIXX_JIT": "0"}
    done = subprocess.run(
        COMMAND, input=b"\n".join(lines) + b"\n", env=environment, capture_output=True, timeout=120, check=False
    )
    (answer,) = (json.loads(line) for line in done.stdout.splitlines())
    assert done.returncode == 0
    assert (answer["id"], answer["result"]["serverInfo"]["name"]) == (7, "qwixx")


def test_without_the_sdk_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package works without the extra; the command names it."""
    for name in [each for each in sys.modules if each.startswith(("mcp", "qwixx.mcp.stdio_server"))]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "mcp", None)
    done = CliRunner().invoke(main, ["mcp"])
    assert done.exit_code == 2
    assert done.stderr.strip().endswith("pip install 'qwixx[mcp]'")
