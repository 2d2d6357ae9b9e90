"""Delivery: no message is lost, no unloaded table stays in memory, and no client blocks another."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import gzip
import json
import logging
import random
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import qwixx
from qwixx.game.events import TakenBack
from qwixx.server.base.background_tasks import BackgroundTask
from qwixx.server.base.errors import Refused
from qwixx.server.limits.declared import OWNER_TASKS
from qwixx.server.room import ledger
from qwixx.server.room.room import new_room
from qwixx.server.table import core, registry
from qwixx.server.table.inbox import BotChose, ClientMessage, Inbox, TimeUp, Unload
from qwixx.server.table.registry import Tables
from qwixx.server.wire import message_parts, messages
from qwixx.server.workers import replay_job
from qwixx.server.workers.pools import Pools
from support.server.in_process_tables import Guest, play, sit, some_tables, until
from support.server.live_server import PATIENCE, joined, open_table, run, serving

pytestmark = pytest.mark.slow


# ---- messages that must arrive


def test_spectators_cannot_block_the_clock(tmp_path: Path) -> None:
    """An inbox full of messages of spectators still accepts items of the clock, of bots and of the server."""

    async def look() -> None:
        async with some_tables(tmp_path, inbox=8) as all_tables:
            table, (anna,), _ = await sit(all_tables, "Anna")
            stranger = Guest(table)
            await stranger.settled()
            sent = [stranger.send(messages.Ping()) for _ in range(20)]
            assert sent == [True] * 4 + [False] * 16
            assert [anna.send(messages.Ping()) for _ in range(20)] == [True] * 4 + [False] * 16
            assert table.post(TimeUp(1))
            assert table.post(BotChose(1, 1, "pass"))
            assert table.post(Unload(by_force=True))
            await asyncio.wait([table.ended])

    run(look())


def test_an_inbox_keeps_the_order() -> None:
    """First in, first out, for all kinds of items; a removed client message makes room for another."""
    inbox = Inbox(1)
    assert not inbox
    owner: Any = type("Owner", (), {"seats": (0,)})()
    first = ClientMessage(owner, messages.Ping())
    assert inbox.put(first)
    assert not inbox.put(ClientMessage(owner, messages.Ping()))
    assert inbox.put(TimeUp(3))
    assert [inbox.take(), inbox.take()] == [first, TimeUp(3)]
    assert inbox.put(first)


def test_the_clock_rings_through_a_flood(tmp_path: Path) -> None:
    """A spectator who sends as fast as the table answers does not stop the clock."""

    async def look() -> None:
        async with some_tables(tmp_path, inbox=4) as all_tables:
            table, guests, _ = await sit(all_tables, "Anna", "Ben")
            await guests[0].ask(messages.SetOptions(timer=1))
            await guests[0].ask(messages.Start())
            stranger = Guest(table)
            phase = table.dealer.phase

            async def flood() -> None:
                while table.dealer.phase == phase:
                    while stranger.send(messages.Hello()):
                        pass
                    await asyncio.sleep(0)
                    stranger.transport.received.clear()

            await asyncio.wait_for(flood(), PATIENCE)

    run(look())


# ---- background work


def test_background_work_continues_after_an_error(caplog: pytest.LogCaptureFixture) -> None:
    """Background work that fails is logged once, reported, and tried again; cancelled work starts again."""
    tries: list[int] = []

    async def work() -> None:
        tries.append(1)
        if 1 < len(tries) < 4:
            raise sqlite3.OperationalError("database is locked")

    async def look() -> None:
        background = BackgroundTask("counting", work, lambda: 0.005)
        background.start()
        await until(lambda: len(tries) == 2)
        await until(lambda: background.has_failed)
        await until(lambda: len(tries) > 5)
        assert not background.has_failed
        assert caplog.text.count("background work fails") == 1
        (task,) = [task for task in asyncio.all_tasks() if task.get_name() == "counting"]
        task.cancel()
        begin = len(tries)
        await until(lambda: len(tries) > begin + 2)
        assert "starts again" in caplog.text
        background.stop()
        await until(lambda: not [task for task in asyncio.all_tasks() if task.get_name() == "counting"])

    run(look())


def _sabotage(path: Path, statement: str) -> None:
    with contextlib.closing(sqlite3.connect(path)) as saboteur:
        saboteur.execute(statement)
        saboteur.commit()


def test_health_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While writing fails the server reports it, tables are still unloaded, and afterwards it is healthy again."""
    monkeypatch.setattr(registry, "SWEEP_SECONDS", 0.02)

    def health() -> tuple[int, Any]:
        answer = httpx.get(f"http://{server.address}/healthz")
        return answer.status_code, answer.json()

    async def look() -> None:
        open_table(server, name="Anna")
        _sabotage(
            tmp_path / "tables.db", "CREATE TRIGGER full BEFORE INSERT ON seen BEGIN SELECT RAISE(FAIL, 'full'); END"
        )
        await until(lambda: health()[0] == 503)
        facts = health()[1]
        assert (facts["ok"], facts["troubles"], facts["tables"]) == (False, ["store"], 1)
        await until(lambda: not server.tables.loaded)
        _sabotage(tmp_path / "tables.db", "DROP TRIGGER full")
        await until(lambda: health()[0] == 200)
        assert health()[1]["troubles"] == []

    with serving(tmp_path, idle_minutes=0) as server:
        run(look())


