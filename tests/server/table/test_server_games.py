"""Whole games over sockets: every variant, by clients that choose legal actions and know no rules."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path

import httpx
import msgspec
import pytest

import qwixx
from qwixx.players import find
from qwixx.server.wire.messages import FromServer
from qwixx.server.workers.replay_job import Replay
from support.server.live_server import Client, click, joined, open_table, run, seated, serving

pytestmark = pytest.mark.slow

CHANCE = ("roll", "deal", "shuffle")
STRICT = msgspec.json.Decoder(FromServer)


def _check_forms(client: Client) -> None:
    """Every message has exactly the form of the generated types."""
    for data in client.received:
        assert msgspec.json.decode(data) == msgspec.json.decode(msgspec.json.encode(STRICT.decode(data)))


@pytest.mark.parametrize("variant", qwixx.games())
def test_two_clients_play_a_whole_game(variant: str, tmp_path: Path) -> None:
    """Two people at two devices finish a game of every variant, and its record replays to the scores they saw."""

    async def game() -> None:
        code, token = open_table(server, variant=variant, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
            await anna.until(lambda m: m["t"] == "table" and len(m["seats"]) == 2)
            await anna.send("start")
            ends = await asyncio.gather(click(anna, random.Random(1)), click(ben, random.Random(2)))
            assert ends[0]["outcome"] == ends[1]["outcome"]
            _check_forms(anna)
            _check_forms(ben)
        record = httpx.get(f"http://{server.address}/api/tables/{code}/record", timeout=60).text
        again = qwixx.Game.from_record(record)
        assert again.is_over
        assert list(again.scores()) == ends[0]["outcome"]["scores"]
        replay = httpx.get(f"http://{server.address}/api/tables/{code}/replay", timeout=60).json()
        steps = [line for line in record.splitlines() if line[0].isdigit() or line.split()[0] in CHANCE]
        assert [frame["step"] for frame in replay["frames"]] == ["", *steps]
        assert replay["outcome"] == ends[0]["outcome"]
        assert msgspec.json.decode(msgspec.json.encode(msgspec.convert(replay, Replay))) == replay

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.parametrize("sheet", ["gemixxt-a", "gemixxt-b"])
def test_card_game_on_another_sheet(sheet: str, tmp_path: Path) -> None:
    """The card game is played on the sheet that was chosen in the lobby."""

    async def game() -> None:
        code, token = open_table(server, variant="cards-joker", name="Anna", bots=["easy"])
        async with joined(server, code, token) as anna:
            await anna.send("options", sheet=sheet)
            await anna.send("start")
            await click(anna, random.Random(3))
            assert anna.room["sheet"] == sheet
            record = httpx.get(f"http://{server.address}/api/tables/{code}/record", timeout=60).text
            assert f"\nsheet {sheet}\n" in record

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.parametrize("level", ["easy", "normal", "strong", "master"])
def test_bots_of_every_level_finish_a_game(level: str, tmp_path: Path) -> None:
    """A person who always passes finishes a game with four bots of a level, or with one if it plays only two seats."""

    async def game() -> None:
        code, token = open_table(server, name="Anna", bots=[level] * bots)
        async with joined(server, code, token) as anna:
            await anna.send("start")
            end = await click(anna, random.Random(4))
            assert len(end["outcome"]["scores"]) == 1 + bots

    bots = 4 if find(level).plays(qwixx.variant("classic"), 5) else 1
    with serving(tmp_path) as server:
        run(game())


def test_solitaire_and_pass_and_play(tmp_path: Path) -> None:
    """One device plays solitaire, and one device plays for three people."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna:
            await anna.send("start")
            await click(anna, random.Random(5))
        code, _ = open_table(server)
        async with seated(server, code, "Anna", "Ben", "Cleo") as device:
            await device.send("start")
            end = await click(device, random.Random(6))
            assert device.room["mine"] == [0, 1, 2]
            assert set(end["mine"]) == {"0", "1", "2"}

    with serving(tmp_path) as server:
        run(game())


