"""Seats and tokens: no client acts for another, no hidden data is sent, and a reconnect finds the seat."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
from pathlib import Path

import httpx
import pytest

import qwixx
from qwixx.server.room.seats import hash_token
from support.server.live_server import Client, Message, Server, click, joined, open_table, run, seated, serving

pytestmark = pytest.mark.slow


async def _two_people(server: Server, stack: contextlib.AsyncExitStack, **wanted: object) -> tuple[str, Client, Client]:
    code, token = open_table(server, name="Anna", **wanted)
    anna = await stack.enter_async_context(joined(server, code, token))
    ben = await stack.enter_async_context(seated(server, code, "Ben"))
    return code, anna, ben


def test_foreign_seats_and_tokens(tmp_path: Path) -> None:
    """Only the token of a seat can act for it."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack)
            await anna.send("start")
            await anna.until("state")
            await ben.until("state")
            liar = await stack.enter_async_context(joined(server, code, "A" * 32, hash_token(anna.tokens[0])))
            await liar.until("state")
            assert liar.room["mine"] == []
            assert liar.state["mine"] == {}
            for client in (ben, liar):
                assert await client.ask("decide", seat=0, phase=client.state["phase"], action="pass") == "not-your-seat"
                assert await client.ask("why", seat=0, action="r7") == "not-your-seat"
                assert await client.ask("rename", seat=0, name="Eve") == "not-your-seat"
            assert await liar.ask("toBot", seat=0) == "not-your-seat"
            await anna.quiet()
            assert anna.state["mine"]["0"]["choice"] is None
            assert anna.state["view"]["deciders"] == [0, 1]

    with serving(tmp_path) as server:
        run(game())


def test_lobby_rights(tmp_path: Path) -> None:
    """Only seated people set up a table, only the host starts it, and a full or started table is closed."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack, variant="duel")
            watcher = await stack.enter_async_context(joined(server, code))
            for kind, fields in (("addBot", {"level": "easy"}), ("options", {"timer": 30}), ("removeBot", {"seat": 0})):
                assert await watcher.ask(kind, **fields) == "not-your-seat"
            assert await watcher.ask("sit", name="Eve") == "full"
            assert await watcher.ask("start") == "not-host"
            assert await ben.ask("start") == "not-host"
            assert await anna.ask("removeBot", seat=1) == "not-now"
            assert await anna.ask("removeBot", seat=7) == "no-such-seat"
            assert await ben.ask("stand", seat=0) == "not-your-seat"
            assert await anna.ask("options", sheet="gemixxt-a") == "bad-options"
            await ben.send("stand", seat=1)
            await anna.until(lambda m: m["t"] == "table" and len(m["seats"]) == 1)
            assert await anna.ask("start") == "too-few"
            await anna.send("addBot", level="strong")
            await anna.send("start")
            await anna.until("state")
            for kind, fields in (
                ("sit", {"name": "Eve"}),
                ("start", {}),
                ("options", {"timer": 1}),
                ("stand", {"seat": 0}),
            ):
                assert await anna.ask(kind, **fields) == "not-now"

    with serving(tmp_path) as server:
        run(game())


def test_leaving_a_seat_moves_the_others(tmp_path: Path) -> None:
    """When a player leaves a seat, the next seats move up with their tokens."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack)
            await anna.send("stand", seat=0)
            await ben.until(lambda m: m["t"] == "table" and len(m["seats"]) == 1)
            assert (ben.room["mine"], ben.room["host"]) == ([0], 0)
            again = await stack.enter_async_context(joined(server, code, ben.tokens[0], anna.tokens[0]))
            assert again.room["mine"] == [0]
            assert again.room["seats"][0]["name"] == "Ben"

    with serving(tmp_path) as server:
        run(game())