def test_a_disk_that_never_answers_is_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that hangs is reported too."""
    monkeypatch.setattr(registry, "_HEARTBEAT_TIMEOUT", 0.05)

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            monkeypatch.setattr(all_tables.store, "heartbeat", asyncio.get_running_loop().create_future)
            await all_tables.start()
            await until(lambda: all_tables.troubles() == ["store"])

    run(look())


def test_connections_are_counted(tmp_path: Path) -> None:
    """The numbers of `/healthz` are right after refusals, disconnects and unloading."""

    async def look() -> None:
        async with some_tables(tmp_path, max_connections=1) as all_tables:
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            Guest(table)
            await Guest(table, address="192.0.2.9").connection.wait_closed()
            await anna.settled()
            assert all_tables.connections == len(table.connections) == 3
            ben.leave()
            ben.leave()
            await anna.settled()
            assert all_tables.connections == 2
            table.post(Unload(by_force=True))
            await asyncio.wait([table.ended])
            assert all_tables.connections == 0

    run(look())


def test_looking_works_while_nothing_can_be_written(tmp_path: Path) -> None:
    """With a full disk an unloaded table can still be watched."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, _, _ = await sit(all_tables, "Anna")
            table.post(Unload(by_force=True))
            await asyncio.wait([table.ended])
            full = "BEGIN SELECT RAISE(FAIL, 'full'); END"
            _sabotage(tmp_path / "tables.db", f"CREATE TRIGGER full BEFORE UPDATE ON tables {full}")
            again = await all_tables.find(table.room.code)
            assert again is not None
            guest = Guest(again)
            await guest.settled()
            assert guest.last("table")["seats"][0]["name"] == "Anna"

    run(look())


# ---- the next table


def test_a_rematch_can_be_asked_for_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the rematch could not be written, the client gets an error and can ask again."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, _ = await sit(all_tables, "Anna", bots=["easy"], variant="duel")
            await play(table, guests)
            open_rematch = all_tables.open_rematch

            async def locked(room: object, wanting: object) -> str:
                raise sqlite3.OperationalError("database is locked")

            monkeypatch.setattr(all_tables, "open_rematch", locked)
            guests[0].send(messages.Rematch())
            await until(lambda: any(message.get("code") == "trouble" for message in guests[0].transport.received))
            monkeypatch.setattr(all_tables, "open_rematch", open_rematch)
            guests[0].send(messages.Rematch())
            await until(lambda: table.room.next)

    run(look())


# ---- memory