def test_real_dice(tmp_path: Path) -> None:
    """With real dice only the active seat enters the roll, and an invalid roll is refused."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
            await anna.send("options", realDice=True)
            await anna.send("start")
            await anna.until("state")
            await ben.until("state")
            active, other = (anna, ben) if anna.state["rollers"] == [0] else (ben, anna)
            assert await other.ask("roll", dice="34/2615") == "not-your-turn"
            assert await active.ask("roll", dice="dice") == "unreadable"
            assert await active.ask("roll", dice="34/261-") == "illegal"
            await active.send("roll", dice="34/2615")
            await active.until(lambda m: m["t"] == "state" and m["view"]["dice"] == "34/2615")
            assert active.state["rollers"] == []
            assert await active.ask("roll", dice="34/2615") == "not-your-turn"

    with serving(tmp_path) as server:
        run(game())


def test_lucky_numbers_by_hand_and_by_lot(tmp_path: Path) -> None:
    """The lucky numbers of Longo are the chosen ones, or different random pads."""

    async def game() -> None:
        for lucky in (["6/11", "5/8"], None):
            code, token = open_table(server, variant="longo", name="Anna", bots=["normal"])
            async with joined(server, code, token) as anna:
                assert await anna.ask("options", lucky=["6/11", "99/1"]) == "bad-options"
                await anna.send("options", lucky=lucky)
                await anna.send("start")
                await anna.until("state")
                pairs = [sheet["lucky"] for sheet in anna.state["view"]["sheets"]]
                assert pairs == [[6, 11], [5, 8]] if lucky else pairs[0] != pairs[1]

    with serving(tmp_path) as server:
        run(game())


def test_open_and_sealed_window(tmp_path: Path) -> None:
    """In an open window a choice is shown to all immediately; a changed choice replaces it."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben") as ben:
            await anna.send("options", sealed=False)
            await anna.send("start")
            await anna.until("state")
            await ben.until("state")
            first, second = anna.state["mine"]["0"]["legal"][:2]
            await anna.decide(0, first)
            await ben.until(lambda m: m["t"] == "state" and m["choices"] == {"0": first})
            await anna.decide(0, second)
            await ben.until(lambda m: m["t"] == "state" and m["choices"] == {"0": second})
            assert ben.state["mine"]["1"]["choice"] is None

    with serving(tmp_path) as server:
        run(game())


def test_simultaneous_decisions_all_count(tmp_path: Path) -> None:
    """Five people decide at the same time, and no decision is lost."""

    async def game() -> None:
        code, token = open_table(server, name="P0")
        async with (
            joined(server, code, token) as a,
            seated(server, code, "P1") as b,
            seated(server, code, "P2") as c,
            seated(server, code, "P3") as d,
            seated(server, code, "P4") as e,
        ):
            clients = [a, b, c, d, e]
            await a.send("start")
            for client in clients:
                await client.until("state")
            action = a.state["mine"]["0"]["legal"][0]
            await asyncio.gather(*(client.decide(seat, action) for seat, client in enumerate(clients)))
            for client in clients:
                await client.until(lambda m: m["t"] == "state" and m["view"]["phase"] == "color")
            sheets = a.state["view"]["sheets"]
            assert [sum(row["count"] for row in sheet["rows"]) for sheet in sheets] == [1] * 5

    with serving(tmp_path) as server:
        run(game())


def test_the_timer_decides_for_late_players(tmp_path: Path) -> None:
    """When the time is up, the dealer decides for the others, with a pass if it is legal, and the history shows it."""

    async def game(variant: str) -> None:
        code, token = open_table(server, variant=variant, name="Anna")
        async with joined(server, code, token) as anna, seated(server, code, "Ben"):
            await anna.send("options", timer=1)
            await anna.send("start")
            await anna.until("state")
            assert 0 < anna.state["deadline"] <= 1
            phase = anna.state["phase"]
            await anna.until(lambda m: m["t"] == "state" and m["phase"] > phase)
            assert anna.state["deadline"] is not None
            late = [event["seat"] for event in anna.state["events"] if event["e"] == "late"]
            first = anna.state["view"]["active"]
            assert late == ([0, 1] if variant == "classic" else [first])
            assert "story" not in anna.state
            async with joined(server, code, token) as again:
                await again.until("state")
                words = [event["e"] for event in again.state["story"]]
                assert again.state["story"][0] == {"e": "turn", "seat": first}
                assert words[1:3] == (["rolled", "late"] if variant == "classic" else ["dealt", "late"])
                assert [event["seat"] for event in again.state["story"] if event["e"] == "late"][: len(late)] == late
                assert not {"decided", "phase"} & set(words)

    with serving(tmp_path) as server:
        for variant in ("classic", "cards"):
            run(game(variant))


