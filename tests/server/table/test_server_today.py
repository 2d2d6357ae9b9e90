"""The daily game: the same dice for all, once a day for each device, and secret until the end of the next day."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import random
import secrets
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import connect

import qwixx
from qwixx.fair.daily_dice import Day
from qwixx.server.base.errors import Refused
from qwixx.server.today.daily_game import master_score, optimum
from qwixx.solver.known_values import known_value, known_values
from support.paths import ROOT
from support.server.live_server import Client, Server, click, joined, open_table, run, serving

DICE_GAMES = ["classic", "gemixxt-a", "gemixxt-b", "bonus-a", "bonus-b", "longo"]
ANNA, BEN = "A" * 32, "B" * 32


def at(moment: str) -> Callable[[], float]:
    """Replace the clock by one that stands still."""
    seconds = datetime.fromisoformat(moment).replace(tzinfo=UTC).timestamp()
    return lambda: seconds


def ask_for_day(server: Server, variant: str = "classic", device: str = ANNA, **more: Any) -> httpx.Response:
    """Ask for the daily game of a device."""
    wish = {"variant": variant, "device": device, "name": "Anna", **more}
    return httpx.post(f"http://{server.address}/api/days", json=wish)


def begin(server: Server, variant: str = "classic", device: str = ANNA) -> tuple[str, str]:
    """Start the daily game of a device; return the code and the token."""
    answer = ask_for_day(server, variant, device)
    assert answer.status_code == 201, answer.text
    return answer.json()["code"], answer.json()["token"]


def compare(server: Server, date: str, variant: str = "classic", device: str = ANNA) -> httpx.Response:
    """Ask for the result of a device on a day."""
    return httpx.get(
        f"http://{server.address}/api/days/{date}/{variant}", headers={"Authorization": f"Bearer {device}"}, timeout=60
    )


async def rolls(client: Client, choose: Callable[[list[str]], str], most: int = 100) -> list[str]:
    """Play until this many rolls or the end of the game; return the rolls in order."""
    if not client.state:
        await client.until("state")
    seen = [client.state["view"]["dice"]]
    while client.state["outcome"] is None and len(seen) < most:
        await client.decide(0, choose(client.state["mine"]["0"]["legal"]))
        await client.until("state")
        seen += [event["roll"] for event in client.state["events"] if event["e"] == "rolled"]
    return seen


def first(legal: list[str]) -> str:
    """Cross what comes first."""
    return legal[0]


def nothing(legal: list[str]) -> str:
    """Cross nothing: four misses and it is over."""
    return "pass"


# ---- the recipe


def test_the_published_recipe_is_sha_256_of_a_line() -> None:
    """By `printf %s "qwixx today 2026-11-16 classic 1" | sha256sum`; its last digits to base 6 are the dice."""
    digest = "034687a146c6988bec6827acb5fa6d547073f1667952c98dd729ddfabd9c3e8d"
    assert hashlib.sha256(b"qwixx today 2026-11-16 classic 1").hexdigest() == digest
    number = int(digest, 16)
    faces: list[int] = []
    while len(faces) < 6:
        faces.append(number % 6 + 1)
        number //= 6
    assert Day("2026-11-16", "classic").faces(1, 6) == faces == [6, 5, 5, 1, 3, 5]
    game = qwixx.Game("classic", 1, first=0)
    assert Day("2026-11-16", "classic").throw(game) == "65/5135"
    # Draw 0 deals Longo's pad. By `... longo 0' | sha256sum`, 3 more than a multiple of five: the fourth pad.
    assert 0xA2715E2FBE9A26551E48357E365CA799D001001CAD8B2480BA5CFE7183DA199C % 5 == 3
    assert Day("2026-11-16", "longo").lucky() == ["8/13"]


def test_dice_are_fair_enough_and_differ_by_secret_date_game_and_turn() -> None:
    """Each face of each die comes up about as often as the others, and nothing repeats."""
    day = Day("2026-11-16", "longo", b"secret")
    thrown = [tuple(day.faces(turn, 8)) for turn in range(1, 2001)]
    assert len(set(thrown)) > 1980  # 2000 of 262,144 throws: about eight pairs are expected
    for place in range(6):
        for face in range(1, 9):
            assert 180 < sum(throw[place] == face for throw in thrown) < 320  # 250, and five deviations are 74
    others = [
        Day("2026-11-17", "longo", b"secret"),
        Day("2026-11-16", "classic", b"secret"),
        Day("2026-11-16", "longo"),
    ]
    assert all([tuple(other.faces(turn, 8)) for turn in range(1, 9)] != thrown[:8] for other in others)


def test_dice_of_closed_rows_leave_and_the_others_stay() -> None:
    """In turn 1 the published dice of that day are 65/5135; without red they are 65/-135."""
    game = qwixx.Game.from_position("classic active=0 phase=roll | r=2,3,4,5,6,12,L")
    assert Day("2026-11-16", "classic").throw(game) == "65/-135"


def test_known_values_equal_the_docs() -> None:
    """Every row of docs/solving.md; test_solve.py compares classic with the solver."""
    text = (ROOT / "docs/solving.md").read_text("utf-8")
    in_docs: dict[str, dict[str, float]] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 7 and cells[1].partition(",")[0] in DICE_GAMES:
            game, _, pads = cells[1].partition(", lucky ")
            in_docs.setdefault(game, {}).update(dict.fromkeys(pads.split(" or "), float(cells[2])))
    assert known_values() == in_docs
    assert list(known_values()) == DICE_GAMES
    assert optimum(Day("2026-11-16", "longo")) == known_value("longo", "8/13") == 187.969385


# ---- playing


@pytest.mark.slow
def test_two_devices_get_the_same_dice_whatever_they_decide(tmp_path: Path) -> None:
    """Two players with different choices have the same dice; another day, game or server has others."""

    async def look() -> None:
        code, token = begin(server)
        async with joined(server, code, token) as anna:
            assert (anna.room["day"], anna.room["stage"]) == ("2026-11-16", "playing")
            seen = await rolls(anna, first, most=4)
        code, token = begin(server, device=BEN)
        async with joined(server, code, token) as ben:
            assert await rolls(ben, nothing, most=4) == seen
        code, token = begin(server, "gemixxt-a")
        async with joined(server, code, token) as anna:
            assert await rolls(anna, nothing, most=4) != seen
        server.tables.daily_games.now = at("2026-11-17 00:00:00")
        code, token = begin(server)
        async with joined(server, code, token) as anna:
            assert await rolls(anna, nothing, most=4) != seen
        with serving(tmp_path / "other") as other:
            other.tables.daily_games.now = at("2026-11-16 12:00:00")
            code, token = begin(other)
            async with joined(other, code, token) as anna:
                assert await rolls(anna, nothing, most=4) != seen

    (tmp_path / "other").mkdir()
    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 12:00:00")
        run(look())


@pytest.mark.slow
def test_longo_deals_everybody_the_same_pad(tmp_path: Path) -> None:
    """The lucky numbers come from the same source as the dice."""

    async def look() -> None:
        pads = []
        for device in (ANNA, BEN, "C" * 32):
            code, token = begin(server, "longo", device)
            async with joined(server, code, token) as client:
                await client.until("state")
                pads.append(client.state["view"]["sheets"][0]["lucky"])
        assert pads[0] == pads[1] == pads[2] != []

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.slow
def test_a_device_has_one_game_a_day_and_comes_back_to_it(tmp_path: Path) -> None:
    """Also after its end, and after a restart during the game, with the same next dice."""

    async def play(most: int) -> list[str]:
        async with joined(server, code, token) as anna:
            return await rolls(anna, nothing, most)

    async def others() -> list[str]:
        ben, key = begin(server, device=BEN)
        async with joined(server, ben, key) as client:
            return await rolls(client, nothing)

    found: list[str] = []

    async def look_first() -> None:
        found.extend(await play(2))

    async def look_again() -> None:
        found.extend((await play(100))[1:])
        assert found == await others()

    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 12:00:00")
        code, token = begin(server)
        run(look_first())
    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 12:30:00")
        assert begin(server) == (code, token)
        run(look_again())
        assert len(found) == 4  # a miss each, and the game was over
        assert begin(server) == (code, token)
        assert compare(server, "2026-11-16").json()["score"] == -20


@pytest.mark.slow
def test_a_game_of_before_midnight_counts_for_its_day_until_the_next_is_over(tmp_path: Path) -> None:
    """Started on the 16th: finished on the 17th it counts for the 16th, finished on the 18th it does not count."""

    async def look() -> None:
        games = {device: begin(server, device=device) for device in (ANNA, BEN)}
        server.tables.daily_games.now = at("2026-11-17 23:59:59")
        async with joined(server, *games[ANNA]) as anna:
            await rolls(anna, nothing)
        result = compare(server, "2026-11-16").json()
        assert (result["score"], result["players"]) == (-20, 1)
        assert compare(server, "2026-11-17").status_code == 404
        server.tables.daily_games.now = at("2026-11-18 00:00:00")
        async with joined(server, *games[BEN]) as ben:
            await rolls(ben, nothing)
        assert compare(server, "2026-11-16", device=BEN).json() == {"code": "not-now"}
        assert compare(server, "2026-11-16").json()["players"] == 1

    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 23:59:59")
        assert httpx.get(f"http://{server.address}/api/days").json()["ends"] == 1.0
        run(look())


# ---- comparing


@pytest.mark.slow
def test_scores_are_compared_once_one_has_finished(tmp_path: Path) -> None:
    """Three devices with -20 points and one with more, now and then less than ten more; counted by hand."""

    async def look() -> None:
        code, token = begin(server)
        assert compare(server, "2026-11-16").json() == {"code": "not-now"}
        async with joined(server, code, token) as anna:
            await click(anna, random.Random(4))
            mine = anna.state["outcome"]["scores"][0]
        for device in (BEN, "C" * 32, "D" * 32):
            async with joined(server, *begin(server, device=device)) as other:
                await rolls(other, nothing)
        result = compare(server, "2026-11-16").json()
        assert mine > -20
        assert (result["score"], result["players"], result["better"], result["best"]) == (mine, 4, 0, mine)
        assert result["average"] == pytest.approx((mine - 60) / 4)
        assert (result["step"], result["bars"][0]) == (10, {"least": -20, "count": 3 + (mine < -10)})
        assert sum(bar["count"] for bar in result["bars"]) == 4
        assert result["optimum"] == 115.483126
        assert compare(server, "2026-11-16", device=BEN).json()["better"] == 1
        today = httpx.get(f"http://{server.address}/api/days").json()
        assert today["date"] == "2026-11-16"
        assert today["ends"] == 12 * 3600
        assert today["games"] == [{"variant": game, "players": 4 * (game == "classic")} for game in DICE_GAMES]
        while "master" not in result:
            result = compare(server, "2026-11-16").json()
        await server.tables.daily_games.ready()
        dice = Day("2026-11-16", "classic", server.tables.daily_games._secret)
        assert result["master"] == master_score(dice)

    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 12:00:00")
        run(look())


@pytest.mark.slow
def test_choices_of_others_are_told_after_the_own_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """
    Four devices pass all the time, and one crosses the first cell and passes from then on.

    In the first decision all have the same sheet. In the second one, the four do; the fifth has another sheet, and is
    compared with all who had the same dice. The turns of the fifth game that nobody else reached are not shown.
    """
    others = [BEN, "C" * 32, "D" * 32, "E" * 32]
    crossed: list[str] = []

    def once(legal: list[str]) -> str:
        """Cross the first cell of the first turn, then nothing."""
        crossed.append("pass" if crossed else legal[0])
        return crossed[-1]

    def told(device: str = ANNA) -> Any:
        return compare(server, "2026-11-16", "classic/choices", device).json()

    async def look() -> None:
        games = {device: begin(server, device=device) for device in (ANNA, *others)}
        async with joined(server, *games[ANNA]) as anna:
            await rolls(anna, once, most=2)
            assert told() == {"code": "not-now"}, "it would be a hint"
            for device in others[:2]:
                async with joined(server, *games[device]) as other:
                    await rolls(other, nothing)
            assert told() == {"code": "not-now"}
            assert told(BEN)["decisions"] == [], "one other player is too few"
            await rolls(anna, nothing)
        for device in others[2:]:
            async with joined(server, *games[device]) as other:
                await rolls(other, nothing)
        mine, passed = told()["decisions"], told(BEN)["decisions"]
        assert mine[0] == {"step": 1, "sameSheet": True, "players": 4, "choices": [{"action": "pass", "players": 4}]}
        both = [{"action": "pass", "players": 3}, {"action": crossed[0], "players": 1}]
        assert passed[0] == {"step": 1, "sameSheet": True, "players": 4, "choices": both}
        assert (mine[1]["step"], mine[1]["sameSheet"], mine[1]["players"]) == (2, False, 4)
        assert (passed[1]["step"], passed[1]["sameSheet"], passed[1]["players"]) == (2, True, 3)
        # Four misses end the games of the others in turn 4; the miss that the cross saved takes another turn.
        assert {each["players"] for each in mine[2:]} == {4}
        # The losses of others: those whose review was asked for, if they are enough.
        assert (told()["players"], told()["lost"]) == (0, 0.0)
        for code, lost, luck in zip([games[device][0] for device in others], (1, 3, 5, 7), (1, 2, 3, 4), strict=True):
            reviews[code] = {"own": -lost, "luck": luck}
        for device in others[:2]:
            told(device)
        assert told()["players"] == 0
        for device in others[2:]:
            told(device)
        assert (told()["players"], told()["lost"], told()["luck"]) == (4, 4.0, 2.5)
        assert told()["decisions"] == mine, "asking counts nothing"

    reviews: dict[str, Any] = {}

    async def review(code: str, what: Any, keys: Any = (), address: str = "") -> Any:
        """Answer with a review of our own, or as a server without a judge."""
        if what != "analysis":
            return await finished(code, what, keys, address)
        if code not in reviews:
            raise Refused("no-judge")
        return None, json.dumps({"accounts": [reviews[code]]}).encode()

    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 12:00:00")
        finished = server.tables.finished_games.uncompressed
        monkeypatch.setattr(server.tables.finished_games, "uncompressed", review)
        run(look())
    with sqlite3.connect(tmp_path / "tables.db") as kept:
        counted = kept.execute("SELECT sum(number) FROM choices WHERE place = '1 white'").fetchone()
        words = json.dumps(kept.execute("SELECT * FROM choices").fetchall())
    assert counted == (5,)
    assert not any(device in words for device in (ANNA, *others))


@pytest.mark.slow
def test_old_scores_are_forgotten(tmp_path: Path) -> None:
    """After as many days as the operator says; the secret stays."""

    async def look() -> None:
        async with joined(server, *begin(server)) as anna:
            await rolls(anna, nothing)
        await server.tables.daily_games.clean()
        assert compare(server, "2026-11-16").json()["score"] == -20
        secret = server.tables.daily_games._secret
        server.tables.daily_games.now = at("2026-11-24 00:00:00")
        await server.tables.daily_games.clean()
        assert compare(server, "2026-11-16").json() == {"code": "no-such-table"}
        server.tables.daily_games._secret = b""
        await server.tables.daily_games.ready()
        assert server.tables.daily_games._secret == secret

    with serving(tmp_path, keep_scores_days=7.0) as server:
        server.tables.daily_games.now = at("2026-11-16 12:00:00")
        run(look())


# ---- secrecy of the dice


@pytest.mark.slow
def test_nobody_else_sees_the_dice_of_today(tmp_path: Path) -> None:
    """Not by the code of a running or finished table, in any way; two days later all may."""

    async def watched(code: str) -> str:
        """Connect without a token; return all messages."""
        async with connect(f"ws://{server.address}/ws/{code}", compression=None) as socket:
            client = Client(socket)
            await client.send("hello", tokens=[BEN])
            await client.close_code()
            return " ".join(client.received)

    async def look() -> None:
        code, token = begin(server)
        async with joined(server, code, token) as anna:
            await anna.until("state")
            table = f"http://{server.address}/api/tables/{code}"
            dice = anna.state["view"]["dice"]
            for _ in range(2):
                assert await watched(code) == '{"t":"error","code":"no-such-table"}'
                for path in ("", "/record", "/replay", "/qr.svg"):
                    answer = httpx.get(table + path)
                    assert dice not in answer.text
                    assert (answer.status_code == 200) == (path in ("", "/qr.svg"))
                assert dice not in httpx.get(f"http://{server.address}/t/{code}").text
                assert await anna.ask("delete") == "not-now"
                if anna.state["outcome"] is None:
                    assert await anna.ask("toBot", seat=0) == "not-now"
                    assert await anna.ask("options", late=True) == "not-now"
                    assert await anna.ask("roll", dice="11/1111") == "not-your-turn"
                    await rolls(anna, nothing)
        own = httpx.get(f"{table}/record", headers={"Authorization": f"Bearer {token}"}, timeout=60)
        assert f"roll {dice}" in own.text
        assert httpx.get(f"{table}/record", headers={"Authorization": f"Bearer {BEN}"}, timeout=60).status_code == 409
        server.tables.daily_games.now = at("2026-11-18 00:00:00")
        assert f"roll {dice}" in httpx.get(f"{table}/record", timeout=60).text

    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 12:00:00")
        run(look())


@pytest.mark.slow
def test_future_dice_are_sent_to_nobody(tmp_path: Path) -> None:
    """No message before the second roll contains it, and no decision can be undone after it."""

    async def look() -> None:
        code, token = begin(server)
        async with joined(server, code, token) as anna:
            seen = await rolls(anna, nothing, most=2)
            before = [text for text in anna.received if seen[1] not in text]
            assert len(before) == len(anna.received) - 1, "only the last message contains the second roll"
            assert anna.state["undoable"] == []
            assert await anna.ask("undo", seat=0, phase=anna.state["phase"]) == "no-undo"

    with serving(tmp_path) as server:
        server.tables.daily_games.now = at("2026-11-16 12:00:00")
        run(look())
    with sqlite3.connect(tmp_path / "tables.db") as kept:
        (secret,) = kept.execute("SELECT value FROM secrets").fetchone()
        rows = kept.execute("SELECT * FROM days").fetchall()
        rooms = kept.execute("SELECT room FROM tables").fetchall()
    assert len(secret) == 64
    assert ANNA not in json.dumps([rows, rooms])


# ---- bounds


@pytest.fixture(scope="module")
def days_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield a server for requests that are refused."""
    with serving(tmp_path_factory.mktemp("days")) as server:
        yield server


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        ({"variant": "cards"}, "no-such-game"),
        ({"variant": "duel"}, "no-such-game"),
        ({"variant": "no"}, "no-such-game"),
        ({"device": "short"}, "unreadable"),
        ({"device": "A" * 65}, "unreadable"),
        ({"device": "Ä" * 32}, "unreadable"),
        ({"device": None}, "unreadable"),
        ({"device": f"{ANNA}\n"}, "unreadable"),
        ({"name": ""}, "bad-name"),
        ({"name": "x" * 5000}, "too-large"),
    ],
)
def test_invalid_requests_are_refused(days_server: Server, wish: dict[str, Any], code: str) -> None:
    """With a refusal code, and no table is opened."""
    before = days_server.tables.store.count
    assert ask_for_day(days_server, **{"variant": "classic", "device": secrets.token_urlsafe(24), **wish}).json() == {
        "code": code
    }
    assert days_server.tables.store.count == before


