"""The HTTP part of the server: catalogue, links, pages, headers."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import msgspec
import pytest

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.server.generate_types import generate_types
from qwixx.server.http import link_previews, static_files
from qwixx.server.http.api import Health, OpenedTable, TableSummary
from qwixx.server.http.http_util import Failure
from qwixx.server.room.catalogue import Catalogue
from qwixx.server.room.room import Room
from qwixx.server.room.seats import Seat
from qwixx.server.wire import public_address as reaching
from qwixx.server.wire.messages import Stage
from qwixx.server.wire.public_address import PublicLink
from support.paths import ROOT
from support.server.live_server import Server, joined, open_table, run, serving


def _get(server: Server, path: str) -> httpx.Response:
    return httpx.get(f"http://{server.address}{path}")


@pytest.mark.slow
def test_catalogue(tmp_path: Path) -> None:
    """The catalogue has every game with its sheets, cell by cell, as in its layout."""
    with serving(tmp_path) as server:
        games = {game["id"]: game for game in _get(server, "/api/games").json()["games"]}
    assert tuple(games) == qwixx.games()
    assert (games["classic"]["seats"], games["classic"]["printed"]) == ([1, 5], [2, 5])
    assert games["longo"]["printed"] == [2, 4]
    assert list(games["cards"]["layouts"]) == games["cards"]["sheets"] == ["classic", "gemixxt-a", "gemixxt-b"]
    assert games["longo"]["luckyPads"][:2] == ["5/10", "6/11"]
    assert (games["duel"]["duel"], games["duel"]["layouts"]["duel"]["pawns"]) == (True, 22)
    for name, game in games.items():
        if not game["sheets"]:
            rows = game["layouts"][name]["rows"]
            assert [[c["value"] for c in row["cells"]] for row in rows] == [
                [cell.value for cell in row.cells] for row in qwixx.variant(name).rows
            ]
    red = games["bonus-a"]["layouts"]["bonus-a"]["rows"][0]
    assert [cell["value"] for cell in red["cells"] if cell["boxed"]] == [3, 6, 9]
    assert (red["key"], red["lock"], red["closesFrom"]) == ("r", "r", 10)


@pytest.mark.slow
def test_table_facts_and_qr_code(tmp_path: Path) -> None:
    """The code of a table gives a few facts and a QR code of its link; upper and lower case do not matter."""
    with serving(tmp_path) as server:
        code, _ = open_table(server, name="Anna", bots=["easy"])
        facts = {"code": code, "variant": "classic", "stage": "lobby", "seats": 2}
        assert _get(server, f"/api/tables/{code}").json() == _get(server, f"/api/tables/{code.lower()}").json() == facts
        drawing = _get(server, f"/api/tables/{code}/qr.svg")
        assert drawing.headers["content-type"] == "image/svg+xml"
        assert "<svg" in drawing.text
        assert "<script" not in drawing.text
        for path in ("", "/qr.svg", "/record", "/replay"):
            answer = _get(server, f"/api/tables/AAAAA{path}")
            assert (answer.status_code, answer.json()) == (404, {"code": "no-such-table"})


@pytest.mark.slow
def test_links_carry_an_address_that_a_phone_can_reach(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When asked from this machine, the server listens on the network too; then links and QR codes use that address."""
    drawn: list[str] = []

    def draw(link: str) -> bytes:
        drawn.append(link)
        return b"<svg/>"

    monkeypatch.setattr("qwixx.server.http.api.qr_code", draw)
    with serving(tmp_path) as server:
        port = server.address.rpartition(":")[2]
        reach = f"http://{server.address}/api/reach"
        alone = {"link": f"http://{server.address}", "onlyHere": True, "mayOpen": True}
        assert httpx.get(reach).json() == alone
        assert httpx.post(reach, headers={"origin": "http://evil.example"}).json() == {"code": "foreign-origin"}
        by_name = httpx.get(reach, headers={"host": f"192.168.7.7:{port}"}).json()
        assert by_name == {"link": f"http://192.168.7.7:{port}", "onlyHere": False, "mayOpen": False}
        assert httpx.post(reach, headers={"host": f"192.168.7.7:{port}"}).json() == {"code": "not-now"}
        monkeypatch.setattr(reaching, "lan_address", lambda: "127.0.0.1")
        assert httpx.post(reach).json() == {"code": "no-network"}
        monkeypatch.setattr(reaching, "lan_address", lambda: "127.0.0.7")  # used as an address of the network
        monkeypatch.setattr(reaching, "is_loopback", lambda host: host in ("127.0.0.1", "localhost"))
        there = {"link": f"http://127.0.0.7:{port}", "onlyHere": False, "mayOpen": False}
        assert httpx.post(reach).json() == there
        assert httpx.get(f"http://127.0.0.7:{port}/api/reach").json() == there
        assert httpx.post(reach).json() == {"code": "not-now"}
        code, _ = open_table(server)
        _get(server, f"/api/tables/{code}/qr.svg")
        assert drawn == [f"http://127.0.0.7:{port}/t/{code}"]
    with serving(tmp_path, hosts="games.example") as server:  # a proxy may run in front of it, on this machine too
        assert not _get(server, "/api/reach").json()["mayOpen"]
    with serving(tmp_path, host="0.0.0.0") as server:
        assert _get(server, "/api/reach").json()["link"].startswith("http://127.0.0.7:")


