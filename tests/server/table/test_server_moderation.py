"""Moderation: owners can always reach their seats, and no client can block or take over a table."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from qwixx.server.base.errors import Refused
from qwixx.server.room.room import Room
from qwixx.server.room.seats import Seat
from qwixx.server.table import presence
from qwixx.server.table.inbox import Unload
from qwixx.server.wire import messages
from qwixx.server.wire.connection import BANNED, NO_SUCH_TABLE, TABLE_FULL
from support.server.in_process_tables import Guest, play, sit, some_tables, until
from support.server.live_server import Client, click, joined, open_table, run, seated, serving


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        """Start at some time."""
        self.now = 1000.0

    def monotonic(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the clock of presence and dealer."""
    given = Clock()
    monkeypatch.setattr(presence, "time", given)
    monkeypatch.setattr("qwixx.server.table.dealer.time", given)
    return given


def _refusals(guest: Guest) -> list[str]:
    return [message["code"] for message in guest.transport.received if message["t"] == "error"]


# ---- owners first


def test_owners_can_connect_with_any_number_of_spectators(tmp_path: Path) -> None:
    """Spectators have a limit; an owner can always reload."""

    async def look() -> None:
        async with some_tables(tmp_path, max_connections=3) as all_tables:
            table, (anna, ben), tokens = await sit(all_tables, "Anna", "Ben")
            await anna.ask(messages.Start())
            anna.leave()
            watchers = [Guest(table) for _ in range(5)]
            await ben.settled()
            assert [guest.connection.close_code for guest in watchers] == [None] * 3 + [TABLE_FULL] * 2
            assert _refusals(watchers[4]) == ["full"]
            owners = [Guest(table, tokens[0]) for _ in range(12)]
            await owners[-1].settled()
            assert owners[-1].last("table")["mine"] == [0]
            assert [guest.connection.close_code for guest in owners] == [TABLE_FULL] * 4 + [None] * 8
            assert [watcher.connection.close_code for watcher in watchers[:3]] == [None] * 3

    run(look())


def test_an_owner_who_shows_no_token_any_more_is_a_spectator(tmp_path: Path) -> None:
    """Spectators cannot use the connections of owners."""

    async def look() -> None:
        async with some_tables(tmp_path, max_connections=1) as all_tables:
            table, (anna,), tokens = await sit(all_tables, "Anna")
            watcher = Guest(table)
            other = Guest(table, tokens[0])
            await other.settled()
            other.send(messages.Hello([]))
            await anna.settled()
            assert other.connection.close_code == TABLE_FULL
            assert watcher.connection.close_code is None
            other.send(messages.Sit("Eve"))
            await anna.settled()
            assert [seat.name for seat in table.room.seats] == ["Anna"]

    run(look())


def test_a_full_server_loads_the_table_a_player_returns_to(tmp_path: Path) -> None:
    """A full server unloads tables without connections; those with people stay."""

    async def look() -> None:
        async with some_tables(tmp_path, max_tables=2) as all_tables:
            first, (anna,), _ = await sit(all_tables, "Anna")
            first.post(Unload(by_force=True))
            await asyncio.wait([first.ended])
            second, _, _ = await sit(all_tables, "Ben")
            idle, _ = await all_tables.open("classic", "", [], "Carl")
            again = await all_tables.find(first.room.code)
            assert again is not None
            assert set(all_tables.loaded) == {first.room.code, second.room.code}
            Guest(again)
            await until(lambda: again.connections)
            with pytest.raises(Refused, match="too-many-tables"):
                await all_tables.find(idle)
            anna.leave()

    run(look())


# ---- players who have left


