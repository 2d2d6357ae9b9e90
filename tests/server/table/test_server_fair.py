"""A server commits to its dice before the game and publishes the seed after it, also with a restart between."""

from __future__ import annotations

import random
from pathlib import Path

import httpx
import pytest

from qwixx.fair.commitment import promise_of, verify
from support.server.live_server import click, joined, open_table, run, seated, serving

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", ["longo", "cards-joker"])
def test_a_commitment_is_kept(tmp_path: Path, game: str) -> None:
    """Players set only their own words, in the lobby; the seed is secret until the end; a restart changes nothing."""

    async def play() -> None:
        with serving(tmp_path) as server:
            code, _ = open_table(server, variant=game)
            async with seated(server, code, "Anna", "Ben") as owner, joined(server, code) as watcher:
                promise = watcher.room["promise"]
                await owner.send("words", seat=1, words="  eins\n\tzwei ")
                await owner.until(
                    lambda message: message["t"] == "table" and message["seats"][1]["words"] == "eins zwei"
                )
                assert await watcher.ask("words", seat=0, words="mine") == "not-your-seat"
                await owner.send("start")
                await owner.until("state")
                assert await owner.ask("words", seat=0, words="late") == "not-now"
                assert owner.room["promise"] == promise
                assert owner.room["seed"] == ""
                tokens = owner.tokens
        with serving(tmp_path) as server:
            async with joined(server, code, *tokens) as owner:
                assert owner.room["promise"] == promise
                await click(owner, random.Random(1))
                assert owner.room["stage"] == "over"
                assert promise_of(owner.room["seed"]) == promise
                text = httpx.get(f"http://{server.address}/api/tables/{code}/record", timeout=60).text
                assert verify(text, promise).words == ("", "eins zwei")
                early = [message for message in owner.received if '"outcome":null' in message]
                assert early
                assert not any(owner.room["seed"] in message for message in early)

    run(play())


def test_the_dice_of_a_rematch_are_promised_before_it(tmp_path: Path) -> None:
    """The finished game shows the promise of the next one, takes words for it, and the next table keeps both."""

    async def play() -> None:
        with serving(tmp_path) as server:
            code, _ = open_table(server)
            async with seated(server, code, "Anna", "Ben") as owner, joined(server, code) as watcher:
                await owner.send("words", seat=0, words="first")
                await owner.send("start")
                await click(owner, random.Random(1))
                promise = owner.room["nextPromise"]
                assert promise not in ("", owner.room["promise"])
                assert owner.room["again"] == []
                assert await watcher.ask("words", seat=0, words="mine") == "not-your-seat"
                tokens = owner.tokens
        with serving(tmp_path) as server:
            async with joined(server, code, *tokens) as owner:
                assert owner.room["nextPromise"] == promise  # a restart changes nothing
                await owner.send("words", seat=0, words="again")
                await owner.until(
                    lambda message: message["t"] == "table" and message["seats"][0]["nextWords"] == "again"
                )
                assert owner.room["seats"][0]["words"] == "first"
                await owner.send("rematch")
                following = (await owner.until(lambda message: message["t"] == "table" and message["next"]))["next"]
                assert await owner.ask("words", seat=0, words="late") == "not-now"
            async with joined(server, following, *tokens) as owner:
                assert (owner.room["stage"], owner.room["promise"]) == ("playing", promise)
                await click(owner, random.Random(2))
                assert promise_of(owner.room["seed"]) == promise
                text = httpx.get(f"http://{server.address}/api/tables/{following}/record", timeout=60).text
                assert verify(text, promise).words == ("again", "")
                old = httpx.get(f"http://{server.address}/api/tables/{code}/record", timeout=60).text
                assert verify(old).words == ("first", "")

    run(play())


def test_real_dice_are_not_promised(tmp_path: Path) -> None:
    """Real dice cannot be verified."""

    async def play() -> None:
        with serving(tmp_path) as server:
            code, _ = open_table(server)
            async with seated(server, code, "Anna") as owner:
                assert owner.room["promise"]
                await owner.send("options", realDice=True)
                await owner.until("table")
                assert owner.room["promise"] == ""

    run(play())