@pytest.fixture
def no_collector() -> Iterator[None]:
    """Switch the garbage collector off: objects are freed only by reference counts."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("way", ["left alone", "by force", "failing"])
def test_a_table_that_leaves_memory_is_freed(
    way: str, tmp_path: Path, no_collector: None, caplog: pytest.LogCaptureFixture
) -> None:
    """Without the garbage collector a table, its game and its parts are freed when it is unloaded."""
    caplog.set_level(logging.CRITICAL)

    async def come_and_go(all_tables: Tables) -> list[weakref.ref[Any]]:
        table, guests, _ = await sit(all_tables, "Anna", bots=["easy"])
        guests.append(Guest(table))
        await guests[0].ask(messages.SetOptions(timer=60))
        await play(table, guests)
        parts = (table, table.dealer, table.dealer.game, table.bot_turns, table.clock, table.inbox)
        if way == "left alone":
            for guest in guests:
                guest.leave()
            await until(lambda: not table.connections)
            all_tables.unload_idle()
        elif way == "by force":
            table.post(Unload(by_force=True))
        else:
            fail = "BEGIN SELECT RAISE(FAIL, 'full'); END"
            _sabotage(tmp_path / "tables.db", f"CREATE TRIGGER full BEFORE UPDATE ON tables {fail}")
            guests[0].send(messages.Rename(0, "Bea"))
        await asyncio.wait([table.ended])
        for guest in guests:
            del guest.table  # the reference of the test itself
        return [weakref.ref(part) for part in parts]

    async def look() -> None:
        async with some_tables(tmp_path, idle_minutes=0) as all_tables:
            known = await come_and_go(all_tables)
            await until(lambda: all(ref() is None for ref in known))
            assert all_tables.loaded == {}

    run(look())


def test_sockets_do_not_keep_a_table(tmp_path: Path, no_collector: None) -> None:
    """A closed real socket does not keep a table in memory either."""

    async def look() -> None:
        code, token = open_table(server, name="Anna", bots=["easy"])
        async with joined(server, code, token) as anna:
            await anna.send("start")
            await anna.until("state")
            known = weakref.ref(server.tables.loaded[code])
        await until(lambda: not server.tables.loaded)
        await until(lambda: known() is None)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "SWEEP_SECONDS", 0.02)
        with serving(tmp_path, idle_minutes=0) as server:
            run(look())


@pytest.mark.parametrize("day", ["", "2026-11-16"])
def test_a_cancelled_commit_blocks_no_table(
    day: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Tables share a commit; a table whose commit was cancelled is unloaded, and can be loaded again."""
    caplog.set_level(logging.CRITICAL)

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna,), _ = await sit(all_tables, "Anna")
            table.room.day = day
            given_up = asyncio.get_running_loop().create_future()
            asked: list[object] = []

            def write(*what: object) -> asyncio.Future[None]:
                asked.append(what)
                return given_up

            monkeypatch.setattr(all_tables.store, "write", write)
            anna.send(messages.Rename(0, "Bea"))
            await until(lambda: asked)
            given_up.cancel()
            await asyncio.wait_for(asyncio.shield(table.ended), PATIENCE)
            monkeypatch.undo()
            again = await all_tables.find(table.room.code)
            assert again is not None
            assert [seat.name for seat in again.room.seats] == ["Anna"]

    run(look())


# ---- changes of mind


def _lines(path: Path, code: str) -> list[str]:
    with contextlib.closing(sqlite3.connect(path)) as database:
        return [line for (line,) in database.execute("SELECT line FROM ledger WHERE code = ? ORDER BY step", (code,))]


