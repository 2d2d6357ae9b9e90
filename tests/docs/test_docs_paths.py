"""Files and modules that the docs name in code quotes exist, so that a move cannot leave a wrong path."""

from __future__ import annotations

import re
from importlib import import_module
from importlib.util import find_spec

import pytest

from support.paths import ROOT

PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "page/README.md"]
PAGES += [
    str(path.relative_to(ROOT)) for folder in ("docs", "docs/guides", "bench") for path in (ROOT / folder).glob("*.md")
]
FOLDERS = [
    ROOT,
    ROOT / "src/qwixx",
    ROOT / "src/qwixx/wasm",
    ROOT / "page",
    ROOT / "page/src",
    ROOT / "page/src/engine",
]
"""Paths in the docs start at one of these."""
EXAMPLES = {
    "my_bot.py",
    "file.py",
    "my-sheet.toml",
    "mine.toml",
    "need-10.toml",
    "games.py",
    "checked/",
    "solved/",
    "qwixx.db",
    "qwixx.db.lock",
}
"""Names of the reader's files, and of folders in the cache."""
_FILE = re.compile(r"(?<![\w/.:-])((?:[\w.-]+/)*[\w.-]+\.(?:py|ts|toml|json|md|yml)|(?:[a-z_]+/)+)(?=$|[\s:,)])")
_MODULE = re.compile(r"python -m (qwixx(?:\.\w+)+|bench\.\w+|examples\.\w+)|`(qwixx(?:\.[a-z_]+)+)`")


def files_in(text: str) -> set[str]:
    """Find the paths of files and folders in code quotes."""
    return {path for code in re.findall(r"`([^`\n]+)`", text) for path in _FILE.findall(code)} - EXAMPLES


def exists(name: str) -> bool:
    """Return whether there is a module of this name, or a module with this attribute."""
    parent, _, attribute = name.rpartition(".")
    try:
        return find_spec(name) is not None or hasattr(import_module(parent), attribute)
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("page", sorted(PAGES))
def test_paths_exist(page: str) -> None:
    """Each path is a file or folder of the repository, and each module can be found."""
    text = (ROOT / page).read_text("utf-8")
    missing = [path for path in sorted(files_in(text)) if not any((folder / path).exists() for folder in FOLDERS)]
    assert missing == []
    modules = {first or second for first, second in _MODULE.findall(text)} - EXAMPLES
    assert [module for module in sorted(modules) if not exists(module)] == []


def test_paths_are_found() -> None:
    """A file, a file with a function and a folder are found; addresses and examples are not."""
    text = "`kernel/paper.py: allows`, `server/store/`, `https://x.example/a.md`, `my_bot.py:MyBot`, `GET /a.json`"
    assert files_in(text) == {"kernel/paper.py", "server/store/"}
    assert exists("qwixx.players.find")
    assert not exists("qwixx.learn.weighing")
    assert not exists("qwixx.learn")