def test_a_lost_connection_does_not_lose_the_seat(tmp_path: Path, clock: Clock) -> None:
    """An absent player has half a minute before a bot can take the seat; the own seat can be given immediately."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), tokens = await sit(all_tables, "Anna", "Ben")
            await anna.ask(messages.Start())
            assert await anna.refusal(messages.ToBot(1)) == "still-here"
            ben.leave()
            clock.now += 29.5
            await anna.settled()
            answer = await anna.ask(messages.ToBot(1))
            assert {"t": "error", "code": "too-soon", "details": {"seconds": 30}} in answer
            clock.now += 29.5
            assert await anna.refusal(messages.ToBot(1)) == "too-soon"
            clock.now += 1
            assert await anna.refusal(messages.ToBot(1)) == ""
            assert table.room.seats[1].kind == "bot"
            again = Guest(table, tokens[1])
            assert await again.refusal(messages.TakeBack(1)) == ""
            assert await again.refusal(messages.ToBot(1)) == ""

    run(look())


# ---- players who do not move


def test_people_vote_for_a_bot(tmp_path: Path, clock: Clock) -> None:
    """Without a clock, more than half of the others can give the seat of a player who does not move to a bot."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben, carl), _ = await sit(all_tables, "Anna", "Ben", "Carl")
            await anna.ask(messages.Start())
            phase = table.dealer.phase
            for guest, seat in ((anna, 0), (ben, 1)):
                await guest.ask(messages.Decide(seat, phase, "pass"))
            assert await anna.refusal(messages.Vote(2)) == "too-soon"
            clock.now += 91
            assert await anna.refusal(messages.Vote(1)) == "not-now"  # Ben has moved
            assert await carl.refusal(messages.Vote(2)) == "not-your-seat"
            assert await Guest(table).refusal(messages.Vote(2)) == "not-your-seat"
            for _ in range(2):  # once more does not count twice
                assert await anna.refusal(messages.Vote(2)) == ""
            assert (ben.last("table")["seats"][2]["votes"], table.room.seats[2].kind) == (1, "person")
            assert await ben.refusal(messages.Vote(2)) == ""
            assert table.room.seats[2].kind == "bot"
            await until(lambda: table.dealer.phase > phase)
            assert await carl.refusal(messages.TakeBack(2)) == ""

    run(look())


def test_votes_end_with_the_phase(tmp_path: Path, clock: Clock) -> None:
    """After a move, votes start again in the next phase; with a clock there are none."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, guests, _ = await sit(all_tables, "Anna", "Ben", "Carl")
            await guests[0].ask(messages.Start())
            phase = table.dealer.phase
            clock.now += 100
            await guests[0].ask(messages.Vote(2))
            for seat, guest in enumerate(guests):
                await guest.ask(messages.Decide(seat, phase, "pass"))
            assert table.dealer.phase > phase
            await guests[0].settled()
            assert [seat["votes"] for seat in guests[0].last("table")["seats"]] == [0, 0, 0]
            assert table.dealer.game is not None
            (active,) = table.dealer.game.deciders()
            voter = guests[(active + 1) % 3]
            assert await voter.refusal(messages.Vote(active)) == "too-soon"
            timed, (anna, _), _ = await sit(all_tables, "Anna", "Ben")
            await anna.ask(messages.SetOptions(timer=600))
            await anna.ask(messages.Start())
            clock.now += 100
            assert await anna.refusal(messages.Vote(1)) == "not-now"
            assert anna.last("table")["voteAfter"] == 0
            assert timed.room.seats[1].kind == "person"

    run(look())


def test_of_two_people_one_is_the_majority(tmp_path: Path, clock: Clock) -> None:
    """With one opponent one vote is enough; a player who returns gets the whole time again."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), _ = await sit(all_tables, "Anna", "Ben")
            await anna.ask(messages.SetOptions(real_dice=True))
            await anna.ask(messages.Start())
            assert table.dealer.game is not None
            active = table.dealer.game.active
            people = (anna, ben)
            clock.now += 91
            waiting, slow = people[1 - active], people[active]
            assert await waiting.refusal(messages.Vote(1 - active)) == "not-your-seat"
            assert await slow.refusal(messages.Vote(1 - active)) == "not-now"
            assert await waiting.refusal(messages.Vote(active)) == ""
            assert table.room.seats[active].kind == "bot"
            assert await slow.refusal(messages.TakeBack(active)) == ""
            assert await waiting.refusal(messages.Vote(active)) == "too-soon"

    run(look())


# ---- unwelcome players


