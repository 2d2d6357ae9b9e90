"""Import of records: finished games are shown, others continue, and anything else is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import qwixx
from qwixx.precompile import TRAINING
from qwixx.server.base.errors import Refused
from qwixx.server.workers import import_job
from support.server.live_server import Server, click, joined, run, serving

pytestmark = pytest.mark.slow

HEAD = "qwixx record 1\nvariant classic\nseats 2\nfirst 0\n"
PEOPLE = "# person 0 Anna\n# bot 1 easy\n"


def import_record(server: Server, record: str | bytes) -> httpx.Response:
    """Import a record."""
    return httpx.post(f"http://{server.address}/api/records", content=record, timeout=60)


def finished(variant: str, seats: int) -> qwixx.Game:
    """Play a game to its end, always with the last legal action."""
    game = qwixx.Game(variant, seats, seed=3)
    while not game.is_over:
        if game.awaits_chance:
            game.roll()
        for seat in game.deciders():
            game.decide(seat, game.legal(seat)[-1])
    return game


def test_finished_games_are_shown(tmp_path: Path) -> None:
    """With the names of their people and without the seed; the server returns the same record."""
    with serving(tmp_path) as server:
        for variant, seats in (("longo", 3), ("cards", 2)):
            record = finished(variant, seats).record().replace("\n1 ", "\n# taken back: 1 r4\n1 ", 1)
            assert "seed 3" in record
            answer = import_record(server, f"{record}# taken back: nothing\n# person 0 Ann\u00e9\n# bot 1 strong\n")
            assert answer.status_code == 201
            brought = answer.json()
            assert (brought["over"], len(brought["tokens"])) == (True, seats - 1)
            table = f"http://{server.address}/api/tables/{brought['code']}"
            replay = httpx.get(f"{table}/replay", timeout=60).json()
            assert replay["names"] == ["Ann\u00e9", "", "—"][:seats]
            assert httpx.get(f"{table}/record", timeout=60).text == record.replace("seed 3\n", "")


def test_changed_choices_are_imported_once() -> None:
    """A record may change a choice as often as it likes: the ledger gets the choice that counts, as at a table."""
    first, second = "roll 34/2615\n0 r7\n# hint: 1\n0 pass\n0 y7\n1 y7\n", "0 y10\nroll 11/1111\n1 pass\n1 r2\n"
    checked = import_job.check(HEAD + first + second)
    assert checked.lines == ["roll 34/2615", "0 y7", "# hint: 1", "1 y7", "0 y10", "roll 11/1111", "1 r2"]
    assert not checked.over


@pytest.mark.parametrize("line", ["0 r7\n0 pass\n", "# hint: 0\n# hint: 1\n"])
def test_a_record_longer_than_any_game_is_refused(line: str) -> None:
    """Before it is replayed: thousands of changes would keep a worker busy for a second, and fill the memory."""
    with pytest.raises(Refused, match="too-large"):
        import_job.check(f"{HEAD}roll 34/2615\n{line * 2000}")


def test_the_review_of_a_finished_game(tmp_path: Path) -> None:
    """The review of the server equals that of `analyse`, only for finished games."""
    if TRAINING.is_uncached:  # the test may wait for the compiler; visitors of a server get the answer to come back
        TRAINING.warm()
    with serving(tmp_path) as server:

        def review(record: str) -> httpx.Response:
            code = import_record(server, record).json()["code"]
            return httpx.get(f"http://{server.address}/api/tables/{code}/analysis", timeout=120)

        game = finished("classic", 2)
        found = review(game.record())
        assert found.json() == json.loads(json.dumps(qwixx.analyse(game).to_dict()))
        assert found.headers["cache-control"] == "no-store"
        unfinished = review(f"{HEAD}roll 34/2615\n0 r7\n")
        assert (unfinished.status_code, unfinished.json()["code"]) == (409, "not-now")
        nowhere = httpx.get(f"http://{server.address}/api/tables/ABCDEFGH/analysis")
        assert (nowhere.status_code, nowhere.json()["code"]) == (404, "no-such-table")


def test_unfinished_games_continue(tmp_path: Path) -> None:
    """The importing client plays for its people, in the open window, against the same bot."""

    async def look() -> None:
        record = f"{HEAD}roll 34/2615\n0 r7\n{PEOPLE}"
        brought = import_record(server, record).json()
        assert not brought["over"]
        async with joined(server, brought["code"], *brought["tokens"]) as anna:
            await anna.until("state")
            assert [seat["name"] for seat in anna.room["seats"]] == ["Anna", ""]
            assert anna.room["mine"] == [0]
            while anna.state["view"]["phase"] != "color":  # the bot has still to decide
                await anna.until("state")
            assert anna.state["view"]["sheets"][0]["rows"][0]["crosses"] == [7]
            await click(anna, random.Random(1))

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.parametrize(
    ("record", "status", "code"),
    [
        ("", 400, "no-record"),
        (b"\xff\xfe", 400, "no-record"),
        ("qwixx record 2\n", 400, "no-record"),
        (f"{HEAD}roll 34/2615\n0 r8\n", 400, "no-record"),
        (f"{HEAD}roll 34/2615\nscores 1 2\n", 400, "no-record"),
        ("qwixx record 1\nvariant mine\nseats 2\nfirst 0\n| id = 'mine'\n", 400, "no-record"),
        ("qwixx record 1\nstart classic active=0 phase=roll | - | -\n", 400, "no-record"),
        (f"{HEAD}# person 0 \u200b\n", 400, "bad-name"),
        (f"{HEAD}# person 0 Anna\n# person 1 anna\n", 400, "name-taken"),
        (HEAD + "# long\n" * 10_000, 413, "too-large"),
    ],
)
def test_invalid_imports_are_refused(record: str | bytes, status: int, code: str, served: Server) -> None:
    """Each has its refusal code, and no table is created."""
    answer = import_record(served, record)
    assert (answer.status_code, answer.json()) == (status, {"code": code})
    assert served.tables.store.count == 0


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server without tables."""
    with serving(tmp_path_factory.mktemp("records")) as server:
        yield server


def test_who_may_import_records(tmp_path: Path) -> None:
    """Pages of other sites are refused; records count as tables, also invalid ones."""
    with serving(tmp_path, tables_per_address=2) as server:
        foreign = httpx.post(
            f"http://{server.address}/api/records", content=HEAD, headers={"Origin": "http://evil.example"}
        )
        assert (foreign.status_code, foreign.json()) == (403, {"code": "foreign-origin"})
        assert [import_record(server, record).status_code for record in ("nonsense", HEAD, HEAD)] == [400, 201, 429]


def test_a_bot_that_may_not_sit_here_is_replaced(tmp_path: Path) -> None:
    """By the default bot; if no bots are allowed, the import is refused."""

    async def look(server: Server, brought: dict[str, Any]) -> None:
        async with joined(server, brought["code"]) as eve:
            assert [seat["level"] for seat in eve.room["seats"]] == [None, "normal"]

    with serving(tmp_path, players="normal") as server:
        brought = import_record(server, HEAD + PEOPLE).json()
        run(look(server, brought))
    with serving(tmp_path, players="") as server:
        assert import_record(server, HEAD + PEOPLE).json() == {"code": "bad-options"}
