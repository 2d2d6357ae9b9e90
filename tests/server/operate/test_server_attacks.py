"""Short forms of `bench.abuse` and `bench.faults`: they assert what is right, and no times."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bench.attacks import ATTACKS
from bench.faults import FAULTS, Budget, many_servers, one_server
from websockets.asyncio.client import connect

from qwixx.server.base.settings import Settings
from support.paths import ROOT
from support.server import postgres_server
from support.server.live_server import NO_HURRY, PATIENCE, Client, open_table, run, serving
from support.server.postgres_server import Postgres
from support.server.server_cluster import Cluster

pytestmark = pytest.mark.slow
_SECONDS = 0.3
_OTHERS = ("127.0.0.2", 0)


def test_others_play_through_every_attack(tmp_path: Path) -> None:
    """With the default limits: nothing fails, and a player from another address is answered all the time."""
    defaults = {name: getattr(Settings(), name) for name in NO_HURRY}

    async def look() -> None:
        code, token = open_table(server, name="Anna")
        async with connect(f"ws://{server.address}/ws/{code}", compression=None, local_addr=_OTHERS) as socket:
            anna = Client(socket)
            await anna.send("hello", tokens=[token])
            await anna.until("table")
            words = (sys.executable, "-m", "bench.attacks", ",".join(ATTACKS), server.address, str(_SECONDS))
            eve = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE, cwd=ROOT)
            attacking, answers = asyncio.create_task(eve.communicate()), 0
            await anna.send("start")
            await anna.until("state")
            while not attacking.done():
                await anna.quiet()
                answers += 1
                await asyncio.sleep(0.1)
            out, _ = await attacking
            results = [json.loads(line) for line in out.splitlines() if line != b"begins"]
            assert len(results) == len(ATTACKS)
            assert answers > len(ATTACKS)
            await anna.decide(0, anna.state["mine"]["0"]["legal"][0])
            await anna.until(lambda message: message["t"] == "state" and message["phase"] > 1)
        assert server.tables.counts.failed.total() == 0
        assert server.tables.store.trouble == ""

    with serving(tmp_path, **defaults) as server:
        run(look())


def test_nothing_is_lost_with_one_server() -> None:
    """The only server is killed and started again."""
    assert asyncio.run(asyncio.wait_for(one_server(2, 2.0), 4 * PATIENCE)) > 0


def test_every_fault_gets_its_share_of_the_time() -> None:
    """Ten faults in 255 s: on a fast machine people play as asked, on a slow one shorter and at fewer tables."""
    now = 0.0
    budget = Budget(255.0, lambda: now)
    assert budget.share(10, 24, 6.0) == (24, 6.0)  # 25.5 s each, 12 of them for the fault itself
    now = 30.0
    budget.note(30.0, 6.0)
    assert budget.share(9, 24, 6.0) == (24, 1.0)  # 25 s each, 24 of them for the fault: a second is left
    now = 95.0
    budget.note(65.0, 1.0)
    assert budget.share(8, 24, 6.0) == (7, 1.0)  # 20 s each, and the last one took 64: 24 * 20 / 64 tables
    assert not budget.is_spent()
    now = 255.0
    assert budget.share(1, 24, 6.0) == (4, 1.0)
    assert budget.is_spent()


@pytest.fixture
def cluster(database_server: Postgres) -> Iterator[Cluster]:
    """Yield two servers behind a proxy."""
    if not postgres_server.find("haproxy"):
        pytest.skip(postgres_server.MISSING)
    started = Cluster(database_server, 2)
    yield started
    started.close()


def test_nothing_is_lost_with_two_servers(cluster: Cluster) -> None:
    """A server is killed, and the database is stopped."""
    names = ["kill -9 of a server", "fast stop of PostgreSQL"]
    assert set(names) <= set(FAULTS)
    assert asyncio.run(asyncio.wait_for(many_servers(cluster, names, 2, 1.0, float("inf")), 6 * PATIENCE)) == []