def test_the_host_removes_strangers(tmp_path: Path) -> None:
    """From the lobby: a removed person may sit down again; a banned address or token may not connect again."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, eve, carl), tokens = await sit(all_tables, "Anna", "Eve", "Carl")
            for guest in (eve, carl, Guest(table)):
                assert await guest.refusal(messages.Remove(0)) in ("not-host", "not-your-seat")
            assert await anna.refusal(messages.Remove(0)) == "not-now"
            assert await anna.refusal(messages.Remove(7)) == "no-such-seat"
            assert await anna.refusal(messages.Remove(1)) == ""
            await eve.settled()
            assert "removed" in _refusals(eve)
            assert [seat.name for seat in table.room.seats] == ["Anna", "Carl"]
            assert carl.last("table")["mine"] == [1]
            await eve.ask(messages.Sit("Eve"))
            assert await anna.refusal(messages.Remove(2, ban=True)) == ""
            assert eve.connection.close_code == BANNED
            again = Guest(table, address="192.0.2.2")
            moved = Guest(table, eve.last("seated")["token"], address="192.0.2.98")
            owner = Guest(table, tokens[2], address="192.0.2.2")
            other = Guest(table, address="192.0.2.99")
            await anna.settled()
            assert (again.connection.close_code, _refusals(again)) == (BANNED, ["banned"])
            assert (moved.connection.close_code, _refusals(moved)) == (BANNED, ["banned"])
            assert owner.connection.close_code is None
            assert other.connection.close_code is None

    run(look())


def test_a_ban_removes_a_person_from_all_seats(tmp_path: Path) -> None:
    """One ban removes a person from all their seats, and they cannot sit down again."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna,), _ = await sit(all_tables, "Anna")
            eve = Guest(table, address="192.0.2.66")
            for name in ("Eve", "Mallory", "Oscar", "Trudy"):
                await eve.ask(messages.Sit(name))
            assert len(table.room.seats) == 5
            assert await anna.refusal(messages.Remove(2, ban=True)) == ""
            eve.send(messages.Sit("Eve"))
            await anna.settled()
            assert [seat.name for seat in table.room.seats] == ["Anna"]
            assert eve.connection.close_code == BANNED

    run(look())


@pytest.mark.slow
def test_a_ban_during_the_game(tmp_path: Path) -> None:
    """A bot plays for a banned person; their token is not valid any more, also after the end."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, eve), tokens = await sit(all_tables, "Anna", "Eve")
            await anna.ask(messages.Start())
            assert await anna.refusal(messages.Remove(1)) == "not-now"
            assert await eve.refusal(messages.Remove(0, ban=True)) == "not-host"
            assert await anna.refusal(messages.Remove(1, ban=True)) == ""
            assert (table.room.seats[1].kind, table.room.seats[1].name) == ("bot", "")
            again = Guest(table, tokens[1], address="192.0.2.2")
            await anna.settled()
            assert again.connection.close_code == BANNED
            await play(table, [anna, eve])
            after = Guest(table, tokens[1], address="192.0.2.2")
            await after.settled()
            assert after.last("table")["mine"] == []
            assert await anna.refusal(messages.Remove(1, ban=True)) == "not-now"

    run(look())


def test_a_host_with_a_lost_connection_stays_the_host(tmp_path: Path, clock: Clock) -> None:
    """The host stays host during a reload; after the grace time the next person is host."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, eve), _ = await sit(all_tables, "Anna", "Eve")
            anna.leave()
            await eve.settled()
            clock.now += 29
            assert await eve.refusal(messages.Remove(0, ban=True)) == "not-host"
            clock.now += 2
            assert await eve.refusal(messages.Remove(0)) == ""
            assert [seat.name for seat in table.room.seats] == ["Eve"]

    run(look())


def test_people_at_the_address_of_the_host_are_not_locked_out(tmp_path: Path) -> None:
    """At a shared address a ban removes one person and does not lock out the others."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna,), _ = await sit(all_tables, "Anna")
            eve = Guest(table, address="192.0.2.1")
            await eve.ask(messages.Sit("Eve"))
            assert await anna.refusal(messages.Remove(1, ban=True)) == ""
            assert eve.connection.close_code == BANNED
            friend = Guest(table, address="192.0.2.1")
            await friend.settled()
            assert friend.connection.close_code is None

    run(look())


# ---- afterwards


async def _finished(all_tables: Any) -> Any:
    table, guests, tokens = await sit(all_tables, "Anna", "Ben")
    await play(table, guests, lambda legal: "pass" if "pass" in legal else legal[0])
    return table, guests, tokens


@pytest.mark.slow
def test_a_name_is_removed_from_a_finished_game(tmp_path: Path) -> None:
    """Only the owner can remove a name, and only after the game."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), _ = await _finished(all_tables)
            assert b"Anna" in (await all_tables.finished_games.uncompressed(table.room.code, "replay"))[1]
            assert await ben.refusal(messages.ForgetName(0)) == "not-your-seat"
            assert await anna.refusal(messages.ForgetName(0)) == ""
            assert ben.last("table")["seats"][0]["name"] == "—"
            replay = (await all_tables.finished_games.uncompressed(table.room.code, "replay"))[1]
            assert b"Anna" not in replay
            assert b"Ben" in replay
            _, (carl,), _ = await sit(all_tables, "Carl")
            assert await carl.refusal(messages.ForgetName(0)) == "not-now"

    run(look())


