"""
Decisions of bots: each bot is asked once per phase, outside the event loop, and its answer goes to the inbox.

A bot waits a moment before it decides, as people do.
"""

from __future__ import annotations

import asyncio
import logging
import random
import time
import weakref
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from qwixx.errors import QwixxError
from qwixx.game.question import Question, private_seed
from qwixx.players import Player, PlayerFailed, PlayerThread, Registered, instantiate_supervised
from qwixx.server.room.bots import PACES
from qwixx.server.table.inbox import BotChose
from qwixx.text.notation import Action

if TYPE_CHECKING:
    from qwixx.server.table.table import Table

R = TypeVar("R")
log = logging.getLogger("qwixx.players")


class BotTurns:
    """Asks the bots of a table that have to decide, once per phase."""

    def __init__(self, table: Table) -> None:
        """Start with no bot asked."""
        self._table: Table = weakref.proxy(table)
        self._code = table.room.code
        self._asked: dict[int, int] = {}
        """By seat: the last phase in which its bot was asked."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._seated: dict[tuple[int, str], asyncio.Task[Player]] = {}
        self._pads: dict[int, tuple[tuple[int, int], ...]] = {}
        """By seat: its pad, in games with lucky numbers."""
        self._threads: list[PlayerThread] = []
        self._failed: set[tuple[int, str]] = set()
        """Bots whose failure has been logged."""
        self._silent: set[tuple[int, str]] = set()
        """Bots that once gave no answer in time, and are not asked again."""

    def ask_bots(self) -> None:
        """Ask the bots that have to decide in this phase and were not asked yet."""
        table = self._table
        game, phase = table.dealer.game, table.dealer.phase
        if game is None:
            return
        for seat in game.deciders():
            if not table.room.seats[seat].is_person and self._asked.get(seat) != phase:
                self._asked[seat] = phase
                task = asyncio.create_task(self._think(phase, game.question(seat)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Cancel all questions."""
        for task in (*self._tasks, *self._seated.values()):
            task.cancel()
        for thread in self._threads:
            thread.close()

    def reset_seat(self, seat: int) -> None:
        """Ask this seat again if a bot plays it: another player has taken it over."""
        self._asked.pop(seat, None)

    async def _think(self, phase: int, question: Question) -> None:
        delay = self._table.settings.bot_delay * PACES[self._table.room.options.pace]
        if delay:
            await asyncio.sleep(delay * random.uniform(0.6, 1.4))  # noqa: S311 - nothing to guess here
        action = await self._answer(question)
        self._table.post(BotChose(question.seat, phase, action))

    async def _answer(self, question: Question) -> str:
        """Return the action of the bot on a seat; empty if it has no answer, and then the dealer decides for it."""
        seat = question.seat
        level = self._table.room.seats[seat].level
        known = self._table.tables.allowed.find(level, question.variant, question.seats)
        if known is None or (seat, known.name) in self._silent:
            return ""
        counts, began = self._table.tables.counts, time.perf_counter()
        try:
            player = await self._player(known, question)
            action = await self._ask(known, player, question)
            counts.thinking.observe(time.perf_counter() - began)
            return action.text
        except Exception as error:  # the table continues, whatever error a bot raises
            counts.failed["player"] += 1
            if isinstance(error, PlayerFailed) and error.is_late:
                self._silent.add((seat, known.name))
            if (seat, known.name) not in self._failed:
                self._failed.add((seat, known.name))
                facts = {"code": self._code, "seat": seat, "player": known.name}
                if isinstance(error, QwixxError):
                    log.error("a player failed: %s", error, extra=facts)
                else:
                    log.exception("a player failed", extra=facts)
            return ""

    async def _ask(self, known: Registered, player: Player, question: Question) -> Action:
        """Ask a bot: directly if it is known to be fast enough for the event loop, else in a thread."""
        think = partial(player.answer, question)
        if not known.is_quick:
            return await self._run(known, think)
        kind = known.name, question.variant.id, question.seats, int(question.states["phase"][0])
        latency = self._table.tables.pools.bot_latency
        if latency.is_fast(kind):
            return latency.measure(kind, think)
        return await self._run(known, partial(latency.measure, kind, think))

    async def _player(self, known: Registered, question: Question) -> Player:
        """Return the bot of a seat. Creating it may take long, so all callers wait for the same task."""
        if known.is_built_in and not known.remembers:
            if question.seat not in self._pads:  # reading the sheet takes longer than a decision
                self._pads[question.seat] = _pads(question)
            kind = question.variant, question.seats, self._pads[question.seat]
            sit = partial(_sit, self._code, known, question, None)
            return await self._table.tables.shared_bots.find(known, kind, sit)
        key = question.seat, known.name
        if key not in self._seated:
            thread = PlayerThread(self._table.settings.bot_seconds)
            self._threads.append(thread)
            sit = partial(_sit, self._code, known, question, thread)
            self._seated[key] = asyncio.create_task(self._run(known, sit))
        return await asyncio.shield(self._seated[key])

    async def _run(self, known: Registered, function: partial[R]) -> R:
        """Run a function in a thread. Bots that may take long have their own pool, so that fast ones do not wait."""
        return await self._table.tables.pools.run("bots" if known.is_quick else "guests", function, self._code)


def _sit(code: str, known: Registered, question: Question, thread: PlayerThread | None) -> Player:
    """Create the bot for a seat. This may take long: run it in a thread."""
    pads = _pads(question)
    if words := known.setup_needed(question.variant, pads):
        log.info("a player sits down: %s", words, extra={"code": code, "player": known.name})
    seed = private_seed(question.luck, question.seat)
    return instantiate_supervised(known, question.variant, question.seats, seed=seed, pads=pads, thread=thread)


def _pads(question: Question) -> tuple[tuple[int, int], ...]:
    """Return the pad of a seat, in games with lucky numbers."""
    lucky = question.view.sheets[question.seat].lucky
    return ((lucky[0], lucky[1]),) if lucky else ()
