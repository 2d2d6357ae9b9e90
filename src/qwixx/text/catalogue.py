"""
The texts of the page and the terminal: one file per language in `catalogues`.

A text of the library, such as `Refusal.sentence`, is in English and not in here, except `setup.*`: why a position is
impossible, which the library and the page say with the same words. Ids that begin with `cli.` are for the
terminal only; the page leaves them out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

from qwixx.base.languages import ENGLISH, current_language, form_for
from qwixx.text.italian import elide_articles

FOLDER: Final = Path(__file__).with_name("catalogues")
_TEXT: Final = re.compile(r'^msgid "(.+)"\n(?:msgid_plural .*\n)?((?:msgstr.*(?:\n|\Z))+)', re.MULTILINE)
_FORM: Final = re.compile(r'^msgstr(?:\[\d\])? (".*")$', re.MULTILINE)


@cache
def read_catalogue(language: str) -> dict[str, list[str]]:
    """Read a catalogue: every id with its text, or with its forms for one and for many."""
    content = (FOLDER / f"{language}.po").read_text("utf-8")
    return {key: [json.loads(form) for form in _FORM.findall(forms)] for key, forms in _TEXT.findall(content)}


def t(key: str, /, **values: str | int) -> str:
    """Return a text with its placeholders filled in; `n` chooses between the forms for one and for many."""
    language = current_language()
    text = form_for(read_catalogue(language)[key], int(values.get("n", 0)), language).format_map(values)
    return elide_articles(text) if language == "it" else text


def has(key: str) -> bool:
    """Return whether there is such a text."""
    return key in read_catalogue(ENGLISH)


def listed(words: Iterable[str | int]) -> str:
    """Join words as the language does: "Anna, Ben and Cleo"."""
    *first, last = map(str, words)
    return t("cli.and", first=", ".join(first), last=last) if first else last
