"""The page's types of the compiled functions and of the tables."""

from __future__ import annotations

import msgspec
import pytest

from qwixx.wasm.generate_types import FILES
from qwixx.wasm.page_tables import tables
from qwixx.wasm.table_types import Tables
from support.paths import ROOT


@pytest.mark.parametrize("name", FILES)
def test_types_are_fresh(name: str) -> None:
    """The page's types are those of the exported functions and of the tables."""
    folder = ROOT / "page/src/engine"
    assert (folder / name).read_text("utf-8") == FILES[name](), f"run: python -m qwixx.wasm.generate_types {folder}"


def test_tables_have_their_types() -> None:
    """The JSON in the module can be read as the declared type, and has no other fields."""
    found = tables()
    assert msgspec.json.decode(msgspec.json.encode(msgspec.json.decode(found, type=Tables))) == msgspec.json.decode(
        found
    )
