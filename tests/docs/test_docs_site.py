"""The docs site: it builds without a warning, loads nothing from other hosts, and has every public name."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

from build_site import BORROWED, REFERENCE, ROOT, exported, linked, spread
from fence_examples import fenced


class Loads(HTMLParser):
    """Collects the addresses that a browser would load with a page."""

    def __init__(self, text: str) -> None:
        """Read a page."""
        super().__init__()
        self.found: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect every address except links that a reader clicks."""
        if tag == "a" or dict(attrs).get("rel") in {"canonical", "prev", "next"}:
            return
        self.found += [value for name, value in attrs if name in {"src", "href", "srcset"} and value]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as `make docs` does; warnings are errors."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = os.environ | {"NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.slow
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """Fonts, scripts, styles and pictures are all part of the site, and exist."""
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 40
    for page in pages:
        loads = Loads(page.read_text("utf-8")).found
        assert [address for address in loads if re.match(r"(?:\w+:)?//", address)] == [], page
        if page.name != "404.html":  # which does not know its own address
            files = [address.split("#")[0] for address in loads if not address.startswith("data:")]
            assert [file for file in files if not (page.parent / file).exists()] == [], page
    for style in site.rglob("*.css"):
        assert not re.search(r"(?:url\(|@import)\s*[\"']?(?:https?:)?//", style.read_text("utf-8")), style


@pytest.mark.slow
def test_lists_and_tables_are_rendered(site: Path) -> None:
    """Markdown dialects differ: no markup is left as text on the site."""
    for page in site.rglob("*.html"):
        body = page.read_text("utf-8").partition("<article")[2].partition("</article")[0]
        texts = re.findall(r"<p>(.*?)</p>", body, re.DOTALL)
        left = re.compile(r"^\s*(?:-|\d+\.|\||#+) |\]\(", re.MULTILINE)
        assert [text for text in texts if left.search(text)] == [], page


@pytest.mark.slow
def test_every_public_name_is_in_the_reference(site: Path) -> None:
    """Every export of a module has a link target."""
    ids = {
        name for page in site.glob("reference/*.html") for name in re.findall(r'id="([\w.]+)"', page.read_text("utf-8"))
    }
    names = [f"{module}.{name}" for module in REFERENCE for name in exported(module)]
    assert len(names) > 40
    assert [name for name in names if name not in ids] == []


@pytest.mark.slow
def test_examples_in_docstrings_are_code(site: Path) -> None:
    """A prompt would be a quotation in Markdown; here it is code."""
    text = (site / "reference" / "01-qwixx.html").read_text("utf-8")
    assert re.search(r'<span class="gp">&gt;&gt;&gt; </span>', text)
    assert "<blockquote>" not in text


def test_targets_of_links_between_files_exist() -> None:
    """The targets of links between files of the repository exist, for readers without the site."""
    pages = [ROOT / name for name in BORROWED if name.endswith(".md")]
    pages += [*(ROOT / "docs").rglob("*.md"), *(ROOT / "page").glob("*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\((?!\w+:)([^)#\s]+)", page.read_text("utf-8"))]
    assert len(links) > 40
    assert [(page.name, link) for page, link in links if not (page.parent / link).exists()] == []


def test_links_lead_from_page_to_page() -> None:
    """Files outside docs/ have another address on the site; links from, to and between them are changed."""
    assert linked("[a](docs/study.md#x)", "README.md", "index.md") == "[a](study.md#x)"
    assert linked("[a](../bench/results.md)", "docs/solving.md", "solving.md") == "[a](bench/results.md)"
    assert (
        linked("[a](../../CONTRIBUTING.md)", "docs/guides/variants.md", "guides/variants.md")
        == "[a](../contributing.md)"
    )
    assert linked("[a](docs/decisions)", "README.md", "index.md") == "[a](decisions/README.md)"
    assert linked('<img src="docs/pictures/duel.svg">', "README.md", "index.md") == '<img src="pictures/duel.svg">'
    same = "[a](https://example.org) [b](#here)"
    assert linked(same, "README.md", "index.md") == same


def test_stars_in_the_table_of_contents() -> None:
    """A name with a star is replaced by all matching pages, in order, as a section or among others."""
    pages = ["more/b.md", "one.md", "more/a.md"]
    assert spread([{"One": "one.md"}, {"All": "more/*.md"}], pages) == [
        {"One": "one.md"},
        {"All": ["more/a.md", "more/b.md"]},
    ]
    assert spread({"All": ["one.md", "more/*.md", "none*.md"]}, pages) == {"All": ["one.md", "more/a.md", "more/b.md"]}


def test_examples_are_fenced() -> None:
    """From the prompt to the next empty line."""
    assert fenced("Words.\n\n>>> 1 + 1\n2\n\nMore.") == "Words.\n\n\n```pycon\n>>> 1 + 1\n2\n```\n\nMore."
    assert fenced("No prompt.") == "No prompt."
