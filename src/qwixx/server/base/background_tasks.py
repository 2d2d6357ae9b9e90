"""Background tasks: periodic work that is retried after every failure."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from qwixx.server.base.errors import StoreFailed

log = logging.getLogger("qwixx.background")


class BackgroundTask:
    """One periodic task. A failure is logged and shown by `has_failed`, and the work is tried again."""

    def __init__(self, name: str, work: Callable[[], Awaitable[None]], pause: Callable[[], float]) -> None:
        """Run `work` again and again, with `pause()` seconds in between."""
        self.name = name
        self.has_failed = False
        """Whether the last run failed."""
        self._work, self._pause = work, pause
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start; the first run is immediate."""
        self._task = asyncio.create_task(self._run(), name=self.name)
        self._task.add_done_callback(self._ended)

    def stop(self) -> None:
        """Stop, without a restart."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    async def _run(self) -> None:
        while True:
            try:
                await self._work()
            except StoreFailed as error:
                if not self.has_failed:
                    log.info("background work fails: the store failed", extra={"work": self.name, "error": str(error)})
                self.has_failed = True
            except Exception:
                if not self.has_failed:  # log it once, not again while it keeps failing
                    log.exception("background work fails", extra={"work": self.name})
                self.has_failed = True
            else:
                self.has_failed = False
            await asyncio.sleep(self._pause())

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Restart a task that ended without `stop`."""
        if task is self._task:
            log.error("background work ended and starts again", extra={"work": self.name})
            self.start()
