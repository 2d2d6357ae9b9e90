"""A worker as the server sees it: started when it is first needed, asked from a thread, and replaced if it ends."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
from typing import Final

import msgspec

from qwixx.server import tasks
from qwixx.server.room import Refused
from qwixx.server.tasks import Answer, Made, Task

log = logging.getLogger("qwixx.workers")
_LONGEST: Final = 300.0
"""Seconds that one task may take. A review takes a tenth of one, but a worker waits for all who want a processor."""
_BELOW_NORMAL: Final = 0x00004000
"""What Windows calls a process that steps back behind others."""
_PROGRAM: Final = "qwixx.server.worker"
_ANSWERS = msgspec.msgpack.Decoder(Answer)


class Worker:
    """One process, and the line to it. Threads take turns."""

    def __init__(self, *, compiles: bool = False) -> None:
        """
        Start nothing yet.

        A worker that plays single games again does without the compiler: that is a quarter of the memory, and it is
        there in a second. Reviews weigh every choice and need it.
        """
        self._compiles = compiles
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_closed = False

    @property
    def pid(self) -> int | None:
        """The number of its process, while there is one."""
        return None if self._process is None else self._process.pid

    def ask(self, task: Task) -> bytes:
        """
        Have something done, and wait for it.

        Raises `Refused`, with `trouble` if the worker ended meanwhile; whoever asks next has a new one.
        """
        with self._turn:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            too_long = threading.Timer(_LONGEST, process.kill)
            too_long.start()
            try:
                tasks.send(process.stdin, task)
                answer = _ANSWERS.decode(tasks.receive(process.stdout))
            except (OSError, EOFError, msgspec.MsgspecError):
                self._end(process)
                if not self._is_closed:
                    log.error("a worker ended in the middle of its work", extra={"status": process.returncode})
                raise Refused("trouble") from None
            finally:
                too_long.cancel()
        if isinstance(answer, Made):
            return answer.data
        if answer.trace:
            log.error("a worker failed\n%s", answer.trace)
        raise Refused(answer.code)

    def rest(self) -> None:
        """Let the process end, unless it has something to do; the next task starts another."""
        if self._turn.acquire(blocking=False):
            try:
                if self._process is not None:
                    self._end(self._process)
            finally:
                self._turn.release()

    def close(self) -> None:
        """End for good, also in the middle of something."""
        self._is_closed = True
        process = self._process
        if process is not None:
            process.kill()
        self.rest()

    def _running(self) -> subprocess.Popen[bytes]:
        """Give the process, a new one if there is none any more."""
        if self._is_closed:
            raise Refused("trouble")
        if self._process is not None and self._process.poll() is not None:
            log.warning("a worker had ended and starts again", extra={"status": self._process.returncode})
            self._end(self._process)
        if self._process is None:
            try:
                self._process = _start(compiles=self._compiles)
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
            except OSError:  # what it did not read any more
                continue


def _start(*, compiles: bool) -> subprocess.Popen[bytes]:
    """Start a process that ends with this one: it reads from a pipe of ours, which ends with us."""
    if not sys.executable:
        raise OSError("nobody knows where Python is")
    places = os.pathsep.join(filter(None, sys.path))  # whatever was found here is found there
    return subprocess.Popen(  # noqa: S603 - this very program
        [sys.executable, "-P", "-m", _PROGRAM],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": places} | ({} if compiles else {"QWIXX_JIT": "0"}),
        start_new_session=True,  # Ctrl-C at a terminal is for the server
        creationflags=_BELOW_NORMAL if sys.platform == "win32" else 0,
    )
