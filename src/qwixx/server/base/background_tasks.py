"""Work that goes on beside the tables: done again and again, and never given up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger("qwixx.background")


class Background:
    """One kind of work. Whatever goes wrong is logged and shown by `has_failed`, and the work is tried again."""

    def __init__(self, name: str, work: Callable[[], Awaitable[None]], pause: Callable[[], float]) -> None:
        """Do this work with so many seconds between."""
        self.name = name
        self.has_failed = False
        """Whether the last try failed."""
        self._work, self._pause = work, pause
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin; the first try comes at once."""
        self._task = asyncio.create_task(self._run(), name=self.name)
        self._task.add_done_callback(self._ended)

    def stop(self) -> None:
        """End for good."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()

    async def _run(self) -> None:
        while True:
            try:
                await self._work()
            except Exception:
                if not self.has_failed:  # said once, and not again as long as it fails
                    log.exception("background work fails", extra={"work": self.name})
                self.has_failed = True
            else:
                self.has_failed = False
            await asyncio.sleep(self._pause())

    def _ended(self, task: asyncio.Task[None]) -> None:
        """Start again what nobody meant to end."""
        if task is self._task:
            log.error("background work ended and starts again", extra={"work": self.name})
            self.start()
