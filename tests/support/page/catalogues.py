"""The catalogues of the page, and patterns that must not appear in a text, for tests of screens."""

from __future__ import annotations

import re

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.errors import CODES
from qwixx.game.events import Event
from qwixx.kernel.effects import EFFECTS
from typesetting import ROOT, catalogue

CATALOGUES = {language: catalogue(language) for language in LANGUAGES}
KEYS = set(CATALOGUES["en"])
IDS = {effect.name for effect in EFFECTS if "-" in effect.name} | {"plus-13"}
IDS |= {
    word for word in (*CODES.values(), *(kind.word for kind in Event.__subclasses__()), *qwixx.games()) if "-" in word
}
"""Ids of effects, reasons, events and games."""
CODE = re.compile(
    rf"(?<![\w-])({'|'.join(sorted(map(re.escape, IDS), key=len, reverse=True))})(?![\w-])"
    r"|\b[rygbj]\d{1,2}\b"  # cells and cards in the notation of the program
    r"|[a-z]_[a-z]|[\x00-\x08]|\\[bnt]|\b(None|null|undefined|NaN|True|False)\b|=>"
)

HEADINGS = {"de": "German", "fr": "French", "it": "Italian", "nl": "Dutch"}
"""The headings of the languages in docs/glossary.md."""


def glossary(language: str) -> dict[str, list[str]]:
    """Return the terms of a language in docs/glossary.md, by the English word; a noun and a verb share a word."""
    terms: dict[str, list[str]] = {}
    heads: list[str] = []
    for line in (ROOT / "docs/glossary.md").read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0] == "word":
            heads = cells
        elif HEADINGS[language] in heads and len(cells) == len(heads) and set(line) - set("|- "):
            terms.setdefault(cells[0], []).extend(cells[heads.index(HEADINGS[language])].split(", "))
    return terms
