"""Which compiler makes the module: exactly the one that the project has pinned."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from qwixx.browser.sources import pins
from qwixx.errors import QwixxError


def check_versions(root: Path) -> None:
    """Refuse any other compiler: what others make has never been compared with the rules."""
    for name, wanted in pins(root).items():
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "none"
        if found != wanted:
            raise QwixxError(f"The browser's rules are compiled with {name} {wanted}, and there is {found}.")
