"""
A server that notes how long the turns of its event loop take, in CPU time of its own, for `bench.abuse`.

Nobody is served during a turn, so a long one is what others notice. Other work on the machine does not count here,
while people see it too. The turns since the last time are written to the file named first when SIGUSR1 comes.
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
    """Have every turn of every loop timed."""
    loop: Any = base_events.BaseEventLoop
    turn = loop._run_once

    def timed(self: Any) -> None:
        begin = time.thread_time()
        turn(self)
        TURNS.append(time.thread_time() - begin)

    loop._run_once = timed


def write_turns(path: Path) -> None:
    """Write what was noted when the signal comes."""

    def write(number: int, frame: FrameType | None) -> None:
        path.write_text(json.dumps(TURNS))
        TURNS.clear()

    signal.signal(signal.SIGUSR1, write)


if __name__ == "__main__":
    take_the_servers_core()
    note_turns()
    write_turns(Path(sys.argv.pop(1)))
    serve_command()