@pytest.mark.slow
def test_a_table_is_deleted_by_its_player(tmp_path: Path) -> None:
    """A finished game is deleted with all its data; a game with other players is not."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, ben), _ = await _finished(all_tables)
            code = table.room.code
            await all_tables.finished_games.compressed(code, "replay")
            watcher = Guest(table)
            assert await watcher.refusal(messages.DeleteTable()) == "not-your-seat"
            ben.send(messages.DeleteTable())
            await asyncio.wait([table.ended])
            for guest in (anna, ben, watcher):
                assert guest.connection.close_code == NO_SUCH_TABLE
                assert _refusals(guest)[-1] == "no-such-table"
            assert await all_tables.find(code) is None
            assert all_tables.store.count == 0
            with pytest.raises(Refused, match="no-such-table"):
                await all_tables.finished_games.compressed(code, "replay")

    run(look())


def test_a_table_with_others_is_not_deleted(tmp_path: Path) -> None:
    """Only a solitaire player can delete a running game."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            _, (anna, _), _ = await sit(all_tables, "Anna", "Ben")
            assert await anna.refusal(messages.DeleteTable()) == "not-now"
            table, (carl,), _ = await sit(all_tables, "Carl", bots=["easy"])
            await carl.ask(messages.Start())
            carl.send(messages.DeleteTable())
            await asyncio.wait([table.ended])
            assert await all_tables.find(table.room.code) is None

    run(look())


# ---- hosting, coming late, another game


def names(client: Client) -> list[str]:
    """Return the names at the table, in order."""
    return [seat["name"] for seat in client.room["seats"]]


@pytest.mark.slow
def test_the_host_renames_reorders_and_hands_over(tmp_path: Path) -> None:
    """Only the host may; a named host stays host on any seat."""

    async def look() -> None:
        with serving(tmp_path) as server:
            code, token = open_table(server, name="Anna")
            async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
                assert await ben.ask("rename", seat=0, name="Eve") == "not-host"
                assert await ben.ask("move", seat=1, to=0) == "not-host"
                assert await ben.ask("makeHost", seat=1) == "not-host"
                await anna.send("rename", seat=1, name="Benjamin")
                await anna.send("addBot", level="easy")
                await anna.send("move", seat=2, to=0)
                await anna.until(lambda message: message["t"] == "table" and message["mine"] == [1])
                assert names(anna) == ["", "Anna", "Benjamin"]
                await anna.send("move", seat=2, to=0)
                await anna.until(lambda message: message["t"] == "table" and message["mine"] == [2])
                assert (names(anna), anna.room["host"]) == (["Benjamin", "", "Anna"], 2)
                await anna.send("move", seat=0, to=2)
                await anna.until(lambda message: message["t"] == "table" and message["mine"] == [1])
                assert await anna.ask("move", seat=0, to=3) == "no-such-seat"
                assert await anna.ask("makeHost", seat=0) == "not-now"
                await anna.send("makeHost", seat=2)
                await anna.until(lambda message: message["t"] == "table" and message["host"] == 2)
                assert await anna.ask("start") == "not-host"
                assert await anna.ask("makeHost", seat=1) == "not-host"
                await ben.send("start")
                await anna.until("state")
                assert await ben.ask("move", seat=0, to=1) == "not-now"

    run(look())


@pytest.mark.slow
def test_a_late_player_takes_the_seat_of_a_bot(tmp_path: Path) -> None:
    """Of a bot that replaces no player, and if the host allows it."""

    async def look() -> None:
        with serving(tmp_path, grace_seconds=0) as server:
            code, token = open_table(server, name="Anna", bots=["easy", "easy"])
            async with (
                joined(server, code, token) as anna,
                seated(server, code, "Ben") as ben,
                joined(server, code) as late,
            ):
                await anna.send("start")
                await ben.until("state")
                await ben.send("toBot", seat=3)
                assert await ben.ask("options", late=False) == "not-host"
                assert await anna.ask("options", late=True, timer=30) == "not-now"
                await anna.send("options", late=False)
                await late.until(lambda message: message["t"] == "table" and not message["options"]["late"])
                assert await late.ask("sit", name="Late", seat=1) == "not-now"
                await anna.send("options", late=True)
                await late.until(lambda message: message["t"] == "table" and message["options"]["late"])
                assert await late.ask("sit", name="Late", seat=0) == "not-now"
                assert await late.ask("sit", name="Late", seat=3) == "not-now"
                assert await late.ask("sit", name="Late", seat=4) == "no-such-seat"
                assert await late.ask("sit", name="Anna", seat=2) == "name-taken"
                await late.send("sit", name="Late", seat=2)
                await late.until("seated")
                await late.until(lambda message: message["t"] == "state" and "2" in message["mine"])
                assert (late.room["mine"], names(late)) == ([2], ["Anna", "", "Late", "Ben"])

    run(look())


