"""Hints at tables: who may have them, that everybody knows, that the record notes them, and what they cannot tell."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sqlite3
from pathlib import Path
from random import Random

import pytest

from guests import Guest, sit, some_tables, until
from play import play_on
from qwixx import Game, hint
from qwixx.errors import QwixxError
from qwixx.events import Event, Hinted, TakenBack
from qwixx.record import read_record
from qwixx.server import bringing, hinting, hints, ledger, protocol
from qwixx.server.hints import message_of
from qwixx.server.inbox import Unload
from qwixx.server.table import Table
from qwixx.server.tables import Tables
from serving import run


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Have everything compiled that a hint takes: on a busy machine that can take longer than anybody waits here."""
    game = Game("classic", 2, seed=1)
    game.roll()
    hint(game, game.deciders()[0])


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let hints wait for the compiler here, which no table does."""
    monkeypatch.setattr(hints, "is_compiled_for", lambda _judge: True)


def lines_of(folder: Path, code: str) -> list[str]:
    """Read a table's ledger from the disk."""
    with contextlib.closing(sqlite3.connect(folder / "tables.db")) as database:
        return [line for (line,) in database.execute("SELECT line FROM ledger WHERE code = ? ORDER BY step", (code,))]


async def woken(tables: Tables, table: Table) -> Table:
    """Have a table leave memory and come back."""
    table.post(Unload(by_force=True))
    await asyncio.wait([table.ended])
    again = await tables.find(table.room.code)
    assert again is not None
    return again


async def newcomer(table: Table) -> Guest:
    """Have somebody come to watch."""
    guest = Guest(table, address="192.0.2.9")
    await guest.settled()
    return guest


def asides_told_by(guest: Guest) -> list[Event]:
    """Give what a newcomer was told of hints and of what was taken back."""
    events = [Event.from_dict(each) for each in guest.last("state")["story"]]
    return [each for each in events if isinstance(each, Hinted | TakenBack)]


async def take(guest: Guest, seat: int) -> dict[str, object]:
    """Take a hint in the phase that is open."""
    before = sum(told["t"] == "hint" for told in guest.outlet.told)
    await guest.ask(protocol.AskHint(seat, guest.table.dealer.phase))
    await until(lambda: sum(told["t"] == "hint" for told in guest.outlet.told) > before)
    return guest.last("hint")


def test_a_hint_is_noted_then_told_then_given(tmp_path: Path) -> None:
    """One is on disk before it is given, everybody hears of it, it lists what is legal, and the same again is free."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            watcher = Guest(table, address="192.0.2.9")
            await anna.ask(protocol.SetOptions(hints=True))
            await anna.ask(protocol.Start())
            dealer, code = table.dealer, table.room.code
            assert watcher.last("table")["hints"]
            assert dealer.game is not None
            written: list[int] = []
            give = table.hinting.give

            def seen(seat: int, phase: int, message: bytes, *, lasts: bool) -> None:
                written.append(lines_of(tmp_path, code).count("# hint: 0"))
                give(seat, phase, message, lasts=lasts)

            table.hinting.give = seen  # type: ignore[method-assign]
            found = await take(anna, 0)
            assert written == [1]
            for other in (ben, watcher):
                assert sum({"e": "hinted", "seat": 0} in told.get("events", []) for told in other.outlet.told) == 1
                assert all(told["t"] != "hint" for told in other.outlet.told)
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
            assert await watcher.refusal(protocol.AskHint(0, phase)) == "not-your-seat"
            assert await anna.refusal(protocol.AskHint(1, phase)) == "not-your-seat"
            assert await anna.refusal(protocol.AskHint(0, phase - 1)) == "late"

    run(look())


def test_among_people_hints_are_a_choice(tmp_path: Path) -> None:
    """Alone and against bots they are on; a second person turns them off, unless the lobby says so, also next time."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            _, (alone,), _ = await sit(all_tables, "Anna", bots=["easy"])
            assert alone.last("table")["hints"]
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            assert not ben.last("table")["hints"]
            await ben.ask(protocol.SetOptions(hints=True))
            assert anna.last("table")["hints"]
            await ben.ask(protocol.SetOptions(hints=False))
            await anna.ask(protocol.Start())
            assert await anna.refusal(protocol.AskHint(0, table.dealer.phase)) == "no-hints"
            assert await anna.refusal(protocol.SetOptions(hints=True)) == "not-now"
            table.room.options.hints = True
            after = await all_tables.find(await all_tables.open_next(table.room, [0, 1]))
            assert after is not None
            assert after.room.has_hints

    run(look())