def test_the_ledger_keeps_only_the_last_choice(tmp_path: Path) -> None:
    """However often players change their choices, the ledger has one line for each, and the last one is on disk."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, tokens = await sit(all_tables, "Anna", "Ben")
            await guests[0].ask(messages.Start())
            game = table.dealer.game
            assert game is not None
            phase = table.dealer.phase
            before = len(_lines(tmp_path / "tables.db", table.room.code))
            legal = [str(action) for action in game.legal(0)]
            for turn in range(20):
                await guests[0].ask(messages.Decide(0, phase, legal[turn % 2]))
            guests[0].send(messages.Decide(0, phase, legal[0]))  # several in one commit
            guests[0].send(messages.Decide(0, phase, legal[1]))
            guests[0].send(messages.Decide(0, phase, "pass"))
            await guests[0].settled()
            assert _lines(tmp_path / "tables.db", table.room.code)[before:] == ["0 pass"]
            table.post(Unload(by_force=True))
            await asyncio.wait([table.ended])
            again = await all_tables.find(table.room.code)
            assert again is not None
            assert again.dealer.core.choices() == {0: "pass"}
            assert again.dealer.phase == phase
            anna, ben = Guest(again, tokens[0]), Guest(again, tokens[1])
            await anna.ask(messages.Decide(0, phase, legal[0]))
            await ben.ask(messages.Decide(1, phase, "pass"))
            assert _lines(tmp_path / "tables.db", table.room.code)[before:][:2] == [f"0 {legal[0]}", "1 pass"]

    run(look())


def test_a_choice_is_undone_while_the_window_is_open(tmp_path: Path) -> None:
    """Choices of others stay; the ledger keeps what counts, also after a restart; a closed window stays closed."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, tokens = await sit(all_tables, "Anna", "Ben", "Cleo")
            await guests[0].ask(messages.Start())
            code, phase = table.room.code, table.dealer.phase
            before = len(_lines(tmp_path / "tables.db", code))
            for seat in (0, 1):
                await guests[seat].ask(messages.Decide(seat, phase, "pass"))
            guests[2].send(messages.Withdraw(2, phase))  # nothing was chosen: nothing happens
            guests[1].send(messages.Withdraw(0, phase))
            await guests[0].ask(messages.Withdraw(0, phase))
            assert table.dealer.core.choices() == {1: "pass"}
            assert _lines(tmp_path / "tables.db", code)[before:] == ["1 pass"]
            assert table.dealer.game is not None
            assert table.dealer.game.deciders() == (0, 2)
            await guests[0].ask(messages.Decide(0, phase, "pass"))
            table.post(Unload(by_force=True))
            await asyncio.wait([table.ended])
            again = await all_tables.find(code)
            assert again is not None
            guests = [Guest(again, token) for token in tokens]
            await guests[1].ask(messages.Withdraw(1, phase))
            assert _lines(tmp_path / "tables.db", code)[before:] == ["0 pass"]
            guests[1].send(messages.Decide(1, phase, "pass"))  # all of this in one commit
            guests[1].send(messages.Withdraw(1, phase))
            guests[1].send(messages.Decide(1, phase, "pass"))
            await guests[2].ask(messages.Decide(2, phase, "pass"))
            assert _lines(tmp_path / "tables.db", code)[before:][:3] == ["0 pass", "1 pass", "2 pass"]
            assert again.dealer.phase == phase + 1
            await guests[0].ask(messages.Withdraw(0, phase))
            assert again.dealer.phase == phase + 1

    run(look())


def test_a_change_of_mind_of_an_old_ledger() -> None:
    """Old ledgers with replaced choices continue from the last one, and replays do not show the others."""
    game = qwixx.Game("classic", 2, seed=4, first=0)
    room_lines: list[str] = []
    luck = random.Random(1)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
            room_lines.append(str(game.last_step))
            continue
        for seat in game.deciders():
            phase = game.turn, game.phase
            legal = [str(action) for action in game.legal(seat)]
            if len(game.deciders()) > 1:  # another seat still has to choose, so this can be undone
                for _ in range(3):
                    game.decide(seat, luck.choice(legal))
                    room_lines.append(str(game.last_step))
            game.decide(seat, luck.choice(legal))
            room_lines.append(str(game.last_step))
            if game.is_over or (game.turn, game.phase) != phase:
                break
    room = new_room("classic", "")
    room.seed = ""  # as tables of that time have none
    for name in ("Anna", "Ben"):
        room.add_person(name, name)
    room.stage, room.opening = "over", ledger.opening(qwixx.Game("classic", 2, first=0))
    text = replay_job.record(room, room_lines)
    assert qwixx.Game.from_record(text).scores() == game.scores()
    shown = replay_job.replay(room, room_lines)
    steps = [frame.step for frame in shown.frames[1:]]
    assert steps == text.splitlines()[4:-1]
    assert len(steps) < len(room_lines) * 0.6
    assert shown.outcome.scores == game.scores()
    replay = replay_job.replay(room, [*room_lines[:5], "# taken back: 1 r4", *room_lines[5:]])
    assert [event.word for frame in replay.frames for event in frame.events if event.word == "undone"] == ["undone"]
    remarked = replay_job.record(room, [room_lines[0], "# taken back: 1 r4", *room_lines[1:]]).splitlines()
    assert remarked[:6] == [*text.splitlines()[:5], "# taken back: 1 r4"]
    assert [line for line in remarked if not line.startswith("#")] == text.splitlines()
    taken_back = next(n for n in range(1, len(room_lines)) if room_lines[n][0] == room_lines[n - 1][0] == "0")
    room.stage = "playing"
    resumed = core.resume(room, room_lines[: taken_back + 1])
    assert resumed.game is not None
    other = next(text for text in map(str, resumed.game.legal(0)) if f"0 {text}" != room_lines[taken_back])
    change = resumed.decide(0, resumed.phase, other)
    assert (change.lines, change.cut) == ((f"0 {other}",), taken_back)


