"""Checks that the installed compiler has the pinned version."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from qwixx.errors import QwixxError
from qwixx.wasm.source_key import pins


def check_versions(root: Path) -> None:
    """Refuse any other version: the tests have not compared its modules with the rules."""
    for name, wanted in pins(root).items():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "none"
        if found != wanted:
            raise QwixxError(f"The browser's rules need {name} {wanted} to compile; {found} is installed.")
