"""A server below a path of a proxy: which prefixes are accepted, from whom, and what carries them."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from qwixx.errors import QwixxError
from qwixx.server.app import make_app, own_names
from qwixx.server.base.settings import Settings
from qwixx.server.base.url_prefix import MAX_LENGTH, read_prefix
from qwixx.server.http import static_files
from qwixx.server.http.below_path import check_free
from support.server.live_server import Server, open_table, serving
from support.server.operator_client import TOKEN

DOCUMENT = (
    '<!doctype html>\n<meta charset="utf-8" />\n<title>qwixx</title>\n<link href="/icon.svg" />\n<a href="https://x">'
)
PREFIX = "/games/qwixx"


@pytest.fixture(autouse=True)
def _built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Serve a small page."""
    web = tmp_path / "web"
    web.mkdir()
    (web / "index.html").write_text(DOCUMENT)
    (web / "icon.svg").write_text("<svg/>")
    monkeypatch.setattr(static_files, "web_directory", lambda: web)


def get(server: Server, path: str, **headers: str) -> httpx.Response:
    """Ask with headers, whose names have underscores here."""
    return httpx.get(
        f"http://{server.address}{path}", headers={name.replace("_", "-"): value for name, value in headers.items()}
    )


@pytest.mark.parametrize(
    ("text", "prefix"),
    [
        ("", ""),
        ("/", ""),
        (" /games/qwixx/ ", PREFIX),
        ("/a", "/a"),
        ("/api/hassio_ingress/4X-zq_9", "/api/hassio_ingress/4X-zq_9"),
        ("/v1.2/~anna", "/v1.2/~anna"),
        ("/" + "a" * (MAX_LENGTH - 1), "/" + "a" * (MAX_LENGTH - 1)),
    ],
)
def test_prefixes(text: str, prefix: str) -> None:
    """Names between slashes; spaces around and a slash at the end do not matter."""
    assert read_prefix(text) == prefix


@pytest.mark.parametrize(
    "text",
    [
        "games",
        "//evil.example",
        "/a//b",
        "/a//",
        "/..",
        "/a/../b",
        "/./a",
        "/a b",
        "/a%2fb",
        "/a?b",
        "/a#b",
        '/a"onload=',
        "/<script>",
        "/a\\b",
        "/a\nb",
        "/ä",
        "/a, /b",
        "https://evil.example",
        "/" + "a" * MAX_LENGTH,
        "/a" * 5_000,
    ],
)
def test_nonsense_is_no_prefix(text: str) -> None:
    """A prefix is put into HTML, links and headers: nothing that could mean something else there is accepted."""
    assert read_prefix(text) is None
    with pytest.raises(QwixxError, match="QWIXX_PATH is a path such as /games/qwixx"):
        Settings.from_environment({"QWIXX_PATH": text})


def test_the_setting_does_not_hide_pages(tmp_path: Path) -> None:
    """A path that begins like an own path is refused: a proxy that takes it off would not reach the own one."""
    plain = Settings(db=str(tmp_path / "tables.db"))
    app = make_app(plain)
    own = own_names(app)
    for name in ("t", "api", "rules", "ws"):
        with pytest.raises(QwixxError, match=f"cannot start with /{name}"):
            check_free(replace(plain, path=f"/{name}/qwixx"), own)
    check_free(replace(plain, path=PREFIX), own)
    check_free(plain, own)