@pytest.mark.parametrize("path", ["2026-02-30/classic", "today/classic", "2026-11-16/cards", "20261116/classic"])
def test_invalid_days_are_refused(days_server: Server, path: str) -> None:
    """A date that no calendar has, or a game without solitaire."""
    asked = httpx.get(f"http://{days_server.address}/api/days/{path}", headers={"Authorization": f"Bearer {ANNA}"})
    assert asked.status_code == 400
    assert httpx.get(f"http://{days_server.address}/api/days/2026-11-16/classic").json() == {"code": "unreadable"}


@pytest.mark.slow
def test_new_devices_of_one_address_are_limited(tmp_path: Path) -> None:
    """New devices of one address have a limit, also after a restart; returning to the own game does not count."""
    with serving(tmp_path, days_per_address=2) as server:
        assert [ask_for_day(server, device=device).status_code for device in (ANNA, ANNA, BEN)] == [201, 201, 201]
        assert ask_for_day(server, device="C" * 32).json() == {"code": "too-fast"}
        assert ask_for_day(server, "longo", "C" * 32).status_code == 201
        assert ask_for_day(server).status_code == 201
        foreign = httpx.post(f"http://{server.address}/api/days", headers={"Origin": "http://evil.example"}, json={})
        assert foreign.status_code == 403
    with serving(tmp_path, days_per_address=2) as server:
        assert ask_for_day(server, device="D" * 32).json() == {"code": "too-fast"}
        assert ask_for_day(server).status_code == 201


@pytest.mark.slow
def test_no_address_is_stored(tmp_path: Path) -> None:
    """Neither tables nor games of a day store who opened them; the mark of an address is too short to reveal it."""
    with serving(tmp_path) as server:
        assert ask_for_day(server).status_code == 201
        open_table(server, name="Anna")
    with contextlib.closing(sqlite3.connect(tmp_path / "tables.db")) as file:
        assert [len(mark) for (mark,) in file.execute("SELECT mark FROM begun")] == [3]
        assert "127.0.0.1" not in "\n".join(file.iterdump())


@pytest.mark.slow
def test_two_tabs_that_ask_at_once_get_one_table(tmp_path: Path) -> None:
    """Also with many requests at the same time."""

    async def look() -> None:
        wish = {"variant": "classic", "device": ANNA, "name": "Anna"}
        async with httpx.AsyncClient() as client:
            answers = await asyncio.gather(
                *(client.post(f"http://{server.address}/api/days", json=wish) for _ in range(8))
            )
        assert len({answer.json()["code"] for answer in answers}) == 1
        assert server.tables.store.count == 1

    with serving(tmp_path) as server:
        run(look())
