"""Plays talks at the server's table: without sockets, with scripted dice and bots, and a clock that a talk moves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import qwixx
from qwixx.fair.commitment import Fair
from qwixx.game.question import Question
from qwixx.server.table import clock, dealer, presence
from qwixx.server.table.bot_turns import BotTurns
from qwixx.server.table.hint_requests import HintService
from qwixx.server.table.inbox import Unload
from qwixx.server.table.registry import Tables
from qwixx.server.table.table import Table
from qwixx.server.wire.message_parts import RankedChoice
from qwixx.server.wire.messages import Hint, encode, parse
from support.server.in_process_tables import Guest, some_tables, until
from support.server.live_server import run
from support.talks.talk_files import LEDGER, Talk

Transcript = list[dict[str, list[dict[str, Any]]]]
"""By step, by device: the messages that it was sent."""


class _Time:
    """A clock that moves only when a talk says so; it stands in for `time` and for the timers of the event loop."""

    def __init__(self) -> None:
        self._now = 1000.0
        self._timers: list[SimpleNamespace] = []

    def monotonic(self) -> float:
        return self._now

    time = monotonic

    def get_running_loop(self) -> _Time:
        return self

    def call_later(self, seconds: float, ring: Callable[[int], object], phase: int) -> SimpleNamespace:
        due = self._now + seconds
        timer = SimpleNamespace(due=due, when=lambda: due, ring=lambda: ring(phase))
        timer.cancel = lambda: self._timers.remove(timer) if timer in self._timers else None
        self._timers.append(timer)
        return timer

    def advance(self, seconds: float) -> None:
        self._now += seconds
        for timer in [each for each in self._timers if each.due <= self._now]:
            timer.cancel()
            timer.ring()


class _Player:
    """Plays one talk."""

    def __init__(self, tables: Tables, script: dict[str, Any], time: _Time) -> None:
        self._tables, self._script, self._time = tables, script, time
        self.throws: list[str] = []
        self.asked: dict[int, asyncio.Future[str]] = {}
        self._table: Table | None = None
        self._guests: dict[str, Guest] = {}
        self._tokens: dict[str, list[str]] = {}
        self._sent: dict[str, list[dict[str, Any]]] = {}
        self._seen: dict[Guest, int] = {}

    async def play(self) -> Transcript:
        transcript = []
        for acts in self._script["steps"]:
            self._sent = {}
            for act in acts:
                await self._act(act)
                await self._settle()
                self._collect()
            transcript.append(self._sent)
        return transcript

    @property
    def table(self) -> Table:
        assert self._table is not None
        return self._table

    async def _act(self, act: dict[str, Any]) -> None:
        who = act["who"]
        match act["do"]:
            case "open":
                code, token = await self._tables.open(self._script["variant"], self._script["sheet"], [], act["name"])
                self._table = await self._tables.find(code)
                self._tokens[who] = [token] if token else []
                self._join(who)
            case "join":
                self._join(who)
            case "leave":
                self._guests.pop(who).leave()
            case "follow":
                self._guests.pop(who).leave()
                await self._find(self.table.room.next or self.table.room.code)
                self._join(who)
            case "say":
                guest = self._guests[who]
                phase = next((m["phase"] for m in reversed(guest.transport.received) if m["t"] == "state"), 0)
                message = {**act["message"]}
                if message.get("phase", 0) is None:
                    message["phase"] = phase
                parsed = parse(json.dumps(message).encode())
                assert parsed is not None, message
                guest.send(parsed)
            case "dice":
                self.throws += act["texts"]
            case "bot":
                await until(lambda: act["seat"] in self.asked)
                self.asked.pop(act["seat"]).set_result(act["action"])
            case "wait":
                self._time.advance(act["seconds"])
            case "restart":
                self.table.post(Unload(by_force=True))
                await asyncio.wait([self.table.ended])
                await self._find(self.table.room.code)
                for each in list(self._guests):
                    self._join(each)
                    await self._settle()
            case "record":
                found = await self._tables.store.read(self.table.room.code)
                assert found is not None
                self._sent[LEDGER] = [{"t": "ledger", "lines": found[1]}]

    async def _find(self, code: str) -> None:
        found = await self._tables.find(code)
        assert found is not None
        self._table = found

    def _join(self, who: str) -> None:
        number = list("abcdefghijklmnopqrstuvwxyz").index(who[0]) + 1
        self._guests[who] = Guest(self.table, *self._tokens.get(who, []), address=f"192.0.2.{number}")

    async def _settle(self) -> None:
        """Wait until nothing is under way; bots may think."""
        for _ in range(5):  # the answer of a bot or a hint passes some callbacks before it is in the inbox
            await asyncio.sleep(0)
        await until(lambda: all(_is_quiet(table) for table in self._tables.loaded.values()))

    def _collect(self) -> None:
        for who, guest in self._guests.items():
            received = guest.transport.received
            new = received[self._seen.get(guest, 0) :]
            self._seen[guest] = len(received)
            tokens = [each["token"] for each in new if each["t"] == "seated"]
            self._tokens.setdefault(who, []).extend(tokens)
            self._sent.setdefault(who, []).extend(each for each in new if each["t"] != "seated")


def _is_quiet(table: Table) -> bool:
    return table.is_idle and not table.hint_requests._tasks and not table._opening_rematch


def play_at_server(talk: Talk, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Transcript:
    """Play a talk, and return everything that was sent. The first step seats everybody."""
    found: list[Transcript] = []
    time = _Time()

    async def play() -> None:
        async with some_tables(folder, undo_seconds=talk.script()["undo"]) as tables:
            player = _Player(tables, talk.script(), time)

            async def answer(_turns: BotTurns, question: Question) -> str:
                player.asked[question.seat] = asyncio.get_running_loop().create_future()
                return await player.asked[question.seat]

            monkeypatch.setattr(BotTurns, "_answer", answer)
            monkeypatch.setattr(Fair, "throw", lambda _fair, _game, _before: player.throws.pop(0))
            monkeypatch.setattr(Fair, "first", lambda _fair, _seats: talk.script()["first"])
            monkeypatch.setattr(HintService, "_compute", _hint)
            for module in (dealer, presence):
                monkeypatch.setattr(module, "time", time)
            monkeypatch.setattr(clock, "asyncio", time)
            found.append(await player.play())

    run(play())
    return found[0]


async def _hint(_service: HintService, _code: str, game: qwixx.Game, seat: int, phase: int) -> bytes:
    """Return all legal actions as equally good: a talk is about messages, not about values."""
    choices = [RankedChoice(action.text, 0.5, 60.0, 0.0, []) for action in game.legal(seat)]
    return encode(Hint(seat, phase, "learned", "win", choices))