@pytest.mark.slow
def test_rules_in_the_readers_language(tmp_path: Path) -> None:
    """Every game has a rule page; without a translation the English page is sent."""
    with serving(tmp_path) as server:
        for variant in qwixx.games():
            for language in LANGUAGES:
                answer = _get(server, f"/api/rules/{variant}?lang={language}")
                assert answer.status_code == 200
                assert answer.text.startswith("#")
        for path in ("/api/rules/chess", "/api/rules/classic?lang=xx", "/api/rules/..%2f..%2fgame?lang=en"):
            assert _get(server, path).status_code == 404


@pytest.mark.slow
def test_health(tmp_path: Path) -> None:
    """The server reports that it is healthy, and how many tables and connections it has."""

    async def look() -> None:
        code, _ = open_table(server)
        async with joined(server, code):
            facts = _get(server, "/healthz").json()
            assert facts == {
                "ok": True,
                "version": qwixx.__version__,
                "tables": 1,
                "loaded": 1,
                "connections": 1,
                "troubles": [],
            }

    with serving(tmp_path) as server:
        run(look())


@pytest.mark.slow
def test_page_and_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The document is never cached, hashed files are cached for ever, and no file outside the folder is served."""
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text("<!doctype html><title>qwixx</title>")
    (web / "assets" / "index-Bx3_9aQz.js").write_text("export {}")
    (web / "sw.js").write_text("")
    (web / "nets.json").write_text('{"assets/classic-2-Bx3_9aQz.net": "classic-2-c771d253de2666bf.net"}')
    net = static_files.web_directory().parent / "nets" / "trained" / "classic-2-c771d253de2666bf.net"
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(static_files, "web_directory", lambda: web)
    with serving(tmp_path) as server:
        for path in ("/", "/t/K7QXA", "/r/K7QXA", "/rules/classic", "/t/%3Cscript%3E"):
            answer = _get(server, path)
            assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
            assert "<title>qwixx" in answer.text
            assert "<script>" not in answer.text
        assert "immutable" in _get(server, "/assets/index-Bx3_9aQz.js").headers["cache-control"]
        answer = _get(server, "/assets/classic-2-Bx3_9aQz.net")  # the page and the bots share one file
        assert (answer.content, "immutable" in answer.headers["cache-control"]) == (net.read_bytes(), True)
        assert _get(server, "/sw.js").headers["cache-control"] == "no-cache"
        for path in (
            "/secret.txt",
            "/..%2fsecret.txt",
            "/assets/../../secret.txt",
            "/assets/",
            "/assets/classic-2.net",
            "/nothing.js",
        ):
            assert _get(server, path).status_code == 404


@pytest.mark.slow
def test_a_link_to_a_table_shows_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messengers get a title, the waiting players and a picture; names are escaped, and other links reveal nothing."""
    general = '<title>qwixx</title><meta property="og:title" content="qwixx" />'
    (tmp_path / "index.html").write_text(f"<!doctype html>{general}")
    monkeypatch.setattr(static_files, "web_directory", lambda: tmp_path)
    with serving(tmp_path) as server:
        code, _ = open_table(server, variant="gemixxt-a", name='A"><b>', bots=["easy"])
        empty, _ = open_table(server)
        text = _get(server, f"/t/{code.lower()}").text
        tags = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)" />', text))
        assert tags["title"] == "Qwixx gemixxt A: A&quot;&gt;&lt;b&gt; is waiting for you"
        assert tags["description"] == "3 seats are free. Open the link, type a name and play."
        assert tags["image"] == f"http://{server.address}/previews/gemixxt-a.png"
        assert "a table for you" in _get(server, f"/t/{empty}").text
        for path in ("/", "/t/AAAAAAAA", "/t/%3Cb%3E"):
            assert general in _get(server, path).text


@pytest.mark.parametrize(
    ("stage", "seats", "title", "about"),
    [
        ("lobby", "Anna Ben Cleo", "Qwixx: Anna, Ben and Cleo are waiting for you", "2 seats are free. Open the"),
        ("lobby", "Anna - Ben - Cleo", "Qwixx: Anna, Ben and Cleo are waiting for you", "No seat is free. Open the"),
        ("playing", "Anna -", "Qwixx: a game is on", "Anna is playing. Open the link to watch."),
        ("playing", "- -", "Qwixx: a game is on", "Bots are playing. Open the link to watch."),
        ("over", "Anna Ben", "Qwixx: a finished game", "Anna and Ben played. See how it ended."),
    ],
)
def test_texts_of_a_preview(stage: Stage, seats: str, title: str, about: str) -> None:
    """The preview counts the people and says whether they wait or play."""
    people = [Seat("", "bot", "easy") if name == "-" else Seat(name, key=name) for name in seats.split()]
    found = link_previews.words(Room("AAAAAAAA", "classic", stage, people))
    assert found[0] == title
    assert found[1].startswith(about)


