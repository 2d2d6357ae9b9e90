"""Printable sheets from a server: exactly the requested file, with a rate limit."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from pypdf import PdfReader

from qwixx.printing.document import make_pad
from qwixx.printing.print_request import PrintRequest
from qwixx.variants import load
from support.server.live_server import Server, open_table, serving


def _print(server: Server, path: str) -> httpx.Response:
    return httpx.get(f"http://{server.address}/api/print/{path}", timeout=30)


@pytest.mark.slow
def test_a_pad_from_the_server(tmp_path: Path) -> None:
    """The bytes equal those of `qwixx print`; the QR code leads to the rules, or to an existing table."""
    with serving(tmp_path) as server:
        plain = _print(server, "bonus-a.pdf?paper=a5&perPage=1&sheets=2&lang=de&ink=gray")
        assert plain.headers["content-type"] == "application/pdf"
        assert plain.content == make_pad(load("bonus-a"), PrintRequest("a5", 1, 2, ("de",), "gray"))
        on_mixed = _print(server, "cards.pdf?sheet=gemixxt-a&only=sheets&sheets=1&large=yes").content
        assert on_mixed == make_pad(load("cards", "gemixxt-a"), PrintRequest(sheets=1, only="sheets", large=True))
        code, _ = open_table(server, name="Anna")
        to_rules = _print(server, "classic.pdf?sheets=1&qr=rules").content
        link = f"http://{server.address}/rules/classic"
        assert to_rules == make_pad(load("classic"), PrintRequest(sheets=1, link=link))
        to_table = _print(server, f"classic.pdf?sheets=1&qr={code.lower()}").content
        assert to_table == make_pad(load("classic"), PrintRequest(sheets=1, link=f"http://{server.address}/t/{code}"))
        assert len(PdfReader(io.BytesIO(to_table)).pages) == 1


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("chess.pdf", 400),
        ("classic.pdf?sheets=many", 400),
        ("classic.pdf?sheets=100000", 400),
        ("classic.pdf?sheets=-1", 400),
        ("classic.pdf?perPage=3", 400),
        ("classic.pdf?lang=xx", 400),
        (f"classic.pdf?paper={'a' * 5000}", 400),
        ("classic.pdf?sheet=gemixxt-a", 400),
        ("cards.pdf?sheet=../secret.toml", 400),
        ("classic.pdf?qr=NOSUCHTB", 404),
        ("classic.txt", 404),
    ],
)
def test_invalid_print_requests(path: str, status: int, server: Server) -> None:
    """Each invalid request gets a short error and no file."""
    answer = _print(server, path)
    assert answer.status_code == status
    assert len(answer.content) < 100


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Yield one server for all refused requests."""
    with serving(tmp_path_factory.mktemp("printing")) as running:
        yield running


@pytest.mark.slow
def test_not_too_often(tmp_path: Path) -> None:
    """An address may request only a limited number of files per minute."""
    with serving(tmp_path, prints_per_address=2) as server:
        found = [_print(server, "classic.pdf?sheets=1").status_code for _ in range(3)]
    assert found == [200, 200, 429]
