"""Players at a table think without keeping anybody waiting, take a moment as people do, and come in by the inbox."""

from __future__ import annotations

import asyncio
import logging
import random
import time
import weakref
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from qwixx.errors import QwixxError
from qwixx.notation import Action
from qwixx.players import Player, PlayerFailed, QuestionThread, Registered, take_seat
from qwixx.question import Question, seed_of
from qwixx.server.inbox import BotChose

if TYPE_CHECKING:
    from qwixx.server.table import Table

R = TypeVar("R")
log = logging.getLogger("qwixx.players")


class Thinking:
    """Asks every player that owes a decision, once per phase."""

    def __init__(self, table: Table) -> None:
        """Think for the players of a table."""
        self._table: Table = weakref.proxy(table)
        self._code = table.room.code
        self._asked: dict[int, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._seated: dict[tuple[int, str], asyncio.Task[Player]] = {}
        self._pads: dict[int, tuple[tuple[int, int], ...]] = {}
        """By seat: the pad that it plays on, where it has lucky numbers."""
        self._threads: list[QuestionThread] = []
        self._failed: set[tuple[int, str]] = set()
        """Whose failure has been logged."""
        self._silent: set[tuple[int, str]] = set()
        """Who once never answered, and is not asked again."""

    def look(self) -> None:
        """Ask the players that are asked by the game now and have not been asked yet."""
        table = self._table
        game, phase = table.dealer.game, table.dealer.phase
        if game is None or all(seat.is_person for seat in table.room.seats):
            return
        for seat in game.deciders():
            if not table.room.seats[seat].is_person and self._asked.get(seat) != phase:
                self._asked[seat] = phase
                task = asyncio.create_task(self._think(phase, game.question(seat)))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def stop(self) -> None:
        """Let all thoughts go."""
        for task in (*self._tasks, *self._seated.values()):
            task.cancel()
        for thread in self._threads:
            thread.close()

    def forget(self, seat: int) -> None:
        """Ask this seat again if a bot plays it: it has changed hands."""
        self._asked.pop(seat, None)

    async def _think(self, phase: int, question: Question) -> None:
        delay = self._table.settings.bot_delay
        if delay:
            await asyncio.sleep(delay * random.uniform(0.6, 1.4))  # noqa: S311 - nothing to guess here
        action = await self._answer(question)
        self._table.post(BotChose(question.seat, phase, action))

    async def _answer(self, question: Question) -> str:
        """Ask the player on a seat; empty if it has no answer, and then the dealer decides for it."""
        seat = question.seat
        level = self._table.room.seats[seat].level
        known = self._table.tables.allowed.find(level, question.variant, question.seats)
        if known is None or (seat, known.name) in self._silent:
            return ""
        counts, began = self._table.tables.counts, time.perf_counter()
        try:
            player = await self._player(known, question)
            action = await self._ask(known, player, question)
            counts.thinking.note(time.perf_counter() - began)
            return action.text
        except Exception as error:  # whatever a player does, the table goes on
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
        """Have a player decide: at once if it is known to be that quick, else outside the event loop."""
        think = partial(player.answer, question)
        if not known.is_quick:
            return await self._run(known, think)
        kind = known.name, question.variant.id, question.seats, int(question.states["phase"][0])
        promptness = self._table.tables.pools.promptness
        if promptness.is_prompt(kind):
            return promptness.watch(kind, think)
        return await self._run(known, partial(promptness.watch, kind, think))

    async def _player(self, known: Registered, question: Question) -> Player:
        """Give the one who decides on a seat; whoever sits down first may need long, and all wait for the same."""
        if known.is_house and not known.remembers:
            if question.seat not in self._pads:  # looking at a sheet takes longer than a decision
                self._pads[question.seat] = _pads(question)
            kind = question.variant, question.seats, self._pads[question.seat]
            sit = partial(_sit, self._code, known, question, None)
            return await self._table.tables.regulars.find(known, kind, sit)
        key = question.seat, known.name
        if key not in self._seated:
            thread = QuestionThread(self._table.settings.bot_seconds)
            self._threads.append(thread)
            sit = partial(_sit, self._code, known, question, thread)
            self._seated[key] = asyncio.create_task(self._run(known, sit))
        return await asyncio.shield(self._seated[key])

    async def _run(self, known: Registered, function: partial[R]) -> R:
        """Do something outside the event loop; who may take long keeps nobody waiting who answers at once."""
        return await self._table.tables.pools.run("bots" if known.is_quick else "guests", function)


def _sit(code: str, known: Registered, question: Question, thread: QuestionThread | None) -> Player:
    """Let a player sit down, outside the event loop."""
    pads = _pads(question)
    if words := known.takes(question.variant, pads):
        log.info("a player sits down: %s", words, extra={"code": code, "player": known.name})
    seed = seed_of(question.luck, question.seat)
    return take_seat(known, question.variant, question.seats, seed=seed, pads=pads, thread=thread)


def _pads(question: Question) -> tuple[tuple[int, int], ...]:
    """Give the pad on which a seat plays, where it has lucky numbers."""
    lucky = question.view.sheets[question.seat].lucky
    return ((lucky[0], lucky[1]),) if lucky else ()
