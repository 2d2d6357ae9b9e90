"""
Builds the modules: `kernel` with the rules, the compiled sheets and tables, and `master` with the trained player.

`master` is separate, so that the page loads it only for a game against this player.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from qwixx.wasm.compile_module import compile_objects
from qwixx.wasm.exports import EXPORTS, LEARNED
from qwixx.wasm.linker import custom_section, link
from qwixx.wasm.page_tables import inputs, layouts, learned_tables, tables
from qwixx.wasm.source_key import MODULES, SECTION, source_key

_GROUPS: Final = dict(zip(MODULES, (EXPORTS, LEARNED), strict=True))


def build_modules(root: Path, names: Sequence[str] = MODULES) -> dict[str, bytes]:
    """Build modules from the sources in a repository, and return them by name."""
    key = source_key(root).encode()
    objects = compile_objects(*(_GROUPS[name] for name in names))
    return {name: _module(name, compiled, key) for name, compiled in zip(names, objects, strict=True)}


def _module(name: str, compiled: bytes, key: bytes) -> bytes:
    linked = link(compiled, [export.name for export in _GROUPS[name]])
    if _GROUPS[name] is EXPORTS:
        sections = {"tables": tables(), "layouts": layouts()}
    else:
        sections = {"tables": learned_tables(), "inputs": inputs()}
    return linked + b"".join(custom_section(title, data) for title, data in {**sections, SECTION: key}.items())
