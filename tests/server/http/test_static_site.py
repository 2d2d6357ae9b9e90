"""`qwixx site`: the page as a folder that any static file host can serve."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from qwixx.base.languages import LANGUAGES
from qwixx.cli import main
from qwixx.server.http import static_files, static_site

DOCUMENT = (
    '<!doctype html>\n<meta charset="utf-8" />\n<link href="/icon.svg" />'
    '<script type="module" src="/assets/index-Bx3_9aQz.js"></script>'
)


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a small built page."""
    web = tmp_path / "web"
    (web / "assets").mkdir(parents=True)
    (web / "index.html").write_text(DOCUMENT)
    (web / "sw.js").write_text('const VERSION = "abc";')
    (web / "assets" / "index-Bx3_9aQz.js").write_text("export {}")
    monkeypatch.setattr(static_site, "web_directory", lambda: web)
    return web


def run(*words: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(main, ["site", *words])


def test_a_site_names_its_files_relative_to_itself(built: Path, tmp_path: Path) -> None:
    """The site works below any path; without headers, the document contains its own security policy."""
    folder = tmp_path / "out" / "games"
    result = run("-o", str(folder))
    assert (result.exit_code, result.stdout.split()[0]) == (0, "3")
    text = (folder / "index.html").read_text()
    assert set(re.findall(r'(?:href|src)="([^"]+)"', text)) == {"./icon.svg", "./assets/index-Bx3_9aQz.js"}
    assert '<meta name="qwixx-site" content="" />' in text
    (policy,) = re.findall(r'Security-Policy" content="([^"]+)"', text)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == "'self' 'wasm-unsafe-eval'"
    assert "frame-ancestors" not in rules  # browsers accept this directive only in a header
    assert (folder / "assets" / "index-Bx3_9aQz.js").read_text() == "export {}"


@pytest.mark.slow
def test_a_site_contains_sheets_to_print(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a PDF for each game and language, with a link; without PDFs, those of an older site are deleted."""
    monkeypatch.setattr("qwixx.games", lambda: ("duel", "longo"))
    folder = tmp_path / "out"
    names = {f"{game}-{language}.pdf" for game in ("duel", "longo") for language in LANGUAGES}
    assert run("-o", str(folder), "--pads").stdout.split()[0] == str(len(names) + 3)  # with three files of the page
    assert {path.name for path in (folder / "print").iterdir()} == names
    assert len(PdfReader(folder / "print" / "duel-de.pdf").pages) == 2
    assert '<meta name="qwixx-pads" content="a4" />' in (folder / "index.html").read_text()
    (folder / "print" / "mine.pdf").write_text("")
    assert run("-o", str(folder)).exit_code == 0
    assert [path.name for path in (folder / "print").iterdir()] == ["mine.pdf"]
    assert "qwixx-pads" not in (folder / "index.html").read_text()


def test_a_site_is_updated(built: Path, tmp_path: Path) -> None:
    """Files of an older version are deleted; a new server address makes a new version for pages in a cache."""
    folder = tmp_path / "out"
    assert run("-o", str(folder)).exit_code == 0
    (folder / "assets" / "index-old.js").write_text("")
    (folder / "CNAME").write_text("games.example")
    first = (folder / "sw.js").read_text()
    assert run("-o", str(folder), "--server", "https://play.example:8443/").exit_code == 0
    assert not (folder / "assets" / "index-old.js").exists()
    assert (folder / "CNAME").read_text() == "games.example"
    assert '<meta name="qwixx-site" content="https://play.example:8443" />' in (folder / "index.html").read_text()
    assert first != (folder / "sw.js").read_text()


def test_invalid_site_commands(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It refuses a folder with other files, an invalid address and a page that is not built; nothing is written."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.tex").write_text("years of work")
    (tmp_path / "file").write_text("")
    cases = {
        ("-o", str(tmp_path / "full")): "holds something else",
        ("-o", str(tmp_path / "file")): "is not a folder",
        ("-o", str(tmp_path / "new"), "--server", "games.example"): "is not the address of a server",
        ("-o", str(tmp_path / "new"), "--server", "https://[games"): "is not the address of a server",
        ("-o", str(tmp_path / "new"), "--server", 'https://games.example/"><script>'): "is not the address",
        (): "Missing: --output",
    }
    for words, sentence in cases.items():
        result = run(*words)
        assert result.exit_code == 2
        assert sentence in result.stderr
    monkeypatch.setattr(static_site, "web_directory", lambda: tmp_path / "nowhere")
    assert "has not been built" in run("-o", str(tmp_path / "new")).stderr
    assert not (tmp_path / "new").exists()
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["thesis.tex"]


def test_the_page_names_its_files_so_that_they_can_be_made_relative() -> None:
    """The built document names only its own files, with absolute paths."""
    document = static_files.web_directory() / "index.html"
    if not document.is_file():
        pytest.skip("the page has not been built")
    for address in re.findall(r'(?:href|src)="([^"]+)"', document.read_text("utf-8")):
        assert re.fullmatch(r"/[\w.-]+(/[\w.-]+)*", address)


def test_a_site_contains_the_nets_of_the_package(built: Path, tmp_path: Path) -> None:
    """The built page only lists them; a static host gets the files."""
    name = "classic-2-c771d253de2666bf.net"
    (built / "nets.json").write_text(f'{{"assets/classic-2-Bx3_9aQz.net": "{name}"}}')
    folder = tmp_path / "out"
    assert run("-o", str(folder)).exit_code == 0
    written = folder / "assets" / "classic-2-Bx3_9aQz.net"
    assert written.read_bytes() == (static_files.web_directory().parent / "nets" / "trained" / name).read_bytes()
