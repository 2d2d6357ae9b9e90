"""The operator's commands, over HTTP and with `qwixx admin`; nobody else can use them."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

import qwixx
from qwixx.cli import main
from support.server.live_server import click, joined, open_table, run, serving
from support.server.operator_client import TOKEN, admin, refused_at

pytestmark = pytest.mark.slow


def test_nobody_else_can_use_the_commands(tmp_path: Path) -> None:
    """Without the setting the address does not exist; without the right token nothing is shown or done."""
    shown = {"authorization": f"Bearer {TOKEN}"}
    with serving(tmp_path / "off") as server:
        for path in ("stats", "tables", "bans"):
            found = httpx.get(f"http://{server.address}/api/admin/{path}", headers=shown)
            assert (found.status_code, found.json()) == (404, {"code": "not-found"})
        assert "QWIXX_ADMIN_TOKEN" in admin(server, "stats", code=2)
    with serving(tmp_path / "on", admin_token=TOKEN) as server:
        code, _ = open_table(server, name="Anna")
        base = f"http://{server.address}/api/admin/"
        paths = [
            ("GET", "stats"),
            ("GET", "tables"),
            ("GET", f"tables/{code}/record"),
            ("POST", f"tables/{code}/close"),
        ]
        paths += [("DELETE", f"tables/{code}"), ("GET", "bans"), ("POST", "bans"), ("POST", "announcement")]
        for verb, path in paths:
            found = httpx.request(verb, base + path, headers={"authorization": f"Bearer {TOKEN[:-1]}"})
            assert (found.status_code, found.json()) == (401, {"code": "not-allowed"})
        assert httpx.get(f"http://{server.address}/api/tables/{code}").status_code == 200
        assert admin(server, "stats")["tables"] == 1
        for _ in range(2):
            httpx.get(base + "stats")
        assert "wrong tokens" in admin(server, "stats", code=2)  # after ten wrong tokens, all are refused


def test_list_close_and_delete_tables(tmp_path: Path) -> None:
    """Tables are listed, exported, closed for a while, opened again and deleted."""

    async def test() -> None:
        with serving(tmp_path, admin_token=TOKEN) as server:
            other, _ = open_table(server, variant="longo")
            code, token = open_table(server, name="Anna", bots=["easy"])
            assert "not possible now" in admin(server, "export", code, code=2)
            async with joined(server, code, token) as anna, joined(server, code):
                await anna.send("start")
                await click(anna, random.Random(2))
                found = admin(server, "tables")
                rows = {table["code"]: table for table in found["tables"]}
                assert (found["inAll"], set(rows)) == (2, {code, other})
                facts = {key: rows[code][key] for key in ("variant", "stage", "seats", "people", "watchers", "closed")}
                assert list(facts.values()) == ["classic", "over", 2, 1, 1, False]
                assert len(admin(server, "tables", "--most", "1")["tables"]) == 1
                numbers = admin(server, "stats")
                assert (numbers["people"], numbers["watchers"], numbers["failed"]) == (1, 1, {})
                assert numbers["moves"]["count"] > 10
                file = tmp_path / "game.txt"
                around = {"QWIXX_ADMIN_TOKEN": TOKEN, "QWIXX_ADMIN_SERVER": f"http://{server.address}"}
                done = CliRunner().invoke(main, ["admin", "export", code.lower(), "-o", str(file)], env=around)
                assert done.exit_code == 0, done.output
                assert [*qwixx.Game.replay(file.read_text())][-1].is_over
                plain = CliRunner().invoke(main, ["admin", "tables"], env=around).output
                assert code in plain
                assert "2 of 2" in plain
                # Closed: all clients get a message, nobody can connect, nothing is lost.
                admin(server, "close", code, "--minutes", "5")
                assert await anna.refusal() == "closed"
                assert await anna.close_code() == 4410
            assert await refused_at(server, code) == "closed"
            assert {table["code"]: table["closed"] for table in admin(server, "tables")["tables"]}[code]
            admin(server, "close", code, "--reopen")
            assert "not possible now" in admin(server, "close", code, "--reopen", code=2)
            async with joined(server, code, token) as anna:
                assert anna.room["stage"] == "over"
                admin(server, "delete", code, "--yes")
                assert await anna.refusal() == "no-such-table"
            assert "no such table" in admin(server, "delete", code, "--yes", code=2)
            several = ["--server", "http://127.0.0.1:1", "--server", f"http://{server.address}"]
            both = CliRunner().invoke(main, ["admin", *several, "tables"], env=around)
            assert (both.exit_code, other in both.stdout) == (0, True)
            assert "127.0.0.1:1 cannot be reached" in both.stderr
            assert httpx.get(f"http://{server.address}/api/tables/{code}").status_code == 404
            assert admin(server, "stats")["tables"] == 1

    run(test())


def test_bans_and_announcements(tmp_path: Path) -> None:
    """A banned address is disconnected and refused, except for the page and the operator; all get announcements."""

    async def test() -> None:
        with serving(tmp_path, admin_token=TOKEN, proxies="127.0.0.1", hosts="*") as server:
            base = f"http://{server.address}"
            code, token = open_table(server, name="Anna")
            async with joined(server, code, token) as anna:
                admin(server, "announce", "  Back at\nnoon ", "--minutes", "2")
                message = await anna.until("announcement")
                assert (message["text"], 115 <= message["seconds"] <= 120) == ("Back at noon", True)
                assert httpx.get(f"{base}/api/announcement").json()["text"] == "Back at noon"
                async with joined(server, code) as carla:  # a later client gets it too
                    assert (await carla.until("announcement"))["text"] == "Back at noon"
                admin(server, "announce")
                assert (await anna.until("announcement"))["text"] == ""
                async with joined(server, code) as carla:
                    assert (await carla.until("announcement"))["text"] == ""
                assert "cannot read" in admin(server, "announce", "x" * 281, code=2)
                assert list(admin(server, "ban", "127.0.0.1", "--minutes", "5")["bans"]) == ["127.0.0.1"]
                assert await anna.refusal() == "barred"
                assert await anna.close_code() == 4403
            assert await refused_at(server, code) == "barred"
            found = httpx.post(f"{base}/api/tables", json={"variant": "classic"})
            assert (found.status_code, found.json()) == (403, {"code": "barred"})
            elsewhere = httpx.post(
                f"{base}/api/tables", json={"variant": "classic"}, headers={"x-forwarded-for": "192.0.2.7"}
            )
            assert elsewhere.status_code == 201
            assert httpx.get(f"{base}/api/games").status_code == 200
            assert admin(server, "ban")["bans"] == {"127.0.0.1": 5}
            assert admin(server, "ban", "127.0.0.1", "--lift")["bans"] == {}
            assert httpx.get(f"{base}/api/tables/{code}").status_code == 200
            assert list(admin(server, "ban", "2001:db8::17")["bans"]) == ["2001:db8::/64"]
            assert admin(server, "ban", "2001:db8::/64", "--lift")["bans"] == {}
            assert "not an address" in admin(server, "ban", "everybody", code=2)

    run(test())


def test_a_short_token_is_refused_at_start(tmp_path: Path) -> None:
    """The server prints a sentence, and does not start."""
    around = {"QWIXX_ADMIN_TOKEN": "hunter2", "QWIXX_DATA": str(tmp_path), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, "-m", "qwixx", "serve", "--no-open", "--port", "0"]
    done = subprocess.run(command, env=around, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "QWIXX_ADMIN_TOKEN should hold 24 letters" in done.stderr
    assert "hunter2" not in done.stderr + done.stdout


def test_retention_times_come_from_the_settings(tmp_path: Path) -> None:
    """The privacy page gets the real values: scores stay for two days at least, SQLite stores no hash of an address."""
    contact = "Club Qwixx, play@club.example"
    with serving(tmp_path, keep_days=7, keep_finished_days=90, keep_scores_days=1, contact=contact) as server:
        facts = httpx.get(f"http://{server.address}/api/keeping").json()
    assert facts == {
        "unfinishedDays": 7,
        "finishedDays": 90,
        "graceDays": 1,
        "scoresDays": 2,
        "addressMarks": False,
        "contact": contact,
    }


def test_what_operators_do_is_audited(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Every change is a line of the log and a row that survives a restart; looking and refusals are not listed."""
    with serving(tmp_path, admin_token=TOKEN) as server:
        code, _ = open_table(server, name="Anna")
        admin(server, "stats")
        admin(server, "close", "AAAAAAAA", code=2)
        admin(server, "close", code)
        admin(server, "close", code, "--reopen")
        admin(server, "ban", "198.51.100.7")
        admin(server, "ban", "198.51.100.7", "--lift")
        admin(server, "announce", "Back at noon.")
        admin(server, "delete", code, "--yes")
    with serving(tmp_path, admin_token=TOKEN) as server:
        entries = admin(server, "audit")["entries"]
        assert [(each["action"], each["target"]) for each in reversed(entries)] == [
            ("close", code),
            ("reopen", code),
            ("ban", "198.51.0.0/16"),
            ("unban", "198.51.0.0/16"),
            ("announce", "Back at noon."),
            ("delete", code),
        ]
        assert {each["address"] for each in entries} == {"127.0.0.1"}
        assert all(each["request"] for each in entries)
        assert len(admin(server, "audit", "--most", "2")["entries"]) == 2
        around = {"QWIXX_ADMIN_TOKEN": TOKEN, "QWIXX_ADMIN_SERVER": f"http://{server.address}"}
        assert "unban" in CliRunner().invoke(main, ["admin", "audit"], env=around).output
    lines = [line for line in caplog.records if line.name == "qwixx.audit"]
    assert [vars(line)["action"] for line in lines] == [each["action"] for each in reversed(entries)]
