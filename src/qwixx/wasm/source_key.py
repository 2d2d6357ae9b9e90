"""
What the modules are made from, so that they are made anew when that has changed. `hatch_build.py` runs this file alone.

A module carries the key of its sources. Everything counts that the rules, the sheets and their words could come from,
and the versions of the compiler.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from typing import Final

MODULES: Final = ("kernel", "master")
"""The names of the modules: the rules, and the player that has learned."""
SECTION: Final = "sources"
"""The section of a module that holds the key."""
COMPILER: Final = ("numba", "llvmlite")
_PINS: Final = "constraints.txt"
_PACKAGE: Final = Path("src/qwixx")
_PARTS: Final = (
    *("browser", "kernel", "learn", "players", "variants", "analysis/grades.py", "analysis/learned.py"),
    *("chance.py", "errors.py", "events.py", "notation.py", "reasons.py", "record.py", "view.py"),
    *("server/catalogue.py", "server/pieces.py", "server/protocol.py", "server/room.py"),
)
_ENDINGS: Final = (".py", ".toml", ".net")
_KEY: Final = re.compile(SECTION.encode() + rb"([0-9a-f]{64})")


def pins(root: Path) -> dict[str, str]:
    """Read which versions of the compiler the project has pinned."""
    lines = (root / _PINS).read_text("utf-8").splitlines()
    found = dict(line.split("==") for line in lines if "==" in line)
    return {name: found[name] for name in COMPILER}


def files(root: Path) -> list[Path]:
    """List everything that the module is made from, in a fixed order."""
    places = [place for part in _PARTS for place in (root / _PACKAGE).glob(part)]
    found = {path for place in places for path in (place, *place.rglob("*")) if path.suffix in _ENDINGS}
    return sorted(found)


def source_key(root: Path) -> str:
    """Name the content of everything that the module is made from."""
    digest = hashlib.sha256(repr(sorted(pins(root).items())).encode())
    for path in files(root):
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def key_in(module: Path) -> str:
    """Read the key that a module carries; empty if there is no such module."""
    found = _KEY.findall(module.read_bytes()) if module.is_file() else []
    return found[-1].decode() if found else ""


if __name__ == "__main__":  # for make
    sys.stdout.write("\n".join(str(path) for path in files(Path())))
