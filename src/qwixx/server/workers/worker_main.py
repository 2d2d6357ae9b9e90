"""
The program of a worker process, which handles one task after the other.

Tasks arrive on standard input and answers leave on standard output (`tasks`). A worker has its own interpreter and a
low priority, so that tables do not wait for it. It ends when the server ends, in whatever way: its standard input is
closed then.
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

from qwixx.server.base.errors import Refused
from qwixx.server.room import integrity
from qwixx.server.room.integrity import Damaged
from qwixx.server.wire.messages import encode
from qwixx.server.workers import hint_job, import_job, print_job, replay_job, review_job
from qwixx.server.workers.tasks import (
    Answer,
    CheckTask,
    FinishedGameTask,
    HintTask,
    ImportTask,
    PrintTask,
    Task,
    TaskDone,
    TaskFailed,
    receive,
    send,
)

_LEVEL: Final = 6
"""The level of compression: a higher one takes much longer and saves little."""
_NICENESS: Final = 15
"""The priority of a worker, as for `nice`."""
_OOM_SCORE: Final = "500"
"""When memory runs out, Linux kills a worker before the server: no data is lost."""


def perform(task: Task) -> Answer:
    """Do a task; return an answer also if it fails."""
    try:
        return TaskDone(_result(task))
    except Damaged as damage:
        return TaskFailed(damage.code, reason=damage.reason)
    except Refused as refused:
        return TaskFailed(refused.code)
    except Exception:  # the worker continues after any error
        return TaskFailed("trouble", traceback.format_exc())


def _result(task: Task) -> bytes:
    match task:
        case ImportTask(text):
            return msgspec.msgpack.encode(import_job.check(text))
        case HintTask(record, seat, phase):
            return hint_job.compute_uncompiled(record, seat, phase)
        case PrintTask(game, sheet, request):
            return print_job.draw(game, sheet, request)
        case CheckTask(room, lines):
            integrity.check_game(room, lines)
            return b""
        case FinishedGameTask():
            return _finished_game(task)


def _finished_game(task: FinishedGameTask) -> bytes:
    if task.what == "record":
        text = replay_job.record(task.room, task.lines).encode()
    elif task.what == "replay":
        text = encode(replay_job.replay(task.room, task.lines))
    else:
        text = review_job.review(task.room, task.lines)
    return gzip.compress(text, _LEVEL, mtime=0)


def main() -> None:
    """Handle tasks until standard input is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server; when it ends, this ends too
    source, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything else that is printed must not mix with the answers
    received: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, received), daemon=True).start()
    _lower_priority()
    decoder = msgspec.msgpack.Decoder(Task)
    while True:
        send(answers, perform(decoder.decode(received.get())))


def _listen(source: IO[bytes], received: queue.SimpleQueue[bytes]) -> None:
    """Read tasks; when the server has ended, end the process immediately, also during a task."""
    with contextlib.suppress(EOFError, OSError):
        while True:
            received.put(receive(source))
    os._exit(0)


def _lower_priority() -> None:
    """Lower the priority for processor and memory, as far as the system allows."""
    with contextlib.suppress(OSError):  # a sandbox may forbid it
        if hasattr(os, "nice"):
            os.nice(_NICENESS)
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(_OOM_SCORE, "ascii")


if __name__ == "__main__":
    main()
