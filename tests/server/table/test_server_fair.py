"""A server commits to its dice before the game and publishes the seed after it, also with a restart between."""

from __future__ import annotations

import random
from pathlib import Path

import httpx
import pytest

from qwixx.fair.commitment import promise_of, seal_of, verify
from support.server.live_server import click, joined, open_table, run, seated, serving

pytestmark = pytest.mark.slow
EINS, ZWEI = f"{'0' * 32} eins", f"{'1' * 32} zwei"


@pytest.mark.parametrize("game", ["longo", "cards-joker"])
def test_a_commitment_is_kept(tmp_path: Path, game: str) -> None:
    """Players set only their own words, in the lobby; the seed is secret until the end; a restart changes nothing."""

    async def play() -> None:
        with serving(tmp_path) as server:
            code, _ = open_table(server, variant=game)
            async with seated(server, code, "Anna", "Ben") as owner, joined(server, code) as watcher:
                promise = watcher.room["promise"]
                await owner.send("sealWords", seat=1, seal=seal_of(EINS))
                await watcher.until(
                    lambda message: message["t"] == "table" and message["seats"][1]["seal"] == seal_of(EINS)
                )
                assert await watcher.ask("sealWords", seat=0, seal=seal_of(ZWEI)) == "not-your-seat"
                await owner.send("start")
                await owner.until(lambda message: message["t"] == "table" and message["locked"])
                assert await owner.ask("sealWords", seat=0, seal=seal_of(ZWEI)) == "not-now"
                await owner.send("openWords", seat=1, words=EINS)
                await owner.until("state")
                assert await owner.ask("sealWords", seat=0, seal=seal_of(ZWEI)) == "not-now"
                assert owner.room["seats"][1]["words"] == "eins"
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
                assert verify(text, promise).words == ("", "eins")
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
                await owner.send("sealWords", seat=0, seal=seal_of(EINS))
                await owner.send("start")
                await owner.send("openWords", seat=0, words=EINS)
                await click(owner, random.Random(1))
                promise = owner.room["nextPromise"]
                assert promise not in ("", owner.room["promise"])
                assert owner.room["again"] == []
                assert await watcher.ask("sealWords", seat=0, seal=seal_of(ZWEI)) == "not-your-seat"
                tokens = owner.tokens
        with serving(tmp_path) as server:
            async with joined(server, code, *tokens) as owner:
                assert owner.room["nextPromise"] == promise  # a restart changes nothing
                await owner.send("sealWords", seat=0, seal=seal_of(ZWEI))
                await owner.until(
                    lambda message: message["t"] == "table" and message["seats"][0]["nextSeal"] == seal_of(ZWEI)
                )
                assert owner.room["seats"][0]["words"] == "eins"
                await owner.send("rematch")
                following = (await owner.until(lambda message: message["t"] == "table" and message["next"]))["next"]
                assert await owner.ask("sealWords", seat=0, seal=seal_of(EINS)) == "not-now"
            async with joined(server, following, *tokens) as owner:
                assert (owner.room["locked"], owner.room["promise"]) == (True, promise)
                await owner.send("openWords", seat=0, words=ZWEI)
                await owner.until("state")
                await click(owner, random.Random(2))
                assert promise_of(owner.room["seed"]) == promise
                text = httpx.get(f"http://{server.address}/api/tables/{following}/record", timeout=60).text
                assert verify(text, promise).words == ("zwei", "")
                old = httpx.get(f"http://{server.address}/api/tables/{code}/record", timeout=60).text
                assert verify(old).words == ("eins", "")

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
