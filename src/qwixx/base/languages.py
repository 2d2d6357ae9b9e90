"""The languages of the game, and that of the terminal; `languages.json` is the list for package and page."""

from __future__ import annotations

import json
import os
from contextvars import ContextVar
from pathlib import Path
from typing import Final

LANGUAGES: Final[tuple[str, ...]] = tuple(json.loads(Path(__file__).with_suffix(".json").read_text("utf-8")))
"""The code of each language. English is first: all texts are written in it before they are translated."""
ENGLISH: Final = LANGUAGES[0]
_ZERO_IS_ONE: Final = ("fr",)
"""Languages in which zero takes the singular."""
_current: Final = ContextVar("language", default=ENGLISH)


def form_for(text: str | list[str], number: int, language: str) -> str:
    """Return a text, or its form for this number: for one or for many."""
    is_one = number == 1 or (number == 0 and language in _ZERO_IS_ONE)
    return text if isinstance(text, str) else text[0 if is_one else -1]


def preferred_language() -> str:
    """Return the language of the environment, as POSIX names it (`LC_ALL=de_CH.UTF-8`); English if it is not ours."""
    named = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = next(filter(None, named), "")[:2]
    return wanted if wanted in LANGUAGES else ENGLISH


def speak(language: str) -> None:
    """Choose the language of the terminal. Only the command line does this: the library is in English."""
    _current.set(language)


def current_language() -> str:
    """Return the language of the terminal."""
    return _current.get()
