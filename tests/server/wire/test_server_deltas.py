"""Clients that get state deltas have the same state as clients that get full states."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from qwixx.variants import names
from support.server.live_server import Client, joined, open_table, run, seated, serving

pytestmark = pytest.mark.slow


def known(client: Client) -> dict[str, Any]:
    """Return the state of a client, without the running clock and the history, which only new clients get."""
    return {name: said for name, said in client.state.items() if name not in ("deadline", "story")}


@pytest.mark.parametrize("game", names())
def test_changes_add_up_to_the_state(tmp_path: Path, game: str) -> None:
    """The owner of both seats and a spectator, each twice: both states are always equal; deltas are shorter."""

    async def play() -> None:
        with serving(tmp_path) as server:
            code, _ = open_table(server, variant=game, timer=600, sealed=game != "longo")
            async with (
                seated(server, code, "Anna", "Ben") as owner,
                joined(server, code, *owner.tokens, changes=True) as brief_owner,
                joined(server, code) as watcher,
                joined(server, code, changes=True) as brief_watcher,
            ):
                everybody = (owner, brief_owner, watcher, brief_watcher)
                await owner.send("start")
                rng, received = random.Random(game), 0
                while received < 60:
                    for client in everybody:
                        await client.until("state")
                    received += 1
                    assert known(brief_owner) == known(owner)
                    assert known(brief_watcher) == known(watcher)
                    if received == 20:  # after a refusal one page gets the full state, and deltas continue from there
                        assert await brief_owner.ask("decide", seat=0, phase=0, action="pass") == "late"
                        await brief_owner.until("state")
                        assert known(brief_owner) == {**known(owner), "events": []}
                    if owner.state["outcome"] is not None:
                        break
                    seat = next(
                        seat for seat, mine in owner.state["mine"].items() if mine["legal"] and not mine["choice"]
                    )
                    await owner.decide(int(seat), rng.choice(owner.state["mine"][seat]["legal"]))
                assert sum(map(len, brief_watcher.received)) < sum(map(len, watcher.received)) * 0.8

    run(play())