@pytest.mark.slow
def test_the_setting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The proxy may take the path off or not: everything answers both ways, and every link has the path."""
    drawn: list[str] = []

    def draw(link: str) -> bytes:
        drawn.append(link)
        return b"<svg/>"

    monkeypatch.setattr("qwixx.server.http.api.qr_code", draw)
    with serving(tmp_path, path=f"{PREFIX}/", metrics_token=TOKEN) as server:
        base = f"http://{server.address}{PREFIX}"
        code, _ = open_table(server, name="Anna")
        for path in ("/", "/index.html", "/rules/classic", "/no/such/page"):
            for shown in (path, PREFIX + path):
                page = get(server, shown, accept="text/html").text
                assert f'<meta name="qwixx-path" content="{PREFIX}" />' in page
                assert re.findall('href="([^"]*)"', page) == [f"{PREFIX}/icon.svg", "https://x"]
        assert get(server, f"{PREFIX}/icon.svg").text == "<svg/>"
        assert f'content="{base}/t/{code}"' in get(server, f"{PREFIX}/t/{code}").text
        assert get(server, f"{PREFIX}/api/reach").json()["link"] == base
        get(server, f"{PREFIX}/api/tables/{code}/qr.svg")
        assert drawn == [f"{base}/t/{code}"]
        moved = get(server, PREFIX)
        assert (moved.status_code, moved.headers["location"]) == (307, f"{PREFIX}/")
        assert get(server, f"{PREFIX}er/api/games").status_code == 404
        assert get(server, "/api/reach", x_forwarded_prefix="/evil").json()["link"] == base
        # A proxy that hides the operator's paths does not know them below this one.
        token = f"Bearer {TOKEN}"
        assert get(server, "/metrics", authorization=token).status_code == 200
        assert get(server, f"{PREFIX}/metrics", authorization=token).status_code == 404


@pytest.mark.slow
def test_headers_of_a_trusted_proxy(tmp_path: Path) -> None:
    """A trusted proxy names the path that it took off; only Home Assistant's may also show the page in a frame."""
    with serving(tmp_path, proxies="127.0.0.1", metrics_token=TOKEN) as server:
        plain = get(server, "/")
        assert (plain.text, plain.headers["x-frame-options"]) == (DOCUMENT, "DENY")
        page = get(server, "/", x_forwarded_prefix=PREFIX)
        assert f'href="{PREFIX}/icon.svg"' in page.text
        assert page.headers["x-frame-options"] == "DENY"
        assert get(server, "/api/reach", x_forwarded_prefix=PREFIX).json()["link"].endswith(PREFIX)
        page = get(server, "/", x_ingress_path="/api/hassio_ingress/x1", x_forwarded_prefix="/other")
        assert 'href="/api/hassio_ingress/x1/icon.svg"' in page.text
        assert page.headers["x-frame-options"] == "SAMEORIGIN"
        assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
        token = f"Bearer {TOKEN}"
        assert get(server, "/metrics", authorization=token).status_code == 200
        assert get(server, "/metrics", authorization=token, x_forwarded_prefix=PREFIX).status_code == 404


@pytest.mark.slow
def test_nonsense_in_a_header_is_refused(tmp_path: Path) -> None:
    """People get a sentence, programs a code; twice the same header is nonsense, too."""
    with serving(tmp_path, proxies="127.0.0.1") as server:
        for header in ("x_forwarded_prefix", "x_ingress_path"):
            page = get(server, "/", **{header: '/a"><script>'})
            assert (page.status_code, "script" in page.text, "X-Forwarded-Prefix" in page.text) == (400, False, True)
            answer = get(server, "/api/reach", **{header: "//evil.example"})
            assert (answer.status_code, answer.json()) == (400, {"code": "unreadable"})
        twice = httpx.get(f"http://{server.address}/", headers=[("X-Forwarded-Prefix", "/a")] * 2)
        assert twice.status_code == 400


@pytest.mark.slow
def test_headers_of_anybody_else_are_ignored(tmp_path: Path) -> None:
    """Without a trusted proxy a header changes nothing, whether it is a path or not."""
    with serving(tmp_path) as server:
        for value in (PREFIX, "//evil.example"):
            page = get(server, "/", x_forwarded_prefix=value, x_ingress_path=value)
            assert (page.status_code, page.text, page.headers["x-frame-options"]) == (200, DOCUMENT, "DENY")
            assert PREFIX not in get(server, "/api/reach", x_forwarded_prefix=value).text