def test_rematch_with_the_same_people(tmp_path: Path) -> None:
    """After the end one click opens the rematch; the same tokens are valid there, and its game has started."""

    async def game() -> None:
        code, token = open_table(server, name="Anna", bots=["normal"])
        async with joined(server, code, token) as anna, joined(server, code) as watcher:
            assert await anna.ask("rematch") == "not-now"
            await anna.send("start")
            await click(anna, random.Random(7))
            assert await watcher.ask("rematch") == "not-your-seat"
            await anna.send("rematch")
            await anna.send("rematch")
            await anna.until(lambda m: m["t"] == "table" and m["next"])
            await watcher.until(lambda m: m["t"] == "table" and m["next"])
            await anna.quiet()
            following = anna.room["next"]
            assert watcher.room["next"] == following != code
        async with joined(server, following, token) as anna:
            await anna.until("state")
            assert anna.room["mine"] == [0]
            assert [seat["kind"] for seat in anna.room["seats"]] == ["person", "bot"]

    with serving(tmp_path) as server:
        run(game())


@pytest.mark.usefixtures("either_transport")
def test_why_not(tmp_path: Path) -> None:
    """A client that asks why gets a code, the rule and the details for a sentence."""

    async def game() -> None:
        code, token = open_table(server, name="Anna", bots=["normal"])
        async with joined(server, code, token) as anna:
            assert await anna.ask("why", seat=0, action="g2") == "not-now"
            await anna.send("options", realDice=True)
            await anna.send("start")
            await anna.until("state")
            await anna.send("roll", dice="11/2222")
            await anna.send("why", seat=0, action="g2")
            why = await anna.until("why")
            assert (why["code"], why["rule"]) == ("too-few-crosses", "C7")
            assert why["details"] == {"row": "g", "cell": "g2", "need": 5, "have": 0}
            await anna.send("why", seat=0, action="r7")
            assert (await anna.until("why"))["details"] == {"row": "r", "cell": "r7", "sum": 2}
            await anna.send("why", seat=0, action="r2")
            assert (await anna.until("why"))["code"] == "allowed"
            assert await anna.ask("why", seat=0, action="<script>") == "unreadable"
            assert await anna.ask("why", seat=1, action="r2") == "not-your-seat"

    with serving(tmp_path) as server:
        run(game())


def test_the_cost_of_passing(tmp_path: Path) -> None:
    """Passing costs something only where it takes a miss now: in action 2, for a player without a cross this turn."""

    async def game() -> None:
        code, token = open_table(server, name="Anna")
        async with joined(server, code, token) as anna:
            await anna.send("start")
            await anna.until("state")
            assert anna.state["view"]["phase"] == "white"
            await anna.decide(0, "pass")
            await anna.until(lambda m: m["t"] == "state" and m["view"]["phase"] == "color")
            assert (anna.state["mine"]["0"]["passCost"], anna.state["mine"]["0"]["passMiss"]) == (5, True)
            await anna.decide(0, "pass")
            await anna.until(lambda m: m["t"] == "state" and m["view"]["phase"] == "white")
            await anna.decide(0, anna.state["mine"]["0"]["legal"][0])
            await anna.until(lambda m: m["t"] == "state" and m["view"]["phase"] == "color")
            assert (anna.state["mine"]["0"]["passCost"], anna.state["mine"]["0"]["passMiss"]) == (0, False)

    with serving(tmp_path) as server:
        run(game())
