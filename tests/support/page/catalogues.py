"""The catalogues of the page, and patterns that must not appear in a text, for tests of screens."""

from __future__ import annotations

import re

import qwixx
from qwixx.base.languages import LANGUAGES
from qwixx.errors import CODES
from qwixx.game.events import Event
from qwixx.kernel.effects import EFFECTS
from typesetting import catalogue

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