# ---- decisions that are taken back afterwards


@pytest.mark.parametrize("declined", [True, False])
def test_nobody_undoes_a_decision_while_a_person_reconnects(declined: bool, tmp_path: Path) -> None:
    """A person who is away for a moment has to agree, too, until the grace time is over; a no holds for the phase."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, _ = await sit(all_tables, "Anna", "Ben")
            await guests[0].ask(messages.Start())
            dealer = table.dealer
            assert dealer.game is not None
            active = dealer.game.active
            other = 1 - active
            await guests[active].ask(messages.Decide(active, dealer.phase, "pass"))
            await guests[other].ask(messages.Decide(other, dealer.phase, "pass"))
            phase = dealer.phase
            if declined:
                await guests[active].ask(messages.Undo(active, phase))
                await guests[other].ask(messages.AgreeUndo(yes=False))
            guests[other].leave()
            await guests[active].ask(messages.Undo(active, phase))
            assert dealer.phase == phase
            waiting = message_parts.UndoRequest(active, [other])
            assert table.pending_undo.message() == (None if declined else waiting)
            table.presence.seconds_away = lambda seat: table.settings.grace_seconds + 1  # type: ignore[method-assign]
            await guests[active].ask(messages.Undo(active, phase))
            assert (dealer.game.phase, dealer.phase == phase) == (("color", True) if declined else ("white", False))

    run(look())


def test_a_decision_is_undone_if_all_agree(tmp_path: Path) -> None:
    """After its window, before the next roll; choices of others stay, and the undone one is a remark."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, tokens = await sit(all_tables, "Anna", "Ben")
            await guests[0].ask(messages.Start())
            code, dealer = table.room.code, table.dealer
            assert dealer.game is not None
            active = dealer.game.active
            other = 1 - active
            before = len(_lines(tmp_path / "tables.db", code))
            assert dealer.core.undoable() == []
            cell = str(dealer.game.legal(active)[0])
            await guests[active].ask(messages.Decide(active, dealer.phase, cell))
            await guests[other].ask(messages.Decide(other, dealer.phase, "pass"))
            phase, position = dealer.phase, dealer.game.position()
            assert (dealer.game.phase, dealer.core.undoable()) == ("color", [0, 1])
            await guests[active].ask(messages.Undo(active, phase))
            assert dealer.game.position() == position  # Ben has not answered
            assert table.pending_undo.message() == message_parts.UndoRequest(active, [other])
            await guests[other].ask(messages.AgreeUndo(yes=True))
            assert (dealer.game.phase, dealer.game.deciders()) == ("white", (active,))
            assert dealer.core.choices() == {other: "pass"}
            assert dealer.phase > phase
            remark = f"# taken back: {active} {cell}"
            assert _lines(tmp_path / "tables.db", code)[before:] == [remark, f"{other} pass"]
            table.post(Unload(by_force=True))
            await asyncio.wait([table.ended])
            again = await all_tables.find(code)
            assert again is not None
            guests = [Guest(again, token) for token in tokens]
            await guests[active].ask(messages.Decide(active, again.dealer.phase, "pass"))
            assert again.dealer.core.undoable() == [0, 1]
            await guests[active].ask(messages.Decide(active, again.dealer.phase, "pass"))
            assert again.dealer.core.undoable() == []  # the next dice are rolled
            await guests[active].ask(messages.Undo(active, again.dealer.phase))
            assert again.pending_undo.message() is None
            lines = _lines(tmp_path / "tables.db", code)
            assert lines[before : before + 4] == [remark, f"{other} pass", f"{active} pass", f"{active} pass"]
            moments = list(ledger.moments(again.room, lines))
            assert [moment.asides for moment in moments[:3]] == [(), (), (TakenBack(active),)]
            assert moments[-1].line == len(lines)

    run(look())


# ---- readers of replays


async def _finished(all_tables: Tables, count: int) -> list[str]:
    codes = []
    for _ in range(count):
        table, guests, _ = await sit(all_tables, "Anna", variant="classic")
        await play(table, guests, lambda legal: "pass" if "pass" in legal else legal[0])
        codes.append(table.room.code)
    return codes


