"""docs/formats.md names every word of the readers and writers of text."""

from __future__ import annotations

import re
from typing import get_args

import pytest

from qwixx.game.events import AnyEvent
from qwixx.game.position.fields import SEAT_FIELDS, TABLE_FIELDS, keys_of
from qwixx.game.view import RowView, SheetView, View
from qwixx.sim import simulate
from qwixx.text import record
from support.paths import ROOT

PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")

GUIDE = (ROOT / "docs" / "guides" / "library.md").read_text("utf-8")


def section(title: str) -> str:
    """Return one section of the page."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def first_words(text: str) -> set[str]:
    """Return the first word of each code quote in the first column of a table."""
    cells = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| ")]
    return {code.split(" ")[0] for cell in cells for code in re.findall(r"`([^`]+)`", cell)}


def test_every_line_of_a_record() -> None:
    """The table has every line that the writer writes and the reader reads."""
    known = {*record.HEADER, *record._CHANCE, "scores", record.FIRST_LINE.split(" ")[0]}
    known.add(f"\\{record.DRAWING}")  # a pipe would end the cell
    # and the decision of a seat, with seat 0 as the example
    assert first_words(section("Game record")) == {*known, "0"}


def test_every_fact_of_a_position() -> None:
    """The tables have the words of all declared fields, those of the rows with red and a bonus row as examples."""
    facts = {word.partition("=")[0] for word in first_words(section("Position line"))}
    assert facts == {"sheet", "r", "ry", "small", *keys_of(TABLE_FIELDS), *keys_of(SEAT_FIELDS)}


@pytest.mark.parametrize("kind", get_args(AnyEvent), ids=lambda kind: str(kind.word))
def test_every_event(kind: type) -> None:
    """Each kind of event has its row: its word, its details as in plain data, and its class."""
    word, fields = kind.word, kind.__struct_fields__  # type: ignore[attr-defined]
    (row,) = [line for line in section("Events").splitlines() if line.startswith(f"| `{word}` |")]
    assert re.findall(r"`(\w+)`", row.split("|")[2]) == list(fields)
    assert row.split("|")[3].strip() == f"`{kind.__name__}`"


@pytest.mark.parametrize("kind", [View, SheetView, RowView])
def test_every_attribute_of_a_view(kind: type) -> None:
    """The guide to the library has a table of the attributes of each."""
    table = GUIDE.split(f"| of a `{kind.__name__}` |")[1].split("\n\n")[0]
    assert first_words(table) == set(kind.__annotations__)


def test_every_key_of_results() -> None:
    """The page has every key of `to_dict`."""
    results = simulate("classic", 2, "gap", 2)
    data = results.to_dict()
    on_page = set(re.findall(r"`([a-z_]+)`", section("Results of a simulation")))
    assert {*data, *data["by_seat"][0], *data["turns"], *data["first_seat_advantage"]} <= on_page
    assert set(results.to_dicts("score")[0]) <= on_page