def test_a_hint_stays_noted_when_its_decision_is_taken_back(tmp_path: Path) -> None:
    """The remark outlives a withdrawal, a restart and an undo, and travels with the record."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), tokens = await sit(all_tables, "Anna", "Ben")
            await anna.ask(protocol.SetOptions(hints=True))
            await anna.ask(protocol.Start())
            code = table.room.code
            before = len(lines_of(tmp_path, code))
            await take(ben, 1)
            await ben.ask(protocol.Decide(1, table.dealer.phase, "pass"))
            await take(anna, 0)
            await anna.ask(protocol.Withdraw(0, table.dealer.phase))
            await ben.ask(protocol.Withdraw(1, table.dealer.phase))
            assert lines_of(tmp_path, code)[before:] == ["# hint: 1", "# hint: 0"]
            again = await woken(all_tables, table)
            anna, ben = Guest(again, tokens[0]), Guest(again, tokens[1])
            for guest, seat in ((ben, 1), (anna, 0)):
                await guest.ask(protocol.Decide(seat, again.dealer.phase, "pass"))
            active = again.dealer.game.active if again.dealer.game else 0
            await (anna, ben)[active].ask(protocol.Undo(active, again.dealer.phase))
            await (ben, anna)[active].ask(protocol.AgreeUndo(yes=True))
            lines = lines_of(tmp_path, code)[before:]
            assert sorted(lines[:2]) == ["# hint: 0", "# hint: 1"]
            assert lines[2:] == [f"# taken back: {active} pass", f"{1 - active} pass"]
            moments = list(ledger.moments(again.room, lines_of(tmp_path, code)))
            told = [Hinted(1), Hinted(0), TakenBack(active)]
            assert [moment.asides for moment in moments if moment.asides] == [tuple(told)]
            assert asides_told_by(await newcomer(again)) == told  # whoever comes hears of it
            assert asides_told_by(await newcomer(await woken(all_tables, again))) == told  # after a restart too
            text = ledger.text(again.room, lines_of(tmp_path, code))
            assert "# hint: 1" in bringing.lines_of(text, read_record(text))

    run(look())


def _nobody(*_: object, **__: object) -> None:
    raise QwixxError("Nobody has learned this game.")


def test_too_much_is_refused_and_trouble_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When too many wait nothing is noted; what nobody has learned is said, and the game goes on."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, _ = await sit(all_tables, "Anna", "Ben", variant="cards-joker")
            await guests[0].ask(protocol.SetOptions(hints=True))
            await guests[0].ask(protocol.Start())
            assert table.dealer.game is not None
            seat = table.dealer.game.active
            monkeypatch.setattr(hinting, "_MOST", 0)
            assert await guests[seat].refusal(protocol.AskHint(seat, table.dealer.phase)) == "busy"
            assert await guests[1 - seat].refusal(protocol.AskHint(1 - seat, table.dealer.phase)) == "not-your-turn"
            assert not [line for line in lines_of(tmp_path, table.room.code) if ledger.is_hint(line)]
            monkeypatch.setattr(hinting, "_MOST", 1)
            monkeypatch.setattr(hints, "find_judge", _nobody)
            await guests[seat].ask(protocol.AskHint(seat, table.dealer.phase))
            await until(lambda: guests[seat].last("error")["code"] == "no-hint")

    run(look())


def test_a_hint_need_not_wait_for_the_compiler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as nothing is compiled a worker gives it, which interprets the rules: the same choices, best first."""
    monkeypatch.setattr(hints, "is_compiled_for", lambda _judge: False)

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            for variant in ("bonus-a", "cards-joker"):
                table, guests, _ = await sit(all_tables, "Anna", "Ben", variant=variant)
                await guests[0].ask(protocol.SetOptions(hints=True))
                await guests[0].ask(protocol.Start())
                game = table.dealer.game
                assert game is not None
                seat = game.deciders()[0]
                slowly = await take(guests[seat], seat)
                assert slowly == json.loads(protocol.encode(message_of(hint(game, seat), table.dealer.phase)))

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
            told = [protocol.encode(message_of(hint(world, seat), 1)) for world in worlds]
            assert told[0] == told[1], game.phase
        if seen == {"draw", "number", "play"}:
            return
        play_on(game, rng, 1)
    raise AssertionError(seen)
