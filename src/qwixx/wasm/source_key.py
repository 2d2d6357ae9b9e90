"""
The hash of the sources of the modules, so that a build rebuilds them after a change.

`hatch_build.py` runs this file without the package. A module carries the hash as its key. It covers all sources of the
rules, the sheets and their texts, and the versions of the compiler.
"""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path
from typing import Final

MODULES: Final = ("kernel", "master")
"""The names of the modules: the rules, and the trained player."""
SECTION: Final = "sources"
"""The section of a module that holds the key."""
COMPILER: Final = ("numba", "llvmlite")
_PINS: Final = "constraints.txt"
_PACKAGE: Final = Path("src/qwixx")
_SOURCE_PATHS: Final = (
    *("wasm", "jit", "kernel", "nets", "players", "variants"),
    *("coach/grades.py", "coach/judges/net_judge.py", "coach/reasons"),
    *("errors.py", "game/chance.py", "game/events.py", "game/view.py"),
    *("text/effect_texts.py", "text/notation.py", "text/record.py", "text/refusal_sentences.py"),
    *("render/badges.toml", "render/symbols.py"),
    *("server/room/catalogue.py", "server/wire/message_parts.py", "server/wire/messages.py", "server/room/room.py"),
)
_ENDINGS: Final = (".py", ".toml", ".net")
_KEY: Final = re.compile(SECTION.encode() + rb"([0-9a-f]{64})")


def pins(root: Path) -> dict[str, str]:
    """Return the pinned versions of the compiler."""
    lines = (root / _PINS).read_text("utf-8").splitlines()
    found = dict(line.split("==") for line in lines if "==" in line)
    return {name: found[name] for name in COMPILER}


def files(root: Path) -> list[Path]:
    """List all sources of the modules, in a fixed order."""
    places = [place for part in _SOURCE_PATHS for place in (root / _PACKAGE).glob(part)]
    found = {path for place in places for path in (place, *place.rglob("*")) if path.suffix in _ENDINGS}
    return sorted(found)


def source_key(root: Path) -> str:
    """Return the hash of all sources of the modules."""
    digest = hashlib.sha256(repr(sorted(pins(root).items())).encode())
    for path in files(root):
        digest.update(f"\0{path.relative_to(root).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()


def embedded_key(module: Path) -> str:
    """Return the key that a module file carries; empty if there is no such file."""
    found = _KEY.findall(module.read_bytes()) if module.is_file() else []
    return found[-1].decode() if found else ""


if __name__ == "__main__":  # the Makefile calls this
    sys.stdout.write("\n".join(str(path) for path in files(Path())))
