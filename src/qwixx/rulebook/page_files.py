"""Reads the files of the rule book: rules, words and pages, whose fenced blocks extend Markdown."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

DRAWN = ("example", "points", "sheet")
"""Kinds of fenced blocks that are drawn: a played example, the points of a row, an empty sheet."""
_FENCE = re.compile(r"^```(\w+)(?: ([\w-]+))?\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
_IDS = re.compile(r" ?\(((?:[A-Z]{1,2}\d+a?)(?:, [A-Z]{1,2}\d+a?)*)\)")

_MARKS = re.compile(r"^(?:- |\d+\. )|\*\*|`")


class Fence(NamedTuple):
    """A fenced block of a page: its kind, its name, and its lines."""

    kind: str
    name: str
    text: str


def _read(*path: str) -> str:
    return resources.files("qwixx.rulebook").joinpath(*path).read_text("utf-8")


@cache
def rule_book() -> dict[str, dict[str, Any]]:
    """Read all rules: id, title, sentence and the games they apply to."""
    return tomllib.loads(_read("rules.toml"))


@cache
def words() -> dict[str, Any]:
    """Read the labels of pictures and the lines of the quick reference, in all languages."""
    return tomllib.loads(_read("quick_reference.toml"))


def rules_page(game: str, language: str = "en") -> str:
    """Read the rule page of a built-in game."""
    return _read("pages", language, f"{game}.md")


def segments(page: str) -> Iterator[str | Fence]:
    """Split a page into Markdown and the blocks that are drawn."""
    end = 0
    for found in _FENCE.finditer(page):
        if found[1] in DRAWN:
            yield page[end : found.start()]
            yield Fence(found[1], found[2] or "", found[3])
            end = found.end()
    yield page[end:]


def cited(page: str) -> set[str]:
    """Return the ids of the rules that a page cites."""
    return {rule for found in _IDS.finditer(page) for rule in found[1].split(", ")}


def citing(page: str) -> dict[str, list[str]]:
    """Return the sentences of a page by the rules that they cite, without chapters of examples and without Markdown."""
    found: dict[str, list[str]] = {}
    chapters = [chapter for chapter in page.split("\n## ") if "\n```example" not in chapter]
    for line in "\n".join(chapters).splitlines():
        text = _MARKS.sub("", without_ids(line)).strip()
        for rule in sorted(cited(line)):
            found.setdefault(rule, []).append(text)
    return found


def without_ids(page: str) -> str:
    """Remove the rule ids from a page."""
    return _IDS.sub("", page)
