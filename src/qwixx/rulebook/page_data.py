"""What the page draws of the rule book, as data: `python -m qwixx.rulebook.drawn` writes it beside the pages."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from qwixx.files import write_whole
from qwixx.languages import LANGUAGES
from qwixx.rulebook.examples import Example, example, fences
from qwixx.rulebook.pages import words
from qwixx.rulebook.quick import Section, quick_card
from qwixx.variants import load, names

FILE = Path(__file__).with_name("drawn.json")


class Drawn(msgspec.Struct, rename="camel"):
    """Every example by game and name; every quick reference and the words beside pictures by language."""

    examples: dict[str, dict[str, Example]]
    cards: dict[str, dict[str, tuple[Section, ...]]]
    words: dict[str, dict[str, str]]


def drawn() -> str:
    """Write the file's text."""
    games = names()
    data = Drawn(
        {game: {name: example(game, name) for name in fences(game)} for game in games},
        {language: {game: quick_card(load(game), language) for game in games} for language in LANGUAGES},
        {language: words()["words"][language] for language in LANGUAGES},
    )
    text = msgspec.json.encode(data).decode()
    # A line for each example and each card: so that a change can be read.
    return text.replace('},"', '},\n"') + "\n"


if __name__ == "__main__":
    write_whole(FILE, [drawn().encode()])
    sys.stdout.write(f"{FILE}\n")
