"""Make the module: compiled rules, what is compiled from the sheets, and tables, in one file."""

from __future__ import annotations

from pathlib import Path

from qwixx.browser.exports import EXPORTS
from qwixx.browser.gather import make_object
from qwixx.browser.link import custom, link
from qwixx.browser.sources import SECTION, source_key
from qwixx.browser.tables import layouts, tables


def make_module(root: Path) -> bytes:
    """Make the module of the sources below a folder."""
    rules = link(make_object(EXPORTS), [export.name for export in EXPORTS])
    parts = {"tables": tables(), "layouts": layouts(), SECTION: source_key(root).encode()}
    return rules + b"".join(custom(name, data) for name, data in parts.items())
