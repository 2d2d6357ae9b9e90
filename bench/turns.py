"""
A server that measures the turns of its event loop, in its own CPU time, for `bench.abuse`.

During a turn no other client is served, so others notice a long one. CPU time does not contain other work on the
machine, which people notice too. On SIGUSR1 the turns since the last signal are written to the file in the first
argument.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from asyncio import base_events
from pathlib import Path
from types import FrameType
from typing import Any

from bench.cores import take_the_servers_core

from qwixx.cli.commands.host.serve import serve_command

TURNS: list[float] = []


def note_turns() -> None:
    """Measure every turn of every event loop."""
    loop: Any = base_events.BaseEventLoop
    turn = loop._run_once

    def timed(self: Any) -> None:
        begin = time.thread_time()
        turn(self)
        TURNS.append(time.thread_time() - begin)

    loop._run_once = timed


def write_turns(path: Path) -> None:
    """Write the measurements when the signal arrives."""

    def write(number: int, frame: FrameType | None) -> None:
        path.write_text(json.dumps(TURNS))
        TURNS.clear()

    signal.signal(signal.SIGUSR1, write)


if __name__ == "__main__":
    take_the_servers_core()
    note_turns()
    write_turns(Path(sys.argv.pop(1)))
    serve_command()
