"""Hints at tables: who may ask, that all players and the record know of it, and that hints reveal nothing hidden."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from random import Random

import pytest

from qwixx import Game, hint
from qwixx.errors import QwixxError
from qwixx.game.events import Event, Hinted, TakenBack
from qwixx.server.limits.declared import HINTS
from qwixx.server.room import ledger
from qwixx.server.table.change import Change
from qwixx.server.table.inbox import Unload
from qwixx.server.table.registry import Tables
from qwixx.server.table.table import Table
from qwixx.server.wire import messages
from qwixx.server.workers import hint_job, import_job
from qwixx.server.workers.hint_job import message_of
from support.games.random_games import play_on
from support.server.in_process_tables import Guest, sit, some_tables, until
from support.server.live_server import run


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Compile the code for hints first: on a busy machine that can take longer than the timeout of a test."""
    game = Game("classic", 2, seed=1)
    game.roll()
    hint(game, game.deciders()[0])


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hints wait for the compiler here; tables never wait for it."""
    monkeypatch.setattr(hint_job, "is_compiled_for", lambda _judge: True)


def lines_of(folder: Path, code: str) -> list[str]:
    """Read the ledger of a table from the disk."""
    with contextlib.closing(sqlite3.connect(folder / "tables.db")) as database:
        return [line for (line,) in database.execute("SELECT line FROM ledger WHERE code = ? ORDER BY step", (code,))]


async def woken(tables: Tables, table: Table) -> Table:
    """Unload a table and load it again."""
    table.post(Unload(by_force=True))
    await asyncio.wait([table.ended])
    again = await tables.find(table.room.code)
    assert again is not None
    return again


async def newcomer(table: Table) -> Guest:
    """Connect a spectator."""
    guest = Guest(table, address="192.0.2.9")
    await guest.settled()
    return guest


def asides_sent_to(guest: Guest) -> list[Event]:
    """Return the events about hints and undone decisions that a new client gets."""
    events = [Event.from_dict(each) for each in guest.last("state")["story"]]
    return [each for each in events if isinstance(each, Hinted | TakenBack)]


async def take(guest: Guest, seat: int) -> dict[str, object]:
    """Ask for a hint in the open phase."""
    before = sum(message["t"] == "hint" for message in guest.transport.received)
    await guest.ask(messages.AskHint(seat, guest.table.dealer.phase))
    await until(lambda: sum(message["t"] == "hint" for message in guest.transport.received) > before)
    return guest.last("hint")


def test_a_hint_is_recorded_then_announced_then_sent(tmp_path: Path) -> None:
    """A request is on disk before the hint is sent, all clients see it, and a second request gets the same hint."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            watcher = Guest(table, address="192.0.2.9")
            await anna.ask(messages.SetOptions(hints=True))
            await anna.ask(messages.Start())
            dealer, code = table.dealer, table.room.code
            assert watcher.last("table")["hints"]
            assert dealer.game is not None
            written: list[int] = []
            give = table.hint_requests.deliver

            def seen(seat: int, phase: int, message: bytes, *, is_hint: bool) -> Change:
                written.append(lines_of(tmp_path, code).count("# hint: 0"))
                return give(seat, phase, message, is_hint=is_hint)

            table.hint_requests.deliver = seen  # type: ignore[method-assign]
            found = await take(anna, 0)
            assert written == [1]
            for other in (ben, watcher):
                assert (
                    sum({"e": "hinted", "seat": 0} in message.get("events", []) for message in other.transport.received)
                    == 1
                )
                assert all(message["t"] != "hint" for message in other.transport.received)
            choices = found["choices"]
            assert isinstance(choices, list)
            assert {each["action"] for each in choices} == {str(action) for action in dealer.game.legal(0)}
            losses = [each["loss"] for each in choices]
            assert losses == sorted(losses)
            assert losses[0] == 0
            assert (found["measure"], found["source"]) == ("win", "learned")
            assert all(each["reasons"] for each in choices)
            assert await take(anna, 0) == found
            assert lines_of(tmp_path, code).count("# hint: 0") == 1
            phase = dealer.phase
            assert await watcher.refusal(messages.AskHint(0, phase)) == "not-your-seat"
            assert await anna.refusal(messages.AskHint(1, phase)) == "not-your-seat"
            assert await anna.refusal(messages.AskHint(1, phase, quiet=True)) == "not-your-seat"
            assert await anna.refusal(messages.AskHint(0, phase - 1)) == "late"

    run(look())


