"""Generates the rule book's data for the page: `python -m qwixx.rulebook.page_data` writes page_data.json."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from qwixx.base.atomic_files import write_atomically
from qwixx.base.generator_arguments import parse_paths
from qwixx.base.languages import LANGUAGES
from qwixx.rulebook.examples import Example, example, fences
from qwixx.rulebook.page_files import words
from qwixx.rulebook.quick_reference import Section, quick_card
from qwixx.variants import load, names

FILE = Path(__file__).with_name("page_data.json")


class PageData(msgspec.Struct, rename="camel"):
    """Every example by game and name; every quick reference and the labels of pictures by language."""

    examples: dict[str, dict[str, Example]]
    cards: dict[str, dict[str, tuple[Section, ...]]]
    words: dict[str, dict[str, str]]


def page_data() -> str:
    """Return the text of the file."""
    games = names()
    data = PageData(
        {game: {name: example(game, name) for name in fences(game)} for game in games},
        {language: {game: quick_card(load(game), language) for game in games} for language in LANGUAGES},
        {language: words()["words"][language] for language in LANGUAGES},
    )
    text = msgspec.json.encode(data).decode()
    # A line for each example and each card, so that diffs are readable.
    return text.replace('},"', '},\n"') + "\n"


if __name__ == "__main__":
    parse_paths(__doc__)
    write_atomically(FILE, [page_data().encode()])
    sys.stdout.write(f"{FILE}\n")
