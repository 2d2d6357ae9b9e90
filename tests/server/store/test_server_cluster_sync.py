"""Several servers on one database: commands of the operator and quotas of tables apply to all of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from qwixx.server.limits.bans import Bans
from support.server.live_server import PATIENCE, Server, joined, open_table, run, serving
from support.server.operator_client import TOKEN, admin, refused_at
from support.server.postgres_server import Postgres

pytestmark = pytest.mark.slow
GUEST = {"x-forwarded-for": "192.0.2.7"}


def soon(wanted: Callable[[], bool]) -> None:
    """Wait until all servers know."""
    end = time.monotonic() + PATIENCE
    while not wanted():
        assert time.monotonic() < end, "the other server does not know it"
        time.sleep(0.05)


def opening(server: Server) -> tuple[int, Any]:
    """Open a table as the guest; return the status and the answer."""
    answer = httpx.post(f"http://{server.address}/api/tables", json={"variant": "classic"}, headers=GUEST, timeout=60)
    return answer.status_code, answer.json().get("code")


def test_commands_to_one_server_apply_to_all(tmp_path: Path, database_server: Postgres) -> None:
    """Bans, closed tables, announcements and quotas; addresses are not stored, and expired rows are deleted."""
    url = database_server.fresh()
    around = {"db": url, "admin_token": TOKEN, "proxies": "127.0.0.1", "hosts": "*", "tables_per_address": 6}
    with serving(tmp_path, **around) as one, serving(tmp_path, **around) as two:
        # Two at each server are four at both.
        assert [opening(server)[0] for server in (one, two, one, two)] == [201] * 4
        soon(lambda: sum(row[0] for row in database_server.fetch(url, "SELECT number FROM opened")) == 4)
        assert [opening(one)[0] for _ in range(2)] == [201] * 2
        soon(lambda: opening(two) == (429, "too-fast"))

        async def look() -> None:
            code, token = open_table(two, name="Anna")
            async with joined(two, code, token) as anna:
                admin(one, "announce", "Back at noon.", "--minutes", "2")
                assert (await anna.until("announcement"))["text"] == "Back at noon."
                admin(two, "announce")
                assert (await anna.until("announcement"))["text"] == ""
                soon(lambda: httpx.get(f"http://{one.address}/api/announcement").json()["text"] == "")
                admin(one, "close", code, "--minutes", "5")
                assert await anna.close_code() == 4410
            assert await refused_at(two, code) == "closed"
            admin(two, "close", code, "--reopen")
            soon(lambda: code not in one.tables.closed_codes)
            async with joined(two, code, token) as anna:
                admin(one, "ban", "127.0.0.1", "--minutes", "5")
                assert await anna.refusal() == "barred"
                assert await anna.close_code() == 4403
            assert await refused_at(two, code) == "barred"

        run(look())
        (mark,) = admin(two, "ban")["bans"]
        assert mark != "127.0.0.1"
        assert list(admin(one, "ban")["bans"]) == ["127.0.0.1"]
        kept = str(database_server.fetch(url, "SELECT kind, name FROM shared")) + str(
            database_server.fetch(url, "SELECT mark FROM opened")
        )
        assert mark in kept
        assert "127.0.0.1" not in kept
        assert "192.0.2.7" not in kept
        assert admin(two, "ban", "127.0.0.1", "--lift")["bans"] == {}
        soon(lambda: admin(one, "ban")["bans"] == {})
        assert database_server.fetch(url, "SELECT kind, name FROM shared") == []


def test_a_ban_outlives_its_server(tmp_path: Path, database_server: Postgres) -> None:
    """A server that starts later gets it; a server also sends what was set while the database was unreachable."""
    url = database_server.fresh()
    around = {"db": url, "admin_token": TOKEN, "proxies": "127.0.0.1", "hosts": "*"}
    with serving(tmp_path, **around) as one:
        admin(one, "ban", "192.0.2.7", "--minutes", "5")
        soon(lambda: bool(database_server.fetch(url, "SELECT 1 FROM shared")))
    with serving(tmp_path, **around) as two:
        assert opening(two) == (403, "barred")
        database_server.execute("UPDATE shared SET until = 0", url)
        soon(lambda: opening(two)[0] == 201)


def test_bars_by_hand() -> None:
    """A local command applies immediately, and older data of other servers does not undo it."""
    bars = Bans()
    bars.mark = str.upper
    bars.add("a", 1)
    assert bars.unsent == {"A": 60}
    assert bars.merge_remote({"B": 30.0}) == ["B"]
    assert ("a" in bars, "b" in bars, "c" in bars) == (True, True, False)
    assert bars.minutes_left() == {"a": 1, "B": 1}
    bars.unsent = {}  # they have received it
    assert bars.merge_remote({"A": 59.0, "B": 29.0}) == []
    assert bars.remove("b")
    assert bars.merge_remote({"A": 58.0, "B": 28.0}) == []
    assert "b" not in bars
    assert (bars.remove("b"), bars.unsent) == (False, {"B": 0})
    bars.unsent = {}
    assert bars.merge_remote({}) == []
    assert "a" not in bars