def test_with_other_people_hints_are_an_option(tmp_path: Path) -> None:
    """On in solitaire and against bots; off with a second person, unless set in the lobby, which a rematch keeps."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            _, (alone,), _ = await sit(all_tables, "Anna", bots=["easy"])
            assert alone.last("table")["hints"]
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            assert not ben.last("table")["hints"]
            await ben.ask(messages.SetOptions(hints=True))
            assert anna.last("table")["hints"]
            await ben.ask(messages.SetOptions(hints=False))
            await anna.ask(messages.Start())
            assert await anna.refusal(messages.AskHint(0, table.dealer.phase)) == "no-hints"
            assert await anna.refusal(messages.SetOptions(hints=True)) == "not-now"
            table.room.options.hints = True
            after = await all_tables.find(await all_tables.open_rematch(table.room, [0, 1]))
            assert after is not None
            assert after.room.has_hints

    run(look())


def test_a_hint_stays_recorded_when_its_decision_is_undone(tmp_path: Path) -> None:
    """The remark outlives a withdrawal, a restart and an undo, and travels with the record."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), tokens = await sit(all_tables, "Anna", "Ben")
            await anna.ask(messages.SetOptions(hints=True))
            await anna.ask(messages.Start())
            code = table.room.code
            before = len(lines_of(tmp_path, code))
            await take(ben, 1)
            await ben.ask(messages.Decide(1, table.dealer.phase, "pass"))
            await take(anna, 0)
            await anna.ask(messages.Withdraw(0, table.dealer.phase))
            await ben.ask(messages.Withdraw(1, table.dealer.phase))
            assert lines_of(tmp_path, code)[before:] == ["# hint: 1", "# hint: 0"]
            again = await woken(all_tables, table)
            anna, ben = Guest(again, tokens[0]), Guest(again, tokens[1])
            for guest, seat in ((ben, 1), (anna, 0)):
                await guest.ask(messages.Decide(seat, again.dealer.phase, "pass"))
            active = again.dealer.game.active if again.dealer.game else 0
            await (anna, ben)[active].ask(messages.Undo(active, again.dealer.phase))
            await (ben, anna)[active].ask(messages.AgreeUndo(yes=True))
            lines = lines_of(tmp_path, code)[before:]
            assert sorted(lines[:2]) == ["# hint: 0", "# hint: 1"]
            assert lines[2:] == [f"# taken back: {active} pass", f"{1 - active} pass"]
            moments = list(ledger.moments(again.room, lines_of(tmp_path, code)))
            asides = [Hinted(1), Hinted(0), TakenBack(active)]
            assert [moment.asides for moment in moments if moment.asides] == [tuple(asides)]
            assert asides_sent_to(await newcomer(again)) == asides  # a new client gets it
            assert asides_sent_to(await newcomer(await woken(all_tables, again))) == asides  # after a restart too
            text = ledger.record_text(again.room, lines_of(tmp_path, code))
            assert "# hint: 1" in import_job.check(text).lines

    run(look())


def _nobody(*_: object, **__: object) -> None:
    raise QwixxError("Nobody has learned this game.")


def test_too_many_requests_are_refused_and_errors_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If too many wait, nothing is recorded; without a judge there is an error, and the game continues."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, _ = await sit(all_tables, "Anna", "Ben", variant="cards-joker")
            await guests[0].ask(messages.SetOptions(hints=True))
            await guests[0].ask(messages.Start())
            assert table.dealer.game is not None
            seat = table.dealer.game.active
            in_work = all_tables.limiter.meter(HINTS)
            in_work.charge(HINTS.fixed)
            assert await guests[seat].refusal(messages.AskHint(seat, table.dealer.phase)) == "busy"
            assert await guests[1 - seat].refusal(messages.AskHint(1 - seat, table.dealer.phase)) == "not-your-turn"
            assert not [line for line in lines_of(tmp_path, table.room.code) if ledger.is_remark(line)]
            in_work.give_back(1)
            monkeypatch.setattr(hint_job, "find_judge", _nobody)
            await guests[seat].ask(messages.AskHint(seat, table.dealer.phase))
            await until(lambda: guests[seat].last("error")["code"] == "no-hint")

    run(look())


@pytest.mark.slow
def test_a_hint_need_not_wait_for_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the code is not compiled, a worker interprets it: the same choices, the best first."""
    monkeypatch.setattr(hint_job, "is_compiled_for", lambda _judge: False)

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            for variant in ("bonus-a", "cards-joker"):
                table, guests, _ = await sit(all_tables, "Anna", "Ben", variant=variant)
                await guests[0].ask(messages.SetOptions(hints=True))
                await guests[0].ask(messages.Start())
                game = table.dealer.game
                assert game is not None
                seat = game.deciders()[0]
                slowly = await take(guests[seat], seat)
                assert slowly == json.loads(messages.encode(message_of(hint(game, seat), table.dealer.phase)))

    run(look())


def test_hidden_cards_change_nothing() -> None:
    """Two tables that look the same to a seat get the same hint, to the byte, in every phase (K2, K3, K4)."""
    seen: set[str] = set()
    game, rng = Game("cards", 2, seed=5), Random(5)
    for _ in range(60):
        while game.awaits_chance:
            game.roll()
        if game.turn > 2 and game.phase not in seen:
            seen.add(game.phase)
            seat = game.deciders()[0]
            worlds = [game.imagine(seat, number) for number in range(2)]
            assert worlds[0].reveal() != worlds[1].reveal()
            assert worlds[0].view(seat) == worlds[1].view(seat)
            hints = [messages.encode(message_of(hint(world, seat), 1)) for world in worlds]
            assert hints[0] == hints[1], game.phase
        if seen == {"draw", "number", "play"}:
            return
        play_on(game, rng, 1)
    raise AssertionError(seen)