def test_a_late_player_does_not_see_the_choice_of_the_bot(tmp_path: Path) -> None:
    """The choice of the bot in the open phase is withdrawn, and the newcomer decides."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna,), _ = await sit(all_tables, "Anna", bots=["easy"])
            await anna.ask(messages.Start())
            phase, dealer = table.dealer.phase, table.dealer
            await until(lambda: 1 in dealer.core.choices())
            eve = Guest(table, address="192.0.2.66")
            await eve.ask(messages.Sit("Eve", 1))
            assert (dealer.phase, dealer.core.choices()) == (phase, {})
            assert eve.last("state")["mine"]["1"]["choice"] is None
            assert await eve.refusal(messages.Decide(1, phase, "pass")) == ""

    run(look())


@pytest.mark.parametrize(("variant", "free"), [("classic", [2]), ("cards", []), ("cards-joker", [])])
def test_nobody_takes_the_hand_of_a_bot(variant: str, free: list[int], tmp_path: Path) -> None:
    """In a card game with people a late player would see a hidden hand. Alone against bots there is nobody to harm."""

    async def look() -> None:
        async with some_tables(tmp_path) as all_tables:
            table, (anna, _), _ = await sit(all_tables, "Anna", "Ben", variant=variant, sheet="")
            await anna.ask(messages.AddBot("easy"))
            await anna.ask(messages.Start())
            eve = Guest(table, address="192.0.2.66")
            await eve.settled()
            assert eve.last("table")["lateSeats"] == free
            assert await eve.refusal(messages.Sit("Eve", 2)) == ("" if free else "not-now")

    run(look())


@pytest.mark.slow
def test_a_rematch_waits_for_all_connected_players(tmp_path: Path) -> None:
    """It starts with the last agreement, also when the missing player leaves; or immediately, with a bot for them."""

    async def look(how: str) -> None:
        with serving(tmp_path / how) as server:
            code, token = open_table(server, variant="duel", name="Anna")
            async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
                await anna.send("start")
                await asyncio.gather(*(click(each, random.Random(3)) for each in (anna, ben)))
                await anna.send("rematch")
                message = await ben.until(lambda message: message["t"] == "table" and message["again"])
                assert (message["again"], message["next"]) == ([0], None)
                if how == "yes":
                    await ben.send("rematch")
                elif how == "leaves":
                    await ben.socket.close()
                else:
                    await anna.send("rematch", now=True)
                await anna.until(lambda message: message["t"] == "table" and message["next"])
            async with joined(server, anna.room["next"], *anna.tokens) as again:
                kinds = [seat["kind"] for seat in again.room["seats"]]
                assert (kinds, names(again)) == (["person", "person" if how == "yes" else "bot"], ["Anna", "Ben"])

    for how in ("yes", "leaves", "now"):
        (tmp_path / how).mkdir()
        run(look(how))


@pytest.mark.slow
def test_reactions_are_seen_by_all_and_one_at_a_time(tmp_path: Path) -> None:
    """Only from the own seat; a second reaction right after the first is dropped."""

    async def look() -> None:
        with serving(tmp_path) as server:
            code, token = open_table(server, name="Anna")
            async with joined(server, code, token) as anna, joined(server, code) as watcher:
                assert await watcher.ask("react", seat=0, sign="wow") == "not-your-seat"
                assert await anna.ask("react", seat=0, sign="rude") == "unreadable"
                await anna.send("react", seat=0, sign="wow")
                await anna.send("react", seat=0, sign="ouch")
                assert await watcher.until("reaction") == {"t": "reaction", "seat": 0, "sign": "wow"}
                await anna.quiet()
                await watcher.quiet()
                assert sum('"reaction"' in message for message in watcher.received) == 1

    run(look())


def test_a_table_forgets_people_who_left() -> None:
    """People who sit down and leave without end, or are banned, do not fill the memory of a table."""
    room = Room("ABCDEFGH", "classic", seats=[Seat("Anna", key="anna"), Seat("Ben", key="0")])
    noted = presence.Presence(room)
    for number in range(300):
        room.seats[1].key = str(number)
        noted.update(room, {0})
        noted.returned(room.seats[1])
        assert noted.may_react(room.seats[1])
        noted.ban([f"192.0.2.{number}"], [f"key {number}"])
    noted.update(room, {0})
    assert set(noted._left) == set(noted._returned) == set(noted._reacted) == {"299"}
    assert (len(noted.banned), len(noted.banned_keys)) == (100, 100)
    assert noted.is_banned("", ["key 200"])
    assert not noted.is_banned("192.0.2.199", ["key 199"])
