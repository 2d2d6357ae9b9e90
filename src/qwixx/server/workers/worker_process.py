"""A worker process, seen from the server: started when it is first needed, and restarted if it ends."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from typing import Final

import msgspec

from qwixx.server.base.errors import Refused
from qwixx.server.room.integrity import Damaged
from qwixx.server.workers import precompile, tasks
from qwixx.server.workers.tasks import Answer, Task, TaskDone

log = logging.getLogger("qwixx.workers")
_MAX_SECONDS: Final = 300.0
"""Time limit for one task. A review takes a tenth of a second, but a worker has a low priority."""
_BELOW_NORMAL: Final = 0x00004000
"""The low process priority of Windows."""
_PROGRAM: Final = "qwixx.server.workers.worker_main"
_ANSWERS = msgspec.msgpack.Decoder(Answer)


class Worker:
    """One process and the pipe to it. Threads take turns."""

    def __init__(self, *, compiles: bool = False) -> None:
        """
        Start nothing yet.

        A worker that replays single games runs without the compiler: it needs a quarter of the memory and starts in a
        second. Reviews evaluate every choice, so their worker uses compiled code. While that is being compiled, a
        worker without it takes some seconds for a review; the task after that starts the other one.
        """
        self._compiles = compiles
        self._is_compiled = False
        """Whether the process uses compiled code."""
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The id of its process, while there is one."""
        return None if self._process is None else self._process.pid

    def request(self, task: Task) -> bytes:
        """
        Send a task and wait for its result.

        Raises `Refused`, with `trouble` if the worker ended meanwhile; the next request starts a new one.
        """
        with self._turn:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            timeout = threading.Timer(_MAX_SECONDS, process.kill)
            timeout.start()
            try:
                tasks.send(process.stdin, task)
                answer = _ANSWERS.decode(tasks.receive(process.stdout))
            except (OSError, EOFError, msgspec.MsgspecError):
                self._end(process)
                if not self._is_closed:
                    log.error("a worker ended in the middle of its work", extra={"status": process.returncode})
                raise Refused("trouble") from None
            finally:
                timeout.cancel()
        if isinstance(answer, TaskDone):
            return answer.data
        if answer.trace:
            log.error("a worker failed\n%s", answer.trace)
        raise Damaged(answer.reason) if answer.reason else Refused(answer.code)

    def stop_if_idle(self) -> None:
        """End the process, unless it has a task; the next task starts another."""
        if self._turn.acquire(blocking=False):
            try:
                if self._process is not None:
                    self._end(self._process)
            finally:
                self._turn.release()

    def close(self) -> None:
        """End the process permanently, also during a task."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()
        self.stop_if_idle()

    def _running(self) -> subprocess.Popen[bytes]:
        """Return the process; start a new one if it has ended."""
        if self._is_closed:
            raise Refused("trouble")
        if self._process is not None and self._process.poll() is not None:
            log.warning("a worker had ended and starts again", extra={"status": self._process.returncode})
            self._end(self._process)
        may_compile = self._compiles and precompile.are_judges_compiled()
        if self._process is not None and may_compile and not self._is_compiled:
            self._end(self._process)
        if self._process is None:
            self._is_compiled = may_compile
            try:
                self._process = _start(compiles=may_compile)
            except OSError as error:
                log.error("no worker can be started: %s", error)
                raise Refused("trouble") from None
            if self._is_closed:  # in the meantime
                self._process.kill()
        return self._process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        self._process = None
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            try:
                stream.close()
            except OSError:  # data that it did not read
                continue


def _start(*, compiles: bool) -> subprocess.Popen[bytes]:
    """Start a process that ends with this one: it reads from a pipe that closes when this process ends."""
    if not sys.executable:
        raise OSError("the path of Python is not known")
    paths = os.pathsep.join(filter(None, sys.path))  # so that it finds the same modules
    return subprocess.Popen(  # noqa: S603 - our own program
        [sys.executable, "-P", "-m", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths} | ({} if compiles else {"QWIXX_JIT": "0"}),
        start_new_session=True,  # Ctrl-C at a terminal is for the server
        creationflags=_BELOW_NORMAL if sys.platform == "win32" else 0,
    )
