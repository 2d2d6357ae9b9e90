"""Bots at a table think outside the event loop, take a moment as people do, and come in through the inbox."""

from __future__ import annotations

import asyncio
import logging
import random
from typing import TYPE_CHECKING

import qwixx
from qwixx import bots
from qwixx.server import players
from qwixx.server.inbox import BotChose

if TYPE_CHECKING:
    from qwixx.server.table import Table

log = logging.getLogger("qwixx.bots")


class Thinking:
    """Asks every bot that owes a decision, once per phase."""

    def __init__(self, table: Table) -> None:
        """Think for the bots of a table."""
        self._table = table
        self._bots: dict[tuple[int, str], bots.Bot] = {}
        self._asked: dict[int, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def look(self) -> None:
        """Ask the bots that are asked by the game now and have not been asked yet."""
        table = self._table
        game, phase = table.dealer.game, table.dealer.phase
        if game is None or all(seat.is_person for seat in table.room.seats):
            return
        for seat in game.deciders():
            if not table.room.seats[seat].is_person and self._asked.get(seat) != phase:
                self._asked[seat] = phase
                thought = self._think(seat, phase, game.view(seat), game.legal(seat))
                task = asyncio.create_task(thought)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Let all thoughts go."""
        for task in self._tasks:
            task.cancel()

    def forget(self, seat: int) -> None:
        """Ask this seat again if a bot plays it: it has changed hands."""
        self._asked.pop(seat, None)

    async def _think(self, seat: int, phase: int, view: qwixx.View, legal: list[qwixx.Action]) -> None:
        delay = self._table.settings.bot_delay
        if delay:
            await asyncio.sleep(delay * random.uniform(0.6, 1.4))  # noqa: S311 - nothing to guess here
        try:
            action = await self._table.tables.think(players.choose, self._bot(seat), view, legal)
        except Exception:
            log.exception("a bot failed", extra={"code": self._table.room.code})
            action = ""  # no action: the dealer then decides for it
        while not self._table.post(BotChose(seat, phase, action)) and not self._table.is_gone:
            await asyncio.sleep(0.05)

    def _bot(self, seat: int) -> bots.Bot:
        level = self._table.room.seats[seat].level or "normal"
        if (seat, level) not in self._bots:
            self._bots[seat, level] = players.invite(level, self._table.room.rules)
        return self._bots[seat, level]
