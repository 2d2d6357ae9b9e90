"""
Workers that run the tests: `pytest --workers 6`.

One process imports and collects all tests and loads the compiled rules; that takes several seconds. Then it forks the
workers, which inherit all of it. A worker runs whole files: it starts its server and its browser once. Without the
option, pytest runs everything in one process.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import time
import traceback
import warnings
from collections import deque
from itertools import groupby, pairwise
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any, Final, NoReturn

import pytest

SILENCE: Final = 900.0
"""Seconds after which a worker hangs that has reported nothing: many times what the longest test takes."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption("--workers", type=int, default=0, help="run the tests in so many forked processes")


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    """Run the tests in workers, if they are wanted; otherwise leave it to pytest."""
    options = session.config.option
    if not options.workers or options.collectonly or session.testsfailed:
        return None
    _load_compiled()
    gc.collect()
    gc.freeze()  # a collection in a worker would visit, and so copy, everything that is loaded
    Workers(session).run(options.workers)
    return True


def _load_compiled() -> None:
    """Play and advise a game of each kind: this loads the compiled code that most tests use."""
    from qwixx import Game, advise  # noqa: PLC0415 - after QWIXX_JIT has been set

    for name in ("classic", "cards", "duel", "bonus-a"):
        game = Game(name, seats=2, seed=1)
        while not game.deciders():
            game.roll()
        advise(game, game.deciders()[0])


class Worker:
    """One of the processes, as the process that forks them sees it."""

    def __init__(self, session: pytest.Session, others: list[Worker]) -> None:
        """Fork it."""
        self.connection, its_own = Pipe()
        self.tests: list[int] = []
        """The tests of its file that have not ended; it runs the first of them."""
        self.heard = time.monotonic()
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # a library has threads, but they hold no lock
            self.pid = os.fork()
        if not self.pid:
            for worker in (*others, self):
                worker.connection.close()
            _work(session, its_own)
        its_own.close()

    def end(self, number: signal.Signals) -> int:
        """Send a signal to the process; return its exit status."""
        os.kill(self.pid, number)
        return self.status()

    def status(self) -> int:
        """Wait for the end of the process; return its exit status."""
        self.connection.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


class Workers:
    """Gives files to workers, and passes their reports on to pytest."""

    def __init__(self, session: pytest.Session) -> None:
        """Take the tests in their order."""
        self.session = session
        numbers = range(len(session.items))
        self.files = deque(list(file) for _, file in groupby(numbers, lambda number: session.items[number].path))
        self.running: list[Worker] = []

    def run(self, count: int) -> None:
        """Run all tests in so many processes."""
        session = self.session
        try:
            for _ in range(min(count, len(self.files))):
                self.running.append(Worker(session, self.running))
            while self.running:
                self._listen()
                if session.shouldfail:
                    raise session.Failed(session.shouldfail)
        finally:
            for worker in self.running:
                worker.end(signal.SIGTERM)

    def _listen(self) -> None:
        """Wait for messages; notice workers that have ended or that hang."""
        ready = wait([worker.connection for worker in self.running], timeout=SILENCE / 10)
        for worker in list(self.running):
            if worker.connection in ready:
                worker.heard = time.monotonic()
                try:
                    self._hear(worker, *worker.connection.recv())
                except (EOFError, ConnectionResetError):
                    self._ended(worker, worker.status())
            elif time.monotonic() - worker.heard > SILENCE:
                self._ended(worker, worker.end(signal.SIGABRT))  # pytest's handler prints where its threads are

    def _hear(self, worker: Worker, report: dict[str, Any] | None, ended: int | None) -> None:
        """Take a report, the end of a test, or the wish for another file."""
        hook = self.session.config.hook
        if report is not None:
            report_of_worker = hook.pytest_report_from_serializable(config=self.session.config, data=report)
            hook.pytest_runtest_logreport(report=report_of_worker)
        elif ended is not None:
            worker.tests.remove(ended)
        else:
            file = self.files.popleft() if self.files else []
            worker.tests += file
            worker.connection.send(file)

    def _ended(self, worker: Worker, status: int) -> None:
        """Count the test as failed that ended a worker; another worker runs the rest of the file."""
        self.running.remove(worker)
        if not worker.tests and not status:
            return
        what = f"A worker ended with status {status} after {time.monotonic() - worker.heard:.0f} s without a report."
        if not worker.tests:
            raise pytest.UsageError(what)
        broken, *rest = worker.tests
        item = self.session.items[broken]
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", what, "call")
        self.session.config.hook.pytest_runtest_logreport(report=report)
        if rest:
            self.files.appendleft(rest)
        if self.files:
            self.running.append(Worker(self.session, self.running))


class _Reporter:
    """Sends what pytest reports in a worker."""

    def __init__(self, config: pytest.Config, connection: Connection) -> None:
        self.config = config
        self.connection = connection

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Send the report of a test."""
        data = self.config.hook.pytest_report_to_serializable(config=self.config, report=report)
        self.connection.send((data, None))


def _work(session: pytest.Session, connection: Connection) -> NoReturn:
    """Run files until there are no more, and end the process."""
    status = 1
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        manager = session.config.pluginmanager
        manager.unregister(name="terminalreporter")
        manager.register(_Reporter(session.config, connection))
        if capture := manager.getplugin("capturemanager"):  # with files of its own for the output of tests
            capture.stop_global_capturing()
            capture.start_global_capturing()
        _run_files(session, connection)
        status = 0
    except (SystemExit, KeyboardInterrupt, EOFError):
        pass
    except BaseException:
        traceback.print_exc()
    finally:
        atexit._run_exitfuncs()
        os._exit(status)


def _run_files(session: pytest.Session, connection: Connection) -> None:
    def next_file() -> list[int]:
        connection.send((None, None))
        return connection.recv()  # type: ignore[no-any-return]

    def run(number: int, following: int | None) -> None:
        after = None if following is None else session.items[following]
        session.config.hook.pytest_runtest_protocol(item=session.items[number], nextitem=after)
        connection.send((None, number))

    file = next_file()
    while file:
        for number, following in pairwise(file):
            run(number, following)
        after = next_file()  # before the last test: its teardown closes what the next file does not need
        run(file[-1], after[0] if after else None)
        file = after