def test_two_tabs_and_a_late_close(tmp_path: Path) -> None:
    """Two tabs with one token both work, and closing the old one does not disconnect the new one."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, token = open_table(server, name="Anna")
            ben = await stack.enter_async_context(seated(server, code, "Ben"))
            async with joined(server, code, token) as old:
                new = await stack.enter_async_context(joined(server, code, token))
                await old.send("start")
                for client in (old, new, ben):
                    await client.until("state")
                await old.decide(0, "pass")
                await new.until(lambda m: m["t"] == "state" and m["mine"]["0"]["choice"] == "pass")
                await new.decide(0, new.state["mine"]["0"]["legal"][0])
                await old.until(lambda m: m["t"] == "state" and m["mine"]["0"]["choice"] not in (None, "pass"))
            await ben.quiet()
            assert ben.room["seats"][0]["here"]
            await new.decide(0, "pass")
            await new.until(lambda m: m["t"] == "state" and m["mine"]["0"]["choice"] == "pass")

    with serving(tmp_path) as server:
        run(game())


def test_everybody_disconnects_and_reconnects(tmp_path: Path) -> None:
    """After a reload during a decision, or after all clients were gone, the game continues."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack)
            await anna.send("start")
            await anna.until("state")
            await anna.decide(0, "pass")
            await anna.until(lambda m: m["t"] == "state" and m["mine"]["0"]["choice"] == "pass")
            await ben.until(lambda m: m["t"] == "state" and m["view"]["deciders"] == [1])
        async with joined(server, code, anna.tokens[0]) as again:
            await again.until("state")
            assert again.state["mine"] == anna.state["mine"]
            assert again.state["view"] == anna.state["view"]
            assert again.state["events"] == []
            assert [seat["here"] for seat in again.room["seats"]] == [True, False]

    with serving(tmp_path) as server:
        run(game())