@pytest.mark.slow
def test_unknown_paths(tmp_path: Path) -> None:
    """A browser gets the page, which shows the error; programs get an error code."""
    with serving(tmp_path) as server:
        browser = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
        answer = httpx.get(f"http://{server.address}/no/where", headers=browser)
        assert (answer.status_code, answer.headers["content-type"]) == (404, "text/html; charset=utf-8")
        for path, headers in (("/no/where", {}), ("/api/nothing", browser), ("/assets/nothing.js", browser)):
            answer = httpx.get(f"http://{server.address}{path}", headers=headers)
            assert (answer.status_code, answer.json()) == (404, {"code": "not-found"})


@pytest.mark.slow
def test_a_page_that_is_not_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the page is not built, the server says how to build it."""
    monkeypatch.setattr(static_files, "web_directory", lambda: tmp_path / "nowhere")
    with serving(tmp_path) as server:
        answer = _get(server, "/")
        assert answer.status_code == 503
        assert "make play" in answer.text
        assert _get(server, "/assets/x.js").status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/api/games", "/healthz", "/api/tables/AAAAA", "/nothing", "/api/rules/classic"])
def test_security_headers(path: str, tmp_path: Path) -> None:
    """Every answer forbids inline scripts, third parties, content sniffing and framing."""
    with serving(tmp_path) as server:
        headers = _get(server, path).headers
    policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert policy["frame-ancestors"] == "'none'"
    assert not any("http" in sources or "*" in sources for sources in policy.values())
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


@pytest.mark.slow
def test_long_answers_are_compressed(tmp_path: Path) -> None:
    """The catalogue is compressed to a fifth of its size; short answers are sent uncompressed."""
    with serving(tmp_path) as server:
        packed, short = _get(server, "/api/games"), _get(server, "/healthz")
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) * 5 < len(packed.content)
    assert "content-encoding" not in short.headers


@pytest.mark.slow
def test_files_are_compressed_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of the page is compressed once and cached; a browser that has it already gets a 304."""
    web = tmp_path / "web"
    web.mkdir()
    script = "export const words = 'again and again';\n" * 200
    (web / "app.js").write_text(script)
    monkeypatch.setattr(static_files, "web_directory", lambda: web)
    static_files.compressed.cache_clear()
    with serving(tmp_path) as server:
        answers = [_get(server, "/app.js") for _ in range(3)]
        plain = httpx.get(f"http://{server.address}/app.js", headers={"Accept-Encoding": "identity"})
        known = httpx.get(f"http://{server.address}/app.js", headers={"If-None-Match": answers[0].headers["etag"]})
    assert {answer.headers["content-encoding"] for answer in answers} == {"gzip"}
    assert {answer.text for answer in (*answers, plain)} == {script}
    assert answers[0].headers["content-type"] == plain.headers["content-type"]
    assert "content-encoding" not in plain.headers
    assert known.status_code == 304
    assert static_files.compressed.cache_info().misses == 1


@pytest.mark.slow
def test_wrong_methods_and_internal_errors_are_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any error inside gives the client an error code and no traceback."""

    def fail(self: object) -> list[str]:
        raise ZeroDivisionError("private words")

    with serving(tmp_path) as server:
        assert httpx.delete(f"http://{server.address}/api/tables").json() == {"code": "not-found"}
        monkeypatch.setattr("qwixx.server.table.registry.Tables.troubles", fail)
        answer = _get(server, "/healthz")
        assert (answer.status_code, answer.json()) == (500, {"code": "trouble"})


@pytest.mark.slow
def test_answers_have_the_forms_of_the_types(tmp_path: Path) -> None:
    """HTTP answers have exactly the form of the types that the page is generated from."""
    with serving(tmp_path) as server:
        opened = httpx.post(f"http://{server.address}/api/tables", json={"variant": "longo", "name": "Anna"})
        code = opened.json()["code"]
        for answer, form in (
            (opened, OpenedTable),
            (httpx.post(f"http://{server.address}/api/tables", json={"variant": "duel"}), OpenedTable),
            (_get(server, f"/api/tables/{code}"), TableSummary),
            (_get(server, "/api/tables/AAAAA"), Failure),
            (_get(server, "/healthz"), Health),
            (_get(server, "/api/reach"), PublicLink),
            (_get(server, "/api/games"), Catalogue),
        ):
            assert msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(answer.content, type=form))) == (
                answer.json()
            )


def test_types_of_the_page_are_fresh() -> None:
    """The generated types of the page match the structs of the server."""
    path = ROOT / "page" / "src" / "protocol.ts"
    assert path.read_text("utf-8") == generate_types(), (
        "run: python -m qwixx.server.generate_types page/src/protocol.ts"
    )
