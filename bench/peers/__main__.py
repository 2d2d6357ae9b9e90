"""
Our server beside Colyseus and boardgame.io: the same work, on the same machine, in one run.

Rooms of two players: one sends a move, both get the new state, then the next move follows. Paced: every room makes one
move per second at its planned time. Saturated: the next move follows at once. The servers take turns, round after
round, so that all of them meet the same other work on the machine. The peers come from npm into a temporary folder, in
the versions of `package.json`. One room of Colyseus does the same work as ours, by the same rules (our npm package) and
with every move on disk before anyone sees it. The others play a simpler game (`game.cjs`). All of it stays on loopback.

Run: python -m bench.peers [--rooms 200] [--seconds 5] [--rounds 3] [--write]
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.peers.clients import BoardgameRoom, ColyseusRoom, Load, OurRoom, Room, SameRoom
from bench.run import processor
from bench.server import start
from page.build.npm_package import pack

from qwixx.jit.decorators import compile_now

_HERE = Path(__file__).parent
_MOST_ROOMS, _MOST_SECONDS, _MOST_ROUNDS = 500, 20.0, 5
_INSTALL_SECONDS = 300.0
_RUN_SECONDS = 180.0
"""Seconds that one server may take in one round."""
_COLUMNS = ("moves/s", "moves per CPU second", "p50 ms", "p99 ms", "bytes to both")


class Server(NamedTuple):
    """A server of the comparison."""

    name: str
    script: str
    """The program of a peer; empty for ours."""
    room: type[Room]
    package: str
    durability: str
    is_writing: bool = False
    """Whether a peer gets the path of a file for its moves."""


_NOT = "no: the state is in memory"
_BY_US = "yes, by our addition to its room: as ours, a line for each move, moves that come together share a commit"
SERVERS = (
    Server("qwixx", "", OurRoom, "", "yes: every move is on disk (SQLite, `synchronous=FULL`) before anyone sees it"),
    Server("Colyseus, same work", "colyseus.mjs", SameRoom, "@colyseus/core", _BY_US, is_writing=True),
    Server("Colyseus, simple", "colyseus.mjs", ColyseusRoom, "@colyseus/core", _NOT),
    Server("Colyseus, simple, writing", "colyseus.mjs", ColyseusRoom, "@colyseus/core", _BY_US, is_writing=True),
    Server("boardgame.io, simple", "boardgame_io.cjs", BoardgameRoom, "boardgame.io", _NOT),
)


class Node(NamedTuple):
    """Where the peers are installed, and what runs them."""

    folder: Path
    program: str
    environment: dict[str, str]


def install(folder: Path) -> Node:
    """Install the peers with npm."""
    programs = Path(sys.executable).parent
    environment = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}", "NODE_ENV": "production"}
    npm = shutil.which("npm", path=environment["PATH"])
    if npm is None:
        raise SystemExit("The peers need npm, and there is none: `make .venv/.dev` installs it.")
    for path in (*_HERE.glob("*.*js"), _HERE / "package.json"):
        shutil.copy(path, folder)
    pack(folder)  # our rules, as an npm package
    (package,) = folder.glob("qwixx-*.tgz")
    package.rename(folder / "qwixx.tgz")
    command = [npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise SystemExit(f"npm did not install the peers within {_INSTALL_SECONDS:.0f} seconds.") from None
    if done.returncode:
        raise SystemExit(f"npm could not install the peers:\n{done.stderr[-2000:]}")
    # `node` in .venv starts the real one as a child, whose CPU time and end would escape us.
    program = subprocess.check_output(["node", "-p", "process.execPath"], env=environment, text=True).strip()
    return Node(folder, program, environment)


@contextlib.contextmanager
def running(server: Server, node: Node) -> Iterator[tuple[int, str]]:
    """Run a server; give the id of its process, and its address."""
    with tempfile.TemporaryDirectory() as data:
        if server.script:
            process = subprocess.Popen(
                [node.program, server.script, *([f"{data}/moves.db"] if server.is_writing else [])],
                cwd=node.folder,
                env=node.environment,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert process.stdout is not None
            found = re.search(r"http://([\d.:]+)/", process.stdout.readline())
            if found is None:
                process.kill()
                raise SystemExit(f"{server.name} did not start.")
            address = found[1]
        else:
            process, address = start(data, "full")
        try:
            yield process.pid, address
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


async def measure(server: Server, process: int, address: str, rooms: int, seconds: float) -> list[dict[str, float]]:
    """Fill the rooms of a server; measure them paced, then saturated."""
    load = Load(address)
    await load.fill(server.room, rooms)
    loop = asyncio.get_running_loop()
    for number, room in enumerate(load.rooms):
        loop.call_later(number / rooms, room.tick)
    paced = await load.measure(process, seconds)
    load.is_paced = False
    for room in load.rooms:
        room.go_on(time.perf_counter())
    saturated = await load.measure(process, seconds)
    if load.is_over:
        raise SystemExit(f"{server.name} closed a connection during the measurement.")
    load.is_over = True
    for room in load.rooms:
        for player in room.people:
            player.transport.abort()
    return [paced, saturated]


def table(found: dict[str, list[list[dict[str, float]]]], mode: int) -> list[str]:
    """Return a table of the medians of all rounds, paced (0) or saturated (1)."""
    lines = [f"| server | {' | '.join(_COLUMNS)} |", "|---" * (len(_COLUMNS) + 1) + "|"]
    for name, rounds in found.items():
        middle = [median(each[mode][column] for each in rounds) for column in _COLUMNS]
        words = [f"{value:.{0 if value >= 100 else 1}f}" for value in middle]
        lines.append(f"| {name} | {' | '.join(words)} |")
    return lines


def report(found: dict[str, list[list[dict[str, float]]]], command: str, load: float) -> str:
    """Return the results as Markdown."""
    versions = json.loads((_HERE / "package.json").read_text("utf-8"))["dependencies"]
    rounds = len(next(iter(found.values())))
    lines = [
        "# Our server beside its peers",
        "",
        f"Written by `{command}`; do not edit.",
        "",
        f"- Date: {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"- Machine: {processor()}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}",
        f"- Load: {load:.1f} at the beginning, {os.getloadavg()[0]:.1f} at the end. The load generator is part of it.",
        f"- Medians of {rounds} rounds, in which the servers took turns.",
        "- A move takes from its planned moment until both players have the new state.",
        "- Our server plays by the complete rules. Each player gets the events, the changes and the own legal actions.",
        "- `same work`: a room of Colyseus does this too. Its rules are our npm package, compiled to WebAssembly.",
        "- `simple`: a simpler game, and the bare state: Colyseus sends binary changes, boardgame.io all of it.",
        "- By default Colyseus sends changes every 50 ms. Here it sends them after each move.",
        "",
        "| server | version | written durably |",
        "|---|---|---|",
    ]
    for server in SERVERS:
        version = versions.get(server.package, "this one")
        lines.append(f"| {server.name} | {version} | {server.durability} |")
    lines += ["", "Paced, one move per second in every room:", "", *table(found, 0)]
    lines += ["", "Saturated, the next move follows at once:", "", *table(found, 1), "", "Every round, saturated:", ""]
    lines += ["| server | moves per CPU second | p99 ms |", "|---|---|---|"]
    for name, each in found.items():
        cpu = ", ".join(f"{facts[1]['moves per CPU second']:.0f}" for facts in each)
        slow = ", ".join(f"{facts[1]['p99 ms']:.1f}" for facts in each)
        lines.append(f"| {name} | {cpu} | {slow} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure all servers and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rooms", type=int, default=200, help=f"at most {_MOST_ROOMS}")
    parser.add_argument("--seconds", type=float, default=5, help=f"of each measurement, at most {_MOST_SECONDS:.0f}")
    parser.add_argument("--rounds", type=int, default=3, help=f"at most {_MOST_ROUNDS}")
    parser.add_argument("--write", action="store_true", help="write bench/peers.md")
    wanted = parser.parse_args()
    rooms, rounds = max(1, min(wanted.rooms, _MOST_ROOMS)), max(1, min(wanted.rounds, _MOST_ROUNDS))
    seconds = max(1.0, min(wanted.seconds, _MOST_SECONDS))
    load = os.getloadavg()[0]
    compile_now()
    found: dict[str, list[list[dict[str, float]]]] = {server.name: [] for server in SERVERS}
    with tempfile.TemporaryDirectory(prefix="qwixx-peers-") as name:
        node = install(Path(name))
        for number in range(rounds):
            for server in SERVERS:
                with running(server, node) as (process, address):
                    work = asyncio.wait_for(measure(server, process, address, rooms, seconds), _RUN_SECONDS)
                    found[server.name].append(asyncio.run(work))
                facts = found[server.name][-1][1]
                each = ", ".join(f"{column} {facts[column]:.1f}" for column in _COLUMNS)
                print(f"round {number + 1}, {server.name}, saturated: {each}", file=sys.stderr, flush=True)
    command = " ".join(["python -m bench.peers", *sys.argv[1:]])
    text = report(found, command, load)
    print(text)
    if wanted.write:
        (_HERE.parent / "peers.md").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