def test_a_seat_goes_to_a_bot_and_back(tmp_path: Path) -> None:
    """A bot can replace an absent player, not a connected one, and the player can return."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack)
            await anna.send("start")
            await anna.until("state")
            assert await anna.ask("toBot", seat=1) == "still-here"
            await ben.socket.close()
            await anna.until(lambda m: m["t"] == "table" and not m["seats"][1]["here"])
            await anna.send("toBot", seat=1)
            await anna.until(lambda m: m["t"] == "state" and 1 not in m["view"]["deciders"])
            assert anna.room["seats"][1]["kind"] == "bot"
            assert await anna.ask("takeBack", seat=1) == "not-your-seat"
            back = await stack.enter_async_context(joined(server, code, ben.tokens[0]))
            await back.until("state")
            assert back.state["mine"] == {}
            assert await back.ask("decide", seat=1, phase=back.state["phase"], action="pass") == "bot-plays"
            await back.send("takeBack", seat=1)
            await back.until(lambda m: m["t"] == "table" and m["seats"][1]["kind"] == "person")
            await back.until("state")
            assert "1" in back.state["mine"]
            ends = await asyncio.gather(click(anna, random.Random(1)), click(back, random.Random(2)))
            assert ends[0]["outcome"] == ends[1]["outcome"]

    with serving(tmp_path, grace_seconds=0) as server:
        run(game())


# ---- data that nobody may learn


def _strip(data: str, *secrets: str) -> str:
    for secret in secrets:
        data = data.replace(secret, "*")
    return data


def test_sealed_choices_leave_no_trace(tmp_path: Path) -> None:
    """Whatever Anna chooses in a sealed window, Ben and a spectator get the same bytes until all have chosen."""

    async def play(choice: str) -> list[list[str]]:
        while True:  # the first seat is drawn by lot: play until it is Anna's
            async with contextlib.AsyncExitStack() as stack:
                code, anna, ben = await _two_people(server, stack)
                watcher = await stack.enter_async_context(joined(server, code))
                await anna.until(lambda m: m["t"] == "table" and m["watchers"] == 1)
                await ben.quiet()
                await watcher.quiet()
                await anna.send("options", realDice=True)
                await anna.send("start")
                for client in (anna, ben, watcher):
                    await client.until("state")
                if anna.state["rollers"] != [0]:
                    continue
                begin = len(ben.received), len(watcher.received)
                await anna.send("roll", dice="34/2615")
                await anna.until("state")
                await anna.decide(0, choice)
                await anna.until(lambda m: m["t"] == "state" and m["mine"]["0"]["choice"] == choice)
                await anna.send("why", seat=0, action="r2")
                await anna.quiet()
                await ben.quiet()
                await watcher.quiet()
                return [[_strip(x, code) for x in c.received[at:]] for c, at in zip((ben, watcher), begin, strict=True)]

    async def compare() -> None:
        received = [await play(choice) for choice in ("r7", "b7", "pass")]
        assert received[0] == received[1] == received[2]
        assert any('"decided"' in data for data in received[0][0])

    with serving(tmp_path) as server:
        run(compare())


def test_no_socket_learns_a_hidden_card(tmp_path: Path) -> None:
    """Every card in every byte sent to a socket is one that its seats hold or that was played before.

    On sheet gemixxt-a no cell has the same text as a card, so that every such word is a card.
    """

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack, variant="cards-joker", sheet="gemixxt-a")
            watcher = await stack.enter_async_context(joined(server, code))
            await anna.send("start")
            watching = asyncio.create_task(click(watcher, random.Random(0)))
            await asyncio.gather(click(anna, random.Random(1)), click(ben, random.Random(2)), watching)
            record = httpx.get(f"http://{server.address}/api/tables/{code}/record", timeout=60).text
            held: list[set[str]] = [set(), set()]
            for moment in qwixx.Game.replay(record):
                for sheet in moment.reveal().sheets:
                    held[sheet.seat] |= set(sheet.hand or ())
            for client, own in ((anna, held[0]), (ben, held[1]), (watcher, set[str]())):
                assert _cards_received(client) <= own, "a card was seen that this seat never held"

    with serving(tmp_path) as server:
        run(game())


def _cards_received(client: Client) -> set[str]:
    """Return all cards in the messages of a client before they were played, from the raw bytes."""
    seen: set[str] = set()
    played: set[str] = set()
    for data in client.received:
        message: Message = json.loads(data)
        if message["t"] == "state" and message["outcome"] is not None:
            break  # when the game is over all cards are open
        for event in message.get("events", ()):
            if event["e"] == "played":
                played |= set(event["cards"])
        # Tokens, the seed and its hash are written in any letters: some read like a card.
        words = _strip(data, *(message[field] for field in ("token", "promise", "seed") if message.get(field)))
        seen |= set(re.findall(r"(?<![a-z])[rygbj](?:[2-9]|1[0-2])(?![0-9a-z])", words)) - played
    return seen


def test_no_seed_and_no_foreign_token_leaves(tmp_path: Path) -> None:
    """No byte sent to a socket contains the token of another client, its hash or, before the end, the seed."""

    async def game() -> None:
        async with contextlib.AsyncExitStack() as stack:
            code, anna, ben = await _two_people(server, stack)
            watcher = await stack.enter_async_context(joined(server, code))
            await anna.send("start")
            watching = asyncio.create_task(click(watcher, random.Random(0)))
            await asyncio.gather(click(anna, random.Random(1)), click(ben, random.Random(2)), watching)
            tokens = {anna: anna.tokens[0], ben: ben.tokens[0], watcher: "none"}
            for client in tokens:
                received = "".join(client.received)
                for other, token in tokens.items():
                    assert other is client or token not in received or token == "none"
                    assert hash_token(token) not in received
                before = [message for message in client.received if '"stage":"over"' not in message]
                assert len(before) > 10
                assert client.room["seed"]
                assert not any(client.room["seed"] in message for message in before), "sent only when the game is over"
                assert '"rng"' not in received

    with serving(tmp_path) as server:
        run(game())


def test_record_and_replay_only_when_over(tmp_path: Path) -> None:
    """A game in progress gives away neither its record nor a replay."""
    with serving(tmp_path) as server:
        code, token = open_table(server, variant="cards", name="Anna", bots=["normal"])

        async def begin() -> None:
            async with joined(server, code, token) as anna:
                await anna.send("start")
                await anna.until("state")

        run(begin())
        for what in ("record", "replay"):
            answer = httpx.get(f"http://{server.address}/api/tables/{code}/{what}")
            assert (answer.status_code, answer.json()) == (409, {"code": "not-now"})


def test_tokens_are_stored_hashed(tmp_path: Path) -> None:
    """The database file does not reveal the token of a seat."""
    with serving(tmp_path) as server:
        _, token = open_table(server, name="Anna")
        assert token is not None
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in stored
    assert hash_token(token).encode() in stored