def test_a_replay_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty requests for one game share one computation; later ones use the cache, until a name changes."""
    made: list[str] = []

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            submit = all_tables.pools.submit_to_worker

            async def counted(work: Any, task: Any, owner: str) -> bytes:
                made.append(task.room.code)
                return await submit(work, task, owner)

            monkeypatch.setattr(all_tables.pools, "submit_to_worker", counted)
            (code,) = await _finished(all_tables, 1)
            answers = await asyncio.gather(*(all_tables.finished_games.compressed(code, "replay") for _ in range(40)))
            assert made == [code]
            assert len({data for _, data in answers}) == 1
            assert json.loads(gzip.decompress(answers[0][1]))["names"] == ["Anna"]
            games = all_tables.finished_games
            (_, plain), (_, again) = [await games.uncompressed(code, "replay") for _ in range(2)]
            assert plain == gzip.decompress(answers[0][1])
            assert plain is again, "decompressed once"
            guest = Guest(all_tables.loaded[code])
            guest.connection.keys = [all_tables.loaded[code].room.seats[0].key]
            await guest.ask(messages.Hello())
            all_tables.finished_games.forget(code)
            await all_tables.finished_games.compressed(code, "replay")
            assert made == [code, code]

    run(look())


def test_readers_are_bounded(tmp_path: Path) -> None:
    """The cache has a limit, and so have the pending requests."""

    async def look() -> None:
        async with some_tables(tmp_path, replay_memory=0) as all_tables:
            codes = await _finished(all_tables, 3)
            all_tables.limiter.lower(OWNER_TASKS, 2)
            answers = await asyncio.gather(
                *(all_tables.finished_games.compressed(code, "record") for code in codes), return_exceptions=True
            )
            refused = [answer for answer in answers if isinstance(answer, Refused)]
            assert [answer.code for answer in refused] == ["busy"]
            assert len(all_tables.finished_games.cache) == 0
            assert (await all_tables.finished_games.uncompressed(codes[0], "record"))[1].startswith(b"qwixx record 1")

    run(look())


def test_replays_have_a_limit_per_address(tmp_path: Path) -> None:
    """Replays have a limit per address and minute; with or without compression, the answer is the same."""
    with serving(tmp_path, replays_per_address=3) as server:
        code, token = open_table(server, name="Anna", variant="classic")

        async def game() -> None:
            async with joined(server, code, token) as anna:
                await anna.send("start")
                await anna.until("state")
                while anna.state["outcome"] is None:
                    if anna.state["mine"]["0"]["legal"]:
                        await anna.decide(0, "pass")
                    await anna.until("state")

        run(game())
        address = f"http://{server.address}/api/tables/{code}/replay"
        packed = httpx.get(address, timeout=60)
        assert packed.headers["content-encoding"] == "gzip"
        plain = httpx.get(address, headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.json() == packed.json()
        assert httpx.get(address.replace("replay", "record"), timeout=60).text.startswith("qwixx record 1")
        answer = httpx.get(address)
        assert (answer.status_code, answer.json()) == (429, {"code": "too-fast"})


def test_loading_a_long_game_blocks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a table is loaded, other tables answer."""
    go = threading.Event()
    resume = core.resume

    def slow(room: Any, lines: Any) -> core.Core:
        assert go.wait(PATIENCE)
        return resume(room, lines)

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna,), _ = await sit(all_tables, "Anna", bots=["easy"])
            await anna.ask(messages.Start())
            table.post(Unload(by_force=True))
            await asyncio.wait([table.ended])
            _, (ben,), _ = await sit(all_tables, "Ben")
            monkeypatch.setattr(core, "resume", slow)
            waking = asyncio.create_task(all_tables.find(table.room.code))
            await asyncio.sleep(0.1)
            await ben.settled()
            assert not waking.done()
            go.set()
            woken = await waking
            assert woken is not None
            assert woken.dealer.phase == table.dealer.phase

    run(look())


def test_pools_do_not_wait_for_one_another() -> None:
    """While all threads for replays and guests are busy, a bot still answers."""

    async def look() -> None:
        pools = Pools()
        go = threading.Event()
        busy = [asyncio.create_task(pools.run("replays", go.wait)) for _ in range(5)]
        busy += [asyncio.create_task(pools.run("guests", go.wait)) for _ in range(20)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(pools.run("bots", lambda: "r7"), PATIENCE) == "r7"
        go.set()
        await asyncio.gather(*busy)
        pools.close()

    run(look())
