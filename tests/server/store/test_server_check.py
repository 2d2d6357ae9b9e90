"""The check of all stored tables, and tables that are damaged: set aside with a sentence, never an error for ever."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect

from qwixx.cli import main
from qwixx.server.operate.check import ScheduledCheck
from qwixx.server.room.integrity import Damaged
from qwixx.server.wire import messages
from support.paths import GOLDEN
from support.server.in_process_tables import play, sit, some_tables
from support.server.live_server import Client, open_table, run, serving
from support.server.operator_client import TOKEN, admin, ask
from support.server.postgres_server import Postgres

OVER, WAITING, PLAYING = "AXCZL", "VE7SN", "ZAANC"
"""The tables of the golden file: a finished game, a lobby, a game in progress."""
TOTAL = "3 tables with 73 lines checked"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a database file with three tables."""
    path = tmp_path / "tables.db"
    vandalize(path, (GOLDEN / "store/version-1.sql").read_text("utf-8"))
    return path


def vandalize(path: Path, script: str) -> None:
    """Change a file behind the back of the server."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def command(*words: object) -> tuple[int, str]:
    """Run `qwixx`; return its exit code and its output."""
    done = CliRunner().invoke(main, [str(word) for word in words])
    return done.exit_code, done.output


DAMAGES = {
    f"DELETE FROM ledger WHERE code = '{OVER}' AND step = 3": (
        f"Table {OVER} is damaged: step 3 of the ledger is missing.",
        "1 damaged",
    ),
    f"UPDATE ledger SET line = '0 zzz' WHERE code = '{PLAYING}' AND step = 2": (
        f"Table {PLAYING} is damaged: the ledger cannot be replayed after line 2: ",
        "1 damaged",
    ),
    f"""UPDATE tables SET room = replace(room, '"stage":"lobby"', '"stage":"nonsense"') WHERE code = '{WAITING}'""": (
        f"Table {WAITING} is damaged: the room cannot be read (Invalid enum value 'nonsense'",
        "1 damaged",
    ),
    f"UPDATE tables SET stage = 'playing' WHERE code = '{WAITING}'": (
        f"Table {WAITING} is damaged: its stage is 'playing' in the list of tables, and 'lobby' in its room.",
        "1 damaged",
    ),
    f"DELETE FROM ledger WHERE code = '{OVER}' AND step > 20": (
        f"Table {OVER} is damaged: the stage of the room is 'over', and that of its game 'playing'.",
        "1 damaged",
    ),
    f"INSERT INTO ledger VALUES ('{WAITING}', 0, 'roll 11/1111')": (
        f"Table {WAITING} is damaged: it has lines of a game that did not begin.",
        "1 damaged",
    ),
    "INSERT INTO ledger VALUES ('BBBBB', 0, 'a'), ('BBBBB', 1, 'b'), ('ZZZZZ', 0, 'c')": (
        "Table BBBBB is missing, but it has 2 lines.\nTable ZZZZZ is missing, but it has 1 line.",
        "2 damaged",
    ),
    f"""CREATE TABLE days (date, variant, device, code, score);
    INSERT INTO days VALUES ('2026-11-16', 'classic', 'device', '{OVER}', 1000);
    UPDATE tables SET room = replace(room, '"next":null', '"next":null,"day":"2026-11-16"') WHERE code = '{OVER}'""": (
        f"Table {OVER} is damaged: its daily score is 1000, and by its game ",
        "1 damaged",
    ),
}


def test_a_sound_database(file: Path) -> None:
    """Nothing is reported, and nothing is changed."""
    before = file.read_bytes()
    assert command("check", file) == (0, f"{TOTAL}: all well.\n")
    assert file.read_bytes() == before
    assert command("check", file.with_name("none.db"))[0] == 2


@pytest.mark.parametrize(("script", "found"), DAMAGES.items(), ids=range(len(DAMAGES)))
def test_each_damage_has_its_sentence(file: Path, script: str, found: tuple[str, str]) -> None:
    """A missing step, an impossible line, an unknown stage, lines of no table: a sentence each, and exit code 1."""
    vandalize(file, script)
    code, words = command("check", file)
    assert code == 1
    assert words.startswith(found[0])
    assert words.endswith(f"checked: {found[1]}.\n")


def test_dice_that_do_not_follow_from_the_seed(tmp_path: Path) -> None:
    """A roll that was changed in the file is legal by the rules; the seed gives it away."""

    async def begin() -> None:
        async with some_tables(tmp_path) as tables:
            _, (anna, _), _ = await sit(tables, "Anna", "Ben")
            await anna.ask(messages.Start())

    run(begin())
    file = tmp_path / "tables.db"
    assert command("check", file)[0] == 0
    vandalize(file, "UPDATE ledger SET line = 'roll 11/1111' WHERE step = 0")
    code, words = command("check", file)
    assert code == 1
    assert "line 1 of the ledger: the roll is 11/1111, and by the seed " in words


def test_restore_plays_every_game_again(file: Path, tmp_path: Path) -> None:
    """A damaged table is restored with the others and reported; `--no-check` leaves that out."""
    vandalize(file, f"DELETE FROM ledger WHERE code = '{OVER}' AND step = 3")
    done = f"3 tables with 72 lines restored from {file}, and compared.\n"
    code, words = command("restore", file, "--db", tmp_path / "new.db")
    assert (code, words.startswith(done), "step 3 of the ledger is missing" in words) == (1, True, True)
    assert command("restore", file, "--db", tmp_path / "newer.db", "--no-check") == (0, done)


@pytest.mark.slow
def test_postgresql(file: Path, database_server: Postgres) -> None:
    """The same check by URL, after a restore and by itself."""
    url = database_server.fresh()
    assert command("restore", file, "--db", url)[1].endswith(f"{TOTAL}: all well.\n")
    database_server.execute(f"UPDATE ledger SET line = '0 zzz' WHERE code = '{PLAYING}' AND step = 2", url)
    code, words = command("check", url)
    assert (code, words.startswith(f"Table {PLAYING} is damaged: ")) == (1, True)


@pytest.mark.slow
def test_a_damaged_table_is_set_aside(file: Path) -> None:
    """Each way to open it ends with the same refusal; the server is healthy, and the operator sees and deletes it."""
    vandalize(
        file,
        f"DELETE FROM ledger WHERE code = '{OVER}' AND step = 3;"
        f"UPDATE ledger SET line = '0 zzz' WHERE code = '{PLAYING}' AND step = 2;"
        f"UPDATE tables SET room = '{{' WHERE code = '{WAITING}'",
    )

    async def visit(address: str, code: str) -> tuple[str, int | None]:
        async with connect(f"ws://{address}/ws/{code}", compression=None) as socket:
            client = Client(socket)
            await client.send("hello", tokens=[])
            return await client.refusal(), await client.close_code()

    async def test() -> None:
        with serving(file.parent, admin_token=TOKEN, metrics_token=TOKEN) as server:
            for code in (OVER, PLAYING, WAITING):
                for _ in range(2):
                    assert await visit(server.address, code) == ("damaged", 4409)
                assert ask(server, f"/t/{code}").status_code == 200
            for path in (f"{OVER}/record", f"{OVER}/replay", f"{OVER}/analysis", WAITING):
                answer = ask(server, f"/api/tables/{path}")
                assert (answer.status_code, answer.json()) == (409, {"code": "damaged"})
            open_table(server, name="Anna")
            assert ask(server, "/healthz").json()["troubles"] == []
            metrics = ask(server, "/metrics", authorization=f"Bearer {TOKEN}").text
            assert "\nqwixx_tables_damaged 3.0\n" in metrics
            numbers = admin(server, "stats")
            assert numbers["damaged"][OVER] == "step 3 of the ledger is missing"
            assert (set(numbers["damaged"]), numbers["failed"]) == ({OVER, PLAYING, WAITING}, {})
            assert {table["code"] for table in admin(server, "tables")["tables"]} >= {OVER, PLAYING}
            for code in (OVER, PLAYING, WAITING):
                admin(server, "delete", code, "--yes")
            assert admin(server, "stats")["damaged"] == {}
            assert httpx.get(f"http://{server.address}/api/tables/{WAITING}").status_code == 404

    run(test())


def test_the_scheduled_check(tmp_path: Path) -> None:
    """It finds a damaged table that nobody has opened, and forgets it once the table is well again."""

    async def test() -> None:
        async with some_tables(tmp_path) as tables:
            table, people, _ = await sit(tables, "Anna", "Ben")
            await play(table, people)
            code, check = table.room.code, ScheduledCheck(tables)
            check.start()  # off by default: nothing happens
            await check.check_all()
            assert tables.store.damaged == {}
            line = (await tables.store.query("SELECT line FROM ledger WHERE step = 4", ()))[0][0]
            vandalize(tmp_path / "tables.db", "UPDATE ledger SET line = '0 zzz' WHERE step = 4")
            await check.check_all()
            assert list(tables.store.damaged) == [code]
            with pytest.raises(Damaged):
                await tables.finished_games.compressed(code, "replay")
            vandalize(tmp_path / "tables.db", f"UPDATE ledger SET line = '{line}' WHERE step = 4")
            await check.check_all()
            assert tables.store.damaged == {}

    run(test())
