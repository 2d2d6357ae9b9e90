"""
The program of a worker: a process beside the server that plays games again, one after the other.

What is wanted comes in on standard input and goes out on standard output (`tasks`). Tables share no interpreter with
it, and it steps back behind them where processors are few. It ends with whoever started it, however that ends: standard
input is closed then.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import queue
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import IO, Final

import msgspec

from qwixx.server import bringing, hints, replays, reviews
from qwixx.server.protocol import encode
from qwixx.server.room import Refused
from qwixx.server.tasks import Answer, Brought, Finished, Made, NotMade, Task, Wondering, receive, send

_LEVEL: Final = 6
"""How hard to pack: beyond this it takes much longer and saves little."""
_POLITENESS: Final = 15
"""How far a worker steps back behind whoever else wants a processor, as `nice` counts."""
_FIRST_TO_GO: Final = "500"
"""Where memory runs out, Linux ends a worker rather than the server: nothing is lost by that."""


def perform(task: Task) -> Answer:
    """Do what is wanted, whatever comes of it."""
    try:
        return Made(_make(task))
    except Refused as refused:
        return NotMade(refused.code)
    except Exception:  # whatever it was: the worker goes on
        return NotMade("trouble", traceback.format_exc())


def _make(task: Task) -> bytes:
    match task:
        case Brought(text):
            return b"over" if bringing.is_over(text) else b"open"
        case Wondering(record, seat, phase):
            return hints.work_out_slowly(record, seat, phase)
        case Finished():
            return _pack(task)


def _pack(task: Finished) -> bytes:
    if task.what == "record":
        text = replays.record(task.room, task.lines).encode()
    elif task.what == "replay":
        text = encode(replays.replay(task.room, task.lines))
    else:
        text = reviews.review(task.room, task.lines)
    return gzip.compress(text, _LEVEL, mtime=0)


def main() -> None:
    """Do what is wanted until nobody wants anything any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the server; if that ends, so does this
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever else is printed is no answer
    wanted: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, wanted), daemon=True).start()
    _step_back()
    decoder = msgspec.msgpack.Decoder(Task)
    while True:
        send(answers, perform(decoder.decode(wanted.get())))


def _listen(source: IO[bytes], wanted: queue.SimpleQueue[bytes]) -> None:
    """Take in what is wanted; when the server has gone end at once, also in the middle of something."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            wanted.put(receive(source))
    os._exit(0)


def _step_back() -> None:
    """Leave processor and memory to the tables, as far as the system lets a process do that for itself."""
    with contextlib.suppress(OSError):  # a sandbox may forbid it
        if hasattr(os, "nice"):
            os.nice(_POLITENESS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_FIRST_TO_GO, "ascii")


if __name__ == "__main__":
    main()
