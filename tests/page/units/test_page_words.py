"""The texts of the page: four complete catalogues, and a text for every code of the server."""

from __future__ import annotations

import re
from typing import get_args

import pytest

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.coach.grades import THRESHOLDS
from qwixx.errors import CODES
from qwixx.game.events import Event
from qwixx.kernel.state.records import ENDINGS
from qwixx.server.base.errors import RefusalCode
from support.page.catalogues import CATALOGUES, KEYS
from support.paths import ROOT

PAGE = ROOT / "page"
SILENT = {"decided", "phase", "turn"}
"""Events that the screen shows in other ways, without a text."""


def source() -> str:
    """Return all sources of the page."""
    files = [path for ending in ("*.svelte", "*.ts") for path in (PAGE / "src").rglob(ending)]
    return "\n".join(path.read_text("utf-8") for path in files)


def placeholders(forms: list[str]) -> set[str]:
    """Return the names in braces."""
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_catalogue_is_complete(language: str) -> None:
    """All languages have the same ids, forms and placeholders, and no empty text."""
    texts = CATALOGUES[language]
    assert set(texts) == KEYS
    for key, forms in texts.items():
        english = CATALOGUES["en"][key]
        assert all(forms), f"{key} is empty"
        assert len(forms) == len(english), key
        assert placeholders(forms) == placeholders(english), key


def test_every_text_that_is_used_exists() -> None:
    """Ids in the source are in the catalogue; for ids made from codes, their prefix is."""
    text = source()
    used = set(re.findall(r'\bt\(\s*"([^"]+)"', text)) | set(re.findall(r'\? "([a-z-]+\.[a-z.-]+)" : "', text))
    assert used - KEYS == set()
    for beginning in set(re.findall(r"`([a-z-]+\.)\$\{", text)):
        assert any(key.startswith(beginning) for key in KEYS), beginning


def test_every_text_is_used() -> None:
    """No text is translated in vain."""
    text = source()
    beginnings = set(re.findall(r"`([a-z-]+(?:\.[a-z-]+)*\.)\$\{", text))
    beginnings.add("cli.")  # tests/cli/test_cli_languages.py
    said = {key.removesuffix(".you") for key in KEYS}  # to the reader; where it is not, the text without it is said
    used = {key for key in said if f'"{key}"' in text or any(key.startswith(b) for b in beginnings)}
    unused = {key for key in KEYS if key not in used and key.removesuffix(".you") not in used}
    assert unused == set()


def test_every_code_of_the_server_has_a_text() -> None:
    """Games, events, endings, refusals."""
    codes = {f"why.{code}" for code in CODES.values()}
    codes |= {f"event.{kind.word}" for kind in Event.__subclasses__() if kind.word not in SILENT}
    codes |= {f"ending.{ending}" for ending in ENDINGS if ending}
    codes |= {f"{prefix}" for name in qwixx.games() for prefix in (f"game.{name}", f"game.{name}.about")}
    codes |= {f"error.{code}" for code in get_args(RefusalCode)}
    assert codes - KEYS == set()


def test_the_lock_names_no_host() -> None:
    """The builder of the page chooses the registry of its packages."""
    lock = (PAGE / "package-lock.json").read_text("utf-8")
    assert "http" not in lock
    assert "resolved" not in lock


def test_files_are_small() -> None:
    """Each file has one job; the limit is that of Python files."""
    for path in (PAGE / "src").rglob("*.*"):
        if path.suffix in {".svelte", ".ts"} and path.name != "protocol.ts":
            assert len(path.read_text("utf-8").splitlines()) <= 450, path.name


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_settings_name_the_limits_of_the_grades(language: str) -> None:
    """'From 2%, alone 0.5 points': these are the thresholds of a slip."""
    for grade, share in THRESHOLDS["win"].items():
        said = CATALOGUES[language][f"settings.tutor.{grade}"][0].replace(",", ".")
        numbers = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", said)]
        assert numbers == [pytest.approx(100 * share), THRESHOLDS["points"][grade]], said
