"""Players seal their words before anybody opens any: a person who knows the seed and all other words cannot steer."""

from __future__ import annotations

from pathlib import Path

import pytest

from qwixx.fair.commitment import Fair, seal_of, verify
from qwixx.server.room import ledger
from qwixx.server.table.inbox import RollDue, Unload
from qwixx.server.wire import messages
from support.server.in_process_tables import Guest, play, sit, some_tables, until
from support.server.live_server import run

ANNA, BEN, CLEO = (f"{digit * 32} {name}" for digit, name in zip("abc", ("anna", "ben", "cleo"), strict=True))


async def seal(guests: list[Guest], *words: str) -> None:
    """Seal words for the first seats."""
    for seat, text in enumerate(words):
        await guests[seat].ask(messages.SealWords(seat, seal_of(text)))


def test_nobody_chooses_words_after_seeing_those_of_others(tmp_path: Path) -> None:
    """Cleo knows the seed, waits for all words, and then tries to replace her seal or to open other words."""

    async def attack() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben, cleo), _ = await sit(tables, "Anna", "Ben", "Cleo")
            await seal([anna, ben, cleo], ANNA, BEN, CLEO)
            seen = "".join(map(str, cleo.transport.received))
            assert seal_of(ANNA) in seen
            assert ANNA not in seen  # before the start nobody has words, not even the server
            await anna.ask(messages.Start())
            assert cleo.last("table")["locked"]
            await anna.ask(messages.OpenWords(0, ANNA))
            await ben.ask(messages.OpenWords(1, BEN))
            tries = (f"{number:032x} cleo" for number in range(1000))
            wanted = next(text for text in tries if Fair(table.room.seed, (ANNA, BEN, text)).first(3) == 2)
            assert await cleo.refusal(messages.SealWords(2, seal_of(wanted))) == "not-now"
            assert await cleo.refusal(messages.OpenWords(2, wanted)) == "unreadable"
            assert await cleo.refusal(messages.OpenWords(0, wanted)) == "not-your-seat"
            assert await cleo.refusal(messages.Stand(2)) == "not-now"
            assert await anna.refusal(messages.Move(0, 2)) == "not-now"
            assert await anna.refusal(messages.Remove(2)) == "not-now"
            assert await anna.refusal(messages.SetOptions(real_dice=True)) == "not-now"
            assert await Guest(table).refusal(messages.Sit("Dora")) == "not-now"
            assert table.dealer.game is None
            await cleo.ask(messages.OpenWords(2, CLEO))
            assert table.room.stage == "playing"
            assert table.room.opening["first"] == str(Fair(table.room.seed, (ANNA, BEN, CLEO)).first(3))

    run(attack())


def test_words_that_are_not_opened_are_left_out_and_noted(tmp_path: Path) -> None:
    """Ben refuses. He can choose between two seeds, with his words and without, and the record shows his choice."""

    async def refuse() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), _ = await sit(tables, "Anna", "Ben")
            await seal([anna, ben], ANNA, BEN)
            await anna.ask(messages.Start())
            await anna.ask(messages.OpenWords(0, ANNA))
            assert table.dealer.game is None
            table.post(RollDue(0))
            await until(lambda: table.room.stage == "playing")
            assert await ben.refusal(messages.OpenWords(1, BEN)) == "not-now"
            seats = ben.last("table")["seats"]
            assert [(each["words"], each["seal"]) for each in seats] == [("anna", seal_of(ANNA)), ("", seal_of(BEN))]
            await play(table, [anna, ben])
            stored = await tables.store.read(table.room.code)
            assert stored is not None
            assert table.dealer.game is not None
            found = verify(ledger.record_text(*stored, table.dealer.game.scores()))
            assert (found.words, found.left_out) == (("anna", ""), (1,))

    run(refuse())


def test_the_start_does_not_wait_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock starts the game, also at a table that was loaded again meanwhile, as after a crash."""

    async def wait() -> None:
        async with some_tables(tmp_path) as tables:
            table, (anna, ben), tokens = await sit(tables, "Anna", "Ben")
            await seal([anna, ben], ANNA)
            await anna.ask(messages.Start())
            table.post(Unload(by_force=True))
            await table.ended
            monkeypatch.setattr("qwixx.server.table.table.OPENING_SECONDS", 0.001)
            again = await tables.find(table.room.code)
            assert again is not None
            Guest(again, *tokens)
            await until(lambda: again.room.stage == "playing")
            assert (again.room.words, again.room.seals) == (["", ""], [seal_of(ANNA), ""])

    run(wait())


def test_what_cannot_start_is_not_locked(tmp_path: Path) -> None:
    """Without enough people nothing is locked; with real dice, or without words, nothing has to be opened."""

    async def start() -> None:
        async with some_tables(tmp_path) as tables:
            duel, (anna,), _ = await sit(tables, "Anna", variant="duel")
            await seal([anna], ANNA)
            assert await anna.refusal(messages.Start()) == "too-few"
            assert not duel.room.locked
            for option in (messages.SetOptions(real_dice=True), messages.SealWords(0, "")):
                table, (anna, _), _ = await sit(tables, "Anna", "Ben")
                await seal([anna], ANNA)
                await anna.ask(option)
                await anna.ask(messages.Start())
                assert table.room.stage == "playing"
            table, (anna,), _ = await sit(tables, "Anna")
            assert await anna.refusal(messages.SealWords(0, "x" * 64)) == "unreadable"
            line_break = f"{'a' * 32} one\u2028two"
            await anna.ask(messages.SealWords(0, seal_of(line_break)))
            await anna.ask(messages.Start())
            assert await anna.refusal(messages.OpenWords(0, line_break)) == "unreadable"

    run(start())
