"""
Make the modules: the rules with what is compiled from the sheets and tables, and the player that has learned.

The second is a module of its own, so that a page gets it when somebody wants to play against it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qwixx.browser.exports import EXPORTS, LEARNED, Export
from qwixx.browser.gather import make_objects
from qwixx.browser.link import custom, link
from qwixx.browser.sources import MODULES, SECTION, source_key
from qwixx.browser.tables import inputs, layouts, learned_tables, tables


def make_modules(root: Path) -> dict[str, bytes]:
    """Make the modules of the sources below a folder; give them by their names."""
    key = {SECTION: source_key(root).encode()}
    rules, learned = make_objects(EXPORTS, LEARNED)
    made = [
        _module(rules, EXPORTS, {"tables": tables(), "layouts": layouts(), **key}),
        _module(learned, LEARNED, {"tables": learned_tables(), "inputs": inputs(), **key}),
    ]
    return dict(zip(MODULES, made, strict=True))


def _module(made: bytes, exports: Sequence[Export], parts: dict[str, bytes]) -> bytes:
    linked = link(made, [export.name for export in exports])
    return linked + b"".join(custom(name, data) for name, data in parts.items())
