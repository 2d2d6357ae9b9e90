"""Labels of the page that guides quote in italics exist on the page."""

from __future__ import annotations

import re

import pytest

from support.paths import ROOT
from typesetting import APOSTROPHE, catalogue

LABELS = {form.replace(APOSTROPHE, "'") for forms in catalogue("en").values() for form in forms}
OTHER = {"italics", "others"}
"""Words in italics that are not labels."""


def quoted(text: str) -> set[str]:
    """Find everything in italics, bold or not, outside code."""
    text = re.sub(r"^    .*$|`[^`]*`", "", text, flags=re.MULTILINE)
    return set(re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", text.replace("***", "*").replace("**", "")))


@pytest.mark.parametrize(
    "page", ["README.md", "CHANGELOG.md", "docs/guides/playing.md", "docs/server.md", "docs/analysis.md"]
)
def test_quoted_labels_exist(page: str) -> None:
    """A guide may shorten a label, but never invents one."""
    found = quoted((ROOT / page).read_text("utf-8")) - OTHER
    assert found
    assert [label for label in sorted(found) if not any(each.startswith(label) for each in LABELS)] == []


def test_italics_are_found() -> None:
    """Bold italics count too; code and plain bold are not quotes."""
    assert quoted("*One* and ***Two***, **three**, `*four*`.\n\n    *five*") == {"One", "Two"}
