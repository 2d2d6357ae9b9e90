"""docs/protocol.md: its message tables are generated from the structs, and nothing is left out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec import inspect

from qwixx.server import generate_docs
from qwixx.server.wire import messages
from support.paths import ROOT

PAGE = ROOT / "docs" / "protocol.md"
TEXT = PAGE.read_text("utf-8")


@pytest.mark.slow
def test_the_tables_are_up_to_date() -> None:
    """`python -m qwixx.server.generate_docs docs/protocol.md` would change nothing."""
    assert generate_docs.renewed(TEXT) == TEXT, "run: python -m qwixx.server.generate_docs docs/protocol.md"


@pytest.mark.parametrize(("name", "union"), [("from-page", messages.FromPage), ("from-server", messages.FromServer)])
def test_every_message_and_field_is_in_its_table(name: str, union: object) -> None:
    """A message has its line, and each of its fields is named in it or below."""
    block = TEXT.split(f"<!-- messages {name} -->")[1].split("<!-- end -->")[0]
    structs = [kind for kind in inspect.multi_type_info(get_args(union)) if isinstance(kind, inspect.StructType)]
    assert len(structs) == len(get_args(union))
    assert re.findall(r"^\| \*\*`(\w+)`\*\* \|", block, re.MULTILINE) == [kind.tag for kind in structs]
    for kind, part in zip(structs, block.split("| **`")[1:], strict=True):
        assert [field for field in kind.fields if f"`{field.encode_name}" not in part] == []


def test_docstrings_of_fields_are_found() -> None:
    """The text below a field is its description; fields without one have none."""
    docs = generate_docs.field_docs(messages.Decide)
    assert set(docs) == {"phase", "action"}
    assert docs["action"] == "Text of the action, such as `r7`."


def test_a_page_is_written_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command replaces what is between the marks, and nothing else; an unknown table is an error."""
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- messages parts -->\nold\n<!-- end -->\nafter\n", "utf-8")
    monkeypatch.setattr("sys.argv", ["generate_docs", str(page)])
    generate_docs.main()
    lines = page.read_text("utf-8").splitlines()
    assert lines[:3] == ["before", "<!-- messages parts -->", "| part | fields | meaning |"]
    assert lines[-2:] == ["<!-- end -->", "after"]
    assert "old" not in lines
    with pytest.raises(AssertionError, match="no table 'whole'"):
        generate_docs.renewed("<!-- messages whole -->\n<!-- end -->")
